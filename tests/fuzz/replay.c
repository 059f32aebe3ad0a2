/* replay.c  Calls a target with each file of its corpus, instead of libFuzzer. */
#include "tests/fuzz/input.h"

#include <dirent.h>
#include <stdio.h>

int main(void)
{
    static uint8_t data[1 << 20];
    char path[4096];
    int count = 0;
    DIR *folder = opendir(FUZZ_CORPUS);
    fuzzIsWhole = true;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", FUZZ_CORPUS, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!file)
            return 1;
        const size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
        count++;
    }
    if (folder)
        closedir(folder);
    printf("%s: %d inputs, %lu of them beyond the head\n", FUZZ_CORPUS, count, fuzzPassed);
    // some files are meant to be refused
    return count > 0 && 2 * fuzzPassed > (unsigned long)count ? 0 : 1;
}

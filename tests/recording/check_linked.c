/* check_linked.c  Programs that have the engine linked into them, and damaged files. */
#include "tests/kits/support.h"

#include "command/run/linked.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

static char damaged[] = "linked-XXXXXX";

static void removeDamaged(void)
{
    unlink(damaged);
}

/* The engine's library is the file that defines its steppers. */
static const char *engineFile(void)
{
    union {
        int (*step)(dWorldID world, dReal stepSize);
        void *address;
    } stepper = {dWorldStep};
    Dl_info found;
    ck_assert(dladdr(stepper.address, &found) != 0);
    return found.dli_fname;
}

START_TEST(who_defines_a_stepper)
{
    ck_assert(!ksiHasEngineInside("/bin/true"));
    ck_assert(!ksiHasEngineInside("/nowhere/at/all"));
    ck_assert(!ksiHasEngineInside("/"));
    ck_assert(!ksiHasEngineInside("/dev/zero"));
    ck_assert(ksiHasEngineInside(engineFile()));
}
END_TEST

/* A statically linked engine is in the test program itself. */
static size_t readEngine(unsigned char **bytes)
{
    FILE *file = fopen(engineFile(), "rb");
    ck_assert_ptr_nonnull(file);
    struct stat status;
    ck_assert_int_eq(fstat(fileno(file), &status), 0);
    *bytes = malloc((size_t)status.st_size);
    ck_assert_ptr_nonnull(*bytes);
    ck_assert_uint_eq(fread(*bytes, 1, (size_t)status.st_size, file), (size_t)status.st_size);
    fclose(file);
    return (size_t)status.st_size;
}

static void writeDamaged(const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(damaged, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/* Any number in heads and tables can be wrong, and the file can end anywhere. */
START_TEST(damaged_files)
{
    enum { TRIES = 60, CHANGES = 6 };
    unsigned char *bytes;
    const size_t count = readEngine(&bytes);
    Elf64_Ehdr head;
    memcpy(&head, bytes, sizeof head);
    ck_assert_uint_le(head.e_shoff + (uint64_t)head.e_shnum * sizeof(Elf64_Shdr), count);
    unsigned char *sections = bytes + head.e_shoff;
    srand(7);
    for (int i = 0; i < TRIES; i++) {
        Elf64_Ehdr ownHead = head;
        unsigned char own[64 * sizeof(Elf64_Shdr)];
        const size_t table = (size_t)head.e_shnum * sizeof(Elf64_Shdr);
        ck_assert_uint_le(table, sizeof own);
        memcpy(own, sections, table);
        for (int k = 0; k < CHANGES; k++)
            sections[(size_t)rand() % table] = (unsigned char)(rand() % 256);
        if (i % 4 == 0)
            memset((unsigned char *)&ownHead + 40 + (size_t)rand() % 20, 0xff, 1 + (size_t)rand() % 4);
        memcpy(bytes, &ownHead, sizeof ownHead);
        writeDamaged(bytes, i % 3 == 0 ? (size_t)rand() % count : count);
        (void)ksiHasEngineInside(damaged);
        memcpy(sections, own, table);
    }
    memcpy(bytes, &head, sizeof head);
    writeDamaged(bytes, count);
    ck_assert(ksiHasEngineInside(damaged));
    free(bytes);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("linked");
    const int file = mkstemp(damaged);
    if (file < 0)
        return 99;
    close(file);
    atexit(removeDamaged);
    tcase_add_test(tcase, who_defines_a_stepper);
    tcase_add_test(tcase, damaged_files);
    return runCase("linked", tcase);
}

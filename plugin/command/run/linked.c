/* linked.c  Detects programs with a statically linked engine, whose calls no wrapper can intercept.
 *
 * Unless such a program is stripped, its symbol table defines a stepper. A stripped program still
 * holds the text of dGetConfiguration, which starts with the engine's name and contains the
 * precision. Nothing in the file is trusted. */
#include "linked.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct File {
    const char *at;
    size_t bytes;
} File;

/* A part of the file. NULL: the file is too short. */
static const void *part(const File *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->bytes && bytes <= file->bytes - offset ? file->at + offset : NULL;
}

static bool isStepper(const File *names, uint64_t at)
{
    static const char *const stepper[] = {"dWorldStep", "dWorldQuickStep"};
    for (size_t i = 0; i < sizeof stepper / sizeof *stepper; i++) {
        const size_t bytes = strlen(stepper[i]) + 1;
        const void *name = part(names, at, bytes);
        if (name && memcmp(name, stepper[i], bytes) == 0)
            return true;
    }
    return false;
}

static bool hasStepper(const File *file, const Elf64_Shdr *table, const Elf64_Shdr *texts)
{
    const File names = {part(file, texts->sh_offset, texts->sh_size), texts->sh_size};
    const char *first = part(file, table->sh_offset, table->sh_size);
    Elf64_Sym symbol;
    for (uint64_t at = 0; names.at && first && at + sizeof symbol <= table->sh_size; at += sizeof symbol) {
        memcpy(&symbol, first + at, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            isStepper(&names, symbol.st_name))
            return true;
    }
    return false;
}

static bool readSection(const File *file, const Elf64_Ehdr *header, uint64_t index, Elf64_Shdr *section)
{
    const void *at =
        index < header->e_shnum ? part(file, header->e_shoff + index * sizeof *section, sizeof *section) : NULL;
    if (at)
        memcpy(section, at, sizeof *section);
    return at != NULL;
}

static bool definesStepper(const File *file)
{
    Elf64_Ehdr header;
    Elf64_Shdr table, texts;
    memcpy(&header, file->at, sizeof header);
    if (header.e_shentsize != sizeof table || header.e_shoff > file->bytes)
        return false;
    for (uint64_t i = 0; readSection(file, &header, i, &table); i++)
        if ((table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) &&
            readSection(file, &header, table.sh_link, &texts) && hasStepper(file, &table, &texts))
            return true;
    return false;
}

static bool hasConfiguration(const File *file)
{
    static const char begin[] = "ODE ODE_", *const precision[] = {"ODE_single_precision", "ODE_double_precision"};
    const char *at = file->at, *end = file->at + file->bytes;
    for (; (at = memmem(at, (size_t)(end - at), begin, sizeof begin - 1)) != NULL; at++) {
        const size_t length = strnlen(at, (size_t)(end - at));
        for (size_t i = 0; i < sizeof precision / sizeof *precision; i++)
            if (memmem(at, length, precision[i], strlen(precision[i])))
                return true;
    }
    return false;
}

bool ksiHasEngineInside(const char *path)
{
    struct stat status;
    const int number = open(path, O_RDONLY | O_CLOEXEC);
    if (number < 0)
        return false;
    const bool isFile = fstat(number, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    File file = {NULL, isFile ? (size_t)status.st_size : 0};
    void *mapped = isFile ? mmap(NULL, file.bytes, PROT_READ, MAP_PRIVATE, number, 0) : MAP_FAILED;
    close(number);
    if (mapped == MAP_FAILED)
        return false;
    file.at = mapped;
    const bool isProgram =
        file.bytes >= sizeof(Elf64_Ehdr) && memcmp(file.at, ELFMAG, SELFMAG) == 0 && file.at[EI_CLASS] == ELFCLASS64;
    const bool isInside = isProgram && (definesStepper(&file) || hasConfiguration(&file));
    munmap(mapped, file.bytes);
    return isInside;
}

/* lookup.c  Gives the wrapper's steppers to programs that look up the engine's steppers with
 * dlsym(3).
 *
 * For RTLD_NEXT and RTLD_DEFAULT the answer of dlsym depends on its return address. The wrapper
 * passes lookups on by a jump, which keeps this address. It answers a lookup itself under three
 * conditions: the caller names a library, the wrapper replaces the function, and the lookup finds
 * an engine's function. */
#include "lookup.h"

#include "calls.h"

#include <dlfcn.h>
#include <link.h>
#include <ode/ode.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void *Find(void *handle, const char *name);

typedef union Symbol {
    void *address;
    Find *find;
    void (*any)(void);
} Symbol;

const char *ksiEngineOf(const void *function)
{
    static const char here;
    Dl_info where, own;
    if (!function || !dladdr(function, &where) || !where.dli_fname ||
        (dladdr(&here, &own) && own.dli_fbase == where.dli_fbase))
        return NULL;
    void *library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const void *maker = library ? ksiFindSymbol(library, "dWorldCreate") : NULL;
    Dl_info makers;
    const int isEngine = maker && dladdr(maker, &makers) && makers.dli_fbase == where.dli_fbase;
    if (library)
        dlclose(library);
    return isEngine ? where.dli_fname : NULL;
}

typedef struct Names {
    char *at;
    size_t used;
} Names;

/* The loader holds its lock during this call, so nothing can be opened here. */
static int noteName(struct dl_phdr_info *info, size_t size, void *user)
{
    Names *names = user;
    (void)size;
    if (!info->dlpi_name || !*info->dlpi_name)
        return 0;
    const size_t length = strlen(info->dlpi_name) + 1;
    char *room = realloc(names->at, names->used + length);
    if (!room)
        return 1;
    names->at = room;
    memcpy(room + names->used, info->dlpi_name, length);
    names->used += length;
    return 0;
}

char *ksiLoadedFiles(size_t *length)
{
    Names names = {NULL, 0};
    dl_iterate_phdr(noteName, &names);
    *length = names.used;
    return names.at;
}

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

/* ksiRealDlsym: the dlsym of the C library, or of a library that replaces this function. The
 * assembler code below refers to both symbols. */
__attribute__((visibility("hidden"))) Find *ksiRealDlsym;
__attribute__((visibility("hidden"))) void *ksiAnswerDlsym(void *handle, const char *name);

static void *findNothing(void *handle, const char *name)
{
    (void)handle, (void)name;
    return NULL;
}

/* Looks dlsym up by version: without one, the lookup would find this wrapper. From glibc 2.34 on,
 * dlsym is part of the C library; before, of libdl. */
static Find *findReal(void)
{
    static const char *const version[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; i < sizeof version / sizeof *version; i++) {
        const Symbol found = {dlvsym(RTLD_NEXT, "dlsym", version[i])};
        if (found.address)
            return found.find;
    }
    return findNothing;
}

void *ksiFindSymbol(void *handle, const char *name)
{
    if (!ksiRealDlsym)
        ksiRealDlsym = findReal();
    return ksiRealDlsym(handle, name);
}

/* The wrapper's function with this name, or NULL. */
static const void *substituteOf(const char *name)
{
#define SUBSTITUTE(name) {#name, (void (*)(void))name},
    static const struct {
        const char *name;
        void (*function)(void);
    } own[] = {SUBSTITUTE(dWorldStep) SUBSTITUTE(dWorldQuickStep) SUBSTITUTE(dWorldDestroy) KSI_CALLS(SUBSTITUTE)};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i].name) == 0)
            return (Symbol){.any = own[i].function}.address;
    return NULL;
}

/* NULL: continue the lookup as if there were no wrapper. */
void *ksiAnswerDlsym(void *handle, const char *name)
{
    if (!ksiRealDlsym)
        ksiRealDlsym = findReal();
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || !name)
        return NULL;
    const void *own = substituteOf(name);
    const void *found = own ? ksiRealDlsym(handle, name) : NULL;
    return found && found != own && ksiEngineOf(found) ? (void *)own : NULL;
}

/* Calls ksiAnswerDlsym; without an answer, jumps to the real function with the same stack. */
#ifdef __x86_64__
__asm__(".pushsection .text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rsi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call ksiAnswerDlsym\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rsi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    testq %rax, %rax\n"
        "    jne 1f\n"
        "    jmp *ksiRealDlsym(%rip)\n"
        "1:  ret\n"
        "    .cfi_endproc\n"
        ".size dlsym, .-dlsym\n"
        ".popsection\n");
#else
__asm__(".pushsection .text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    .cfi_def_cfa_offset 32\n"
        "    .cfi_offset 29, -32\n"
        "    .cfi_offset 30, -24\n"
        "    stp x0, x1, [sp, #16]\n"
        "    mov x29, sp\n"
        "    bl ksiAnswerDlsym\n"
        "    mov x9, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    .cfi_def_cfa_offset 0\n"
        "    .cfi_restore 29\n"
        "    .cfi_restore 30\n"
        "    cbnz x9, 1f\n"
        "    adrp x9, ksiRealDlsym\n"
        "    ldr x9, [x9, #:lo12:ksiRealDlsym]\n"
        "    br x9\n"
        "1:  mov x0, x9\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size dlsym, .-dlsym\n"
        ".popsection\n");
#endif

#else

void *ksiFindSymbol(void *handle, const char *name)
{
    return dlsym(handle, name);
}

#endif

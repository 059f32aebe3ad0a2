/* lookup.c  A program that looks functions up in every way, and prints the results. Only the
 * engine's steppers may differ.
 *
 *     lookup LIBRARY    of the engine */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *fileOf(const void *address)
{
    Dl_info where;
    const char *name = address && dladdr(address, &where) ? where.dli_fname : "nothing";
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static void tell(const char *what, const void *address)
{
    printf("%s: %s\n", what, fileOf(address));
}

int main(int count, char *argument[])
{
    void *engine = count == 2 ? dlopen(argument[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!engine)
        return 77;
    tell("world", dlsym(engine, "dWorldCreate"));
    tell("step of the engine", dlsym(engine, "dWorldStep"));
    tell("malloc by default", dlsym(RTLD_DEFAULT, "malloc"));
    tell("malloc of the next", dlsym(RTLD_NEXT, "malloc"));
    tell("main", dlsym(RTLD_DEFAULT, "no such function"));
    printf("error: %s\n", dlerror() ? "told" : "none");
    tell("nothing of the engine", dlsym(engine, "dWorldStepNot"));
    printf("error: %s\n", dlerror() ? "told" : "none");
    dlsym(engine, "dWorldQuickStep");
    printf("error: %s\n", dlerror() ? "told" : "none");
    return 0;
}

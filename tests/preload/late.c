/* late.c  A program without an engine that loads one late: a module that is linked with it, as an
 * interpreter does, or the engine itself, whose functions it gets by dlsym.
 *
 *     late MODULE | late engine */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef union Symbol {
    void *address;
    int (*run)(void);
    void (*init)(unsigned flags);
    void *(*create)(void);
    int (*step)(void *world, double stepSize);
} Symbol;

static Symbol find(void *library, const char *name)
{
    return (Symbol){dlsym(library, name)};
}

static int stepEngine(void)
{
    void *library = dlopen("libode.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 77;
    find(library, "dInitODE2").init(0);
    void *world = find(library, "dWorldCreate").create();
    for (int i = 0; i < 10; i++)
        find(library, "dWorldStep").step(world, 0.01);
    return 0;
}

int main(int count, char *argument[])
{
    if (count != 2)
        return 2;
    if (strcmp(argument[1], "engine") == 0)
        return stepEngine();
    void *library = dlopen(argument[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return find(library, "run").run();
}

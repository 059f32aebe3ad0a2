/* two_engines.c  A host with an engine linked into it, whose steps it records
 * (tests/single/record.c), and at the same time a module with another engine (beside.c):
 *
 *     two_engines FILE | - [MODULE OUTPUT]    -: only the module */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int recordChain(int argc, char **argv);

typedef int Inspect(const char *path);

typedef struct Module {
    Inspect *inspect;
    const char *output;
    int status;
} Module;

static void *run(void *user)
{
    Module *module = user;
    module->status = module->inspect(module->output);
    return NULL;
}

static int load(const char *path, Module *module)
{
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const found = handle ? dlsym(handle, "inspectChain") : NULL;
    if (!found)
        fprintf(stderr, "%s\n", dlerror());
    memcpy(&module->inspect, &found, sizeof found);
    return !found;
}

int main(int argc, char **argv)
{
    Module module = {.status = 0};
    pthread_t thread;
    int status = 0;
    if (argc == 4) {
        module.output = argv[3];
        if (load(argv[2], &module) || pthread_create(&thread, NULL, run, &module))
            return 1;
    }
    if (argc > 1 && strcmp(argv[1], "-") != 0)
        status = recordChain(2, argv);
    if (module.inspect && pthread_join(thread, NULL))
        return 1;
    return status || module.status;
}

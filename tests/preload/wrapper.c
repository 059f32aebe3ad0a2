/* wrapper.c  A library that replaces the engine's steppers, as others do to count or change steps,
 * and calls the next ones. When it is unloaded, it prints the number of steps that it has seen, if
 * any. */
#include <dlfcn.h>
#include <stdio.h>

typedef int Step(void *world, double stepSize);

int dWorldStep(void *world, double stepSize);
int dWorldQuickStep(void *world, double stepSize);

static int count;

static Step *next(const char *name)
{
    union {
        void *address;
        Step *step;
    } found = {dlsym(RTLD_NEXT, name)};
    return found.step;
}

int dWorldStep(void *world, double stepSize)
{
    count++;
    return next("dWorldStep")(world, stepSize);
}

int dWorldQuickStep(void *world, double stepSize)
{
    count++;
    return next("dWorldQuickStep")(world, stepSize);
}

__attribute__((destructor)) static void tell(void)
{
    if (count > 0)
        fprintf(stderr, "wrapper: %d steps\n", count);
}

/* wrapper.c  An object that stands for the engine's steppers, as others do that count or change steps: it goes on to the next one. When it
 * goes, it prints how many steps it has seen, if there were any. */
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

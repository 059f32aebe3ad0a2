/* other.c  A module with an engine of its own, which only prints that it was called. */
#include <stdio.h>

int dWorldStep(void *world, double stepSize);
int dWorldQuickStep(void *world, double stepSize);
void dWorldDestroy(void *world);
void *dWorldCreate(void);

/* A library that can create worlds counts as an engine. */
void *dWorldCreate(void)
{
    return NULL;
}

int dWorldStep(void *world, double stepSize)
{
    (void)world, (void)stepSize;
    puts("dWorldStep of another engine");
    return 1;
}

int dWorldQuickStep(void *world, double stepSize)
{
    return dWorldStep(world, stepSize);
}

void dWorldDestroy(void *world)
{
    dWorldStep(world, 0);
}

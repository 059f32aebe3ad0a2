/* other.c  A module that has an engine of its own, which does nothing but say so. */
#include <stdio.h>

int dWorldStep(void *world, double stepSize);
int dWorldQuickStep(void *world, double stepSize);
void dWorldDestroy(void *world);
void *dWorldCreate(void);

/* It could make worlds: it is an engine. */
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

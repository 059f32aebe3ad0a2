/* drawstuff.c  Replaces drawstuff, the drawing library of ODE's demos, and draws nothing. A demo
 * makes DEMO_STEPS steps, and before some of them gets a key of "bscya d", which drop shapes and
 * drive. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Functions {
    int version;
    void (*start)(void);
    void (*step)(int pause);
    void (*command)(int key);
    void (*stop)(void);
    const char *textures;
} Functions;

enum { STEPS_PER_KEY = 5 };

static int isStopped;

void dsSimulationLoop(int argc, char **argv, int width, int height, const Functions *demo)
{
    static const char keys[] = "bscya bscad";
    const char *steps = getenv("DEMO_STEPS");
    (void)argc, (void)argv, (void)width, (void)height;
    if (demo->start)
        demo->start();
    for (int i = 0; i < (steps ? atoi(steps) : 100) && !isStopped; i++) {
        const size_t key = (size_t)i / STEPS_PER_KEY;
        if (i % STEPS_PER_KEY == 0 && key < sizeof keys - 1 && demo->command)
            demo->command(keys[key]);
        if (demo->step)
            demo->step(0);
    }
    if (demo->stop)
        demo->stop();
}

void dsStop(void)
{
    isStopped = 1;
}

double dsElapsedTime(void)
{
    return 0.02;
}

void dsGetViewpoint(float *at, float *turn)
{
    for (int i = 0; i < 3; i++)
        at[i] = turn[i] = 0;
}

void dsError(const char *words)
{
    fprintf(stderr, "%s\n", words);
    exit(1);
}

void dsDebug(const char *words)
{
    dsError(words);
}

/* Their arguments do not matter. */
#define NOTHING(name)                                                                                                  \
    void name(void);                                                                                                   \
    void name(void)                                                                                                    \
    {                                                                                                                  \
    }
NOTHING(dsPrint)
NOTHING(dsSetViewpoint)
NOTHING(dsSetTexture)
NOTHING(dsSetColor)
NOTHING(dsSetColorAlpha)
NOTHING(dsSetDrawMode)
NOTHING(dsSetSphereQuality)
NOTHING(dsSetCapsuleQuality)
NOTHING(dsDrawBox)
NOTHING(dsDrawBoxD)
NOTHING(dsDrawSphere)
NOTHING(dsDrawSphereD)
NOTHING(dsDrawTriangle)
NOTHING(dsDrawTriangleD)
NOTHING(dsDrawTriangles)
NOTHING(dsDrawTrianglesD)
NOTHING(dsDrawCylinder)
NOTHING(dsDrawCylinderD)
NOTHING(dsDrawCapsule)
NOTHING(dsDrawCapsuleD)
NOTHING(dsDrawLine)
NOTHING(dsDrawLineD)
NOTHING(dsDrawConvex)
NOTHING(dsDrawConvexD)

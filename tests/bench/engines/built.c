/* built.c  The engines of this build. */
#include "engines.h"

#include <stddef.h>

const Engine *const engines[] = {&engineOde,
#ifdef HAVE_MUJOCO
                                 &engineMujoco,
#endif
#ifdef HAVE_BULLET
                                 &engineBullet,
#endif
#ifdef HAVE_SIMBODY
                                 &engineSimbody,
#endif
                                 NULL};

/* lookup.c  Where bodies and joints are in the arrays of the step. */
#include "phases.h"

/* The index of a body, or -1. Lists are mostly walked in the order of the array: then it is where it is expected. */
int ksiBodyAt(const ksiInput *input, dBodyID id, size_t expected)
{
    if (expected < input->bodyCount && input->body[expected].begin.id == id)
        return (int)expected;
    return ksiPointersFind(&input->bodyIndex, id);
}

int ksiJointAt(const ksiInput *input, dJointID id, size_t expected)
{
    if (expected < input->jointCount && input->joint[expected].id == id)
        return (int)expected;
    return ksiPointersFind(&input->jointIndex, id);
}

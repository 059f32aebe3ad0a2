/* joint_type.c  The engine's joint types by name. */
#include "joint_type.h"

#include <stdio.h>
#include <string.h>

static const struct {
    dJointType type;
    const char *name;
} known[] = {
    {dJointTypeBall, "ball"},
    {dJointTypeHinge, "hinge"},
    {dJointTypeSlider, "slider"},
    {dJointTypeContact, "contact"},
    {dJointTypeUniversal, "universal"},
    {dJointTypeHinge2, "hinge2"},
    {dJointTypeFixed, "fixed"},
    {dJointTypeNull, "null"},
    {dJointTypeAMotor, "amotor"},
    {dJointTypeLMotor, "lmotor"},
    {dJointTypePlane2D, "plane2d"},
    {dJointTypePR, "PR"},
    {dJointTypePU, "PU"},
    {dJointTypePiston, "piston"},
    {dJointTypeDBall, "dball"},
    {dJointTypeDHinge, "dhinge"},
    {dJointTypeTransmission, "transmission"},
};

const char *ksiTypeName(dJointType type)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].type == type)
            return known[i].name;
    }
    return "joint";
}

bool ksiIsAlongAxis(dJointType type, int axis)
{
    switch (type) {
    case dJointTypeSlider:
    case dJointTypeLMotor:
        return true;
    case dJointTypePlane2D:
        return axis < 2;
    case dJointTypePU:
        return axis == 2;
    default:
        return axis == 0 && (type == dJointTypePR || type == dJointTypePiston);
    }
}

int ksiTypeFromName(const char *name, dJointType *type)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            *type = known[i].type;
            return 1;
        }
    }
    return 0;
}

static void writeBody(char out[KSI_LONGEST_NAME], int number)
{
    if (number)
        snprintf(out, KSI_LONGEST_NAME, "body %d", number);
    else
        strcpy(out, "world");
}

void ksiWriteJointName(char out[KSI_LONGEST_NAME], dJointType type, int number, const int body[2])
{
    char first[KSI_LONGEST_NAME], second[KSI_LONGEST_NAME], own[16] = "";
    writeBody(first, body[0]);
    writeBody(second, body[1]);
    if (number)
        snprintf(own, sizeof own, " %d", number);
    // an en dash
    snprintf(out, KSI_LONGEST_NAME, "%s%s: %.24s \xe2\x80\x93 %.24s", ksiTypeName(type), own, first, second);
}

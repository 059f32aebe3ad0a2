/* record.c  Where a record comes from, and whether it can be read. */
#include "record.h"

#include <math.h>
#include <string.h>

void ksiRecordOriginInit(const ksiEngine *engine, ksiRecordOrigin *out)
{
    memset(out, 0, sizeof *out);
    out->version = KSI_RECORD_VERSION;
    out->byteOrder = 0x01020304;
    out->recordBytes[0] = sizeof(ksiStepRecord);
    out->recordBytes[1] = sizeof(ksiBodyRecord);
    out->recordBytes[2] = sizeof(ksiJointRecord);
    out->recordBytes[3] = sizeof(ksiJointResult);
    ksiClassBytes(engine, out->ownBytes);
    strncpy(out->engine, dGetConfiguration(), sizeof out->engine - 1);
}

static bool isSoundLink(const ksiStepRecord *record, int64_t code)
{
    return code >= -1 && code < 2 * (int64_t)record->jointCount;
}

static bool isSoundJoint(const ksiStepRecord *record, const ksiJointRecord *joint, const uint32_t *ownBytes)
{
    if (joint->ownBytes > 0 &&
        (joint->type <= 0 || joint->type >= KSI_JOINT_TYPES || joint->ownBytes != ownBytes[joint->type]))
        return false;
    for (int side = 0; side < 2; side++)
        if (joint->body[side] < -1 || joint->body[side] >= (int64_t)record->bodyCount ||
            !isSoundLink(record, joint->next[side]))
            return false;
    return joint->address != 0 && (joint->body[0] < 0 || joint->body[0] != joint->body[1]);
}

bool ksiIsRecordedKind(int kind)
{
    return kind == dSphereClass || kind == dBoxClass || kind == dCapsuleClass || kind == dCylinderClass ||
           kind == dPlaneClass;
}

static bool areFinite(const double *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(number[i]))
            return false;
    return true;
}

/* Those that a replica can have: the engine aborts on a radius below zero. */
static bool isSoundGeom(const ksiStepRecord *record, const ksiGeomRecord *geom)
{
    const bool isPlane = geom->kind == dPlaneClass;
    for (int i = 0; i < 3; i++)
        if (!isPlane && !(geom->size[i] >= 0))
            return false;
    return ksiIsRecordedKind(geom->kind) && geom->body >= -1 && geom->body < (int64_t)record->bodyCount &&
           !(isPlane && geom->body >= 0) && areFinite(geom->size, 4) && areFinite(geom->place, 4) &&
           areFinite(geom->rotation, 12);
}

static bool isSoundName(const ksiStepRecord *record, const ksiNameRecord *name)
{
    return name->joint >= 0 && name->joint < (int64_t)record->jointCount && name->name[0] &&
           memchr(name->name, 0, sizeof name->name);
}

bool ksiRecordIsSound(const ksiStepRecord *record, size_t bytes, const uint32_t ownBytes[KSI_JOINT_TYPES])
{
    if (bytes < sizeof *record || record->bytes > bytes || record->bytes % 8 != 0 || record->bytes < sizeof *record ||
        record->bodyCount > INT32_MAX || record->jointCount > INT32_MAX || record->stepper > KS_QUICK_STEP)
        return false;
    ksiRecordReader reader = ksiReadRecord(record);
    const ksiBodyRecord *body = ksiTakeRecorded(&reader, record->bodyCount * sizeof *body);
    if (!body)
        return false;
    for (size_t i = 0; i < record->bodyCount; i++)
        if (body[i].address == 0 || !isSoundLink(record, body[i].first))
            return false;
    for (size_t i = 0; i < record->jointCount; i++) {
        const ksiJointRecord *joint = ksiTakeRecorded(&reader, sizeof *joint);
        if (!joint || !isSoundJoint(record, joint, ownBytes) || !ksiTakeRecorded(&reader, joint->ownBytes))
            return false;
    }
    const ksiGeomRecord *geom = ksiTakeRecorded(&reader, record->geomCount * sizeof *geom);
    for (size_t i = 0; geom && i < record->geomCount; i++)
        if (!isSoundGeom(record, &geom[i]))
            return false;
    const ksiNameRecord *name = ksiTakeRecorded(&reader, record->nameCount * sizeof *name);
    for (size_t i = 0; name && i < record->nameCount; i++)
        if (!isSoundName(record, &name[i]))
            return false;
    return geom && name && ksiTakeRecorded(&reader, record->bodyCount * sizeof(ksiBodyResult)) &&
           ksiTakeRecorded(&reader, record->jointCount * sizeof(ksiJointResult)) && reader.at == reader.end;
}

ksiStepRecord ksiEndRecord(unsigned world, uint64_t steps)
{
    return (ksiStepRecord){.bytes = sizeof(ksiStepRecord), .world = world, .step = steps, .isExtra = 1};
}

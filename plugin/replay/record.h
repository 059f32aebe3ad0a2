/* record.h  A recorded step: all that a judgement of it needs, in the order
 *
 *     ksiStepRecord
 *     ksiBodyRecord   [bodyCount]   before the step, in the order of the world's list
 *     ksiJointRecord  [jointCount]  likewise; each followed by its own bytes, padded to a multiple of 8
 *     ksiGeomRecord   [geomCount]   likewise, if they are asked for
 *     ksiNameRecord   [nameCount]   of joints that the host has named
 *     ksiBodyResult   [bodyCount]   after it
 *     ksiJointResult  [jointCount]
 *
 * Numbers are as in memory: a record is read by a program for the same kind of processor and the same build of the engine,
 * which ksiRecordOrigin tells. */
#ifndef KSI_RECORD_H
#define KSI_RECORD_H

#include "../engine/copy.h"

#include <stdbool.h>
#include <stdint.h>

#define KSI_RECORD_VERSION 3

/* What has to be the same where a record is made and where it is read. */
typedef struct ksiRecordOrigin {
    uint32_t version, byteOrder;
    uint32_t recordBytes[4];            /* sizes of the structs */
    uint32_t ownBytes[KSI_JOINT_TYPES]; /* of the engine's joints, or 0 */
    char engine[256];                   /* dGetConfiguration */
} ksiRecordOrigin;

typedef struct ksiStepRecord {
    uint64_t bytes;   /* of the whole record */
    uint32_t world;   /* number in the process, from 1 */
    uint32_t stepper; /* ksStepper */
    uint64_t step;    /* of the world, from 0; all are counted, recorded or not */
    double time, h;   /* s */
    double gravity[4], erp, cfm, contactSpeed, contactDepth, overRelaxation; /* of the world */
    int32_t iterations;                                                      /* of dWorldQuickStep */
    uint32_t threads;                                                        /* that the engine steps with */
    uint64_t seed;                                                           /* of its random numbers */
    uint32_t bodyCount, jointCount;
    int32_t isStepped; /* 0: the engine refused */
    int32_t isExtra;   /* recorded for the sake of the next one: its predecessor */
    double seconds;    /* wall clock, of the engine's own step */
    uint32_t geomCount, nameCount;
} ksiStepRecord;

typedef struct ksiBodyRecord {
    uint64_t address; /* the same body in the next record has the same one */
    uint64_t number;  /* in order of creation, from 1 */
    int64_t first;    /* of its list of joints: 2 joint + side, or -1 */
    ksiBodyCopy copy;
} ksiBodyRecord;

typedef struct ksiJointRecord {
    uint64_t address;
    uint64_t number;       /* among the joints of its type */
    uint64_t ordinal;      /* among all joints but contacts, likewise in order of creation; contacts: 0 */
    int32_t type, body[2]; /* -1: the world, or not attached */
    int32_t next[2];       /* after it in the list of a body, as ksiBodyRecord::first */
    uint32_t ownBytes;     /* 0: not of a known class */
    ksiJointState state;
} ksiJointRecord;

/* The shape of a body, or of something that stands still: for those who look at it. */
typedef struct ksiGeomRecord {
    int32_t kind;        /* dSphereClass, dBoxClass, dCapsuleClass, dCylinderClass, dPlaneClass */
    int32_t body;        /* -1: none */
    double size[4];      /* m: radius; edges; radius and length; a plane's numbers */
    double place[4];     /* m, of the geom from the body, in its axes; without a body from the origin */
    double rotation[12]; /* likewise */
} ksiGeomRecord;

/* By ksInspectorSetName. */
typedef struct ksiNameRecord {
    int32_t joint; /* index */
    char name[124];
} ksiNameRecord;

typedef struct ksiBodyResult {
    uint64_t isAlive;
    ksiBodyState state;
} ksiBodyResult;

typedef struct ksiJointResult {
    int32_t isAlive, mark;
    dJointFeedback feedback; /* as ksiFillFeedback left it, where the engine wrote nothing */
} ksiJointResult;

static inline size_t ksiPadded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* Of this process's engine. */
void ksiRecordOriginInit(const ksiEngine *engine, ksiRecordOrigin *out);

/* Is the record whole, and are its indices in range? `bytes` are there to be read. ownBytes: of the origin. */
bool ksiRecordIsSound(const ksiStepRecord *record, size_t bytes, const uint32_t ownBytes[KSI_JOINT_TYPES]);

/* No step, but the word that `steps` steps of a world were made in all. */
ksiStepRecord ksiEndRecord(unsigned world, uint64_t steps);

static inline bool ksiIsEnd(const ksiStepRecord *record)
{
    return record->isExtra && !record->isStepped && record->bodyCount == 0 && record->h == 0;
}

/* Can a geom of this kind be recorded? */
bool ksiIsRecordedKind(int kind);

/* Reads a record from its bodies on. NULL: past the end. */
typedef struct ksiRecordReader {
    const char *at, *end;
} ksiRecordReader;

static inline ksiRecordReader ksiReadRecord(const ksiStepRecord *record)
{
    const char *at = (const char *)record;
    return (ksiRecordReader){at + sizeof *record, at + record->bytes};
}

static inline const void *ksiTakeRecorded(ksiRecordReader *reader, size_t bytes)
{
    const char *at = reader->at;
    if (ksiPadded(bytes) > (size_t)(reader->end - at))
        return NULL;
    reader->at += ksiPadded(bytes);
    return at;
}

/* Of a sound record. */
static inline const ksiJointResult *ksiRecordedReports(const ksiStepRecord *record)
{
    return (const ksiJointResult *)(const void *)((const char *)record + record->bytes) - record->jointCount;
}

static inline const ksiBodyResult *ksiRecordedEnds(const ksiStepRecord *record)
{
    return (const ksiBodyResult *)(const void *)ksiRecordedReports(record) - record->bodyCount;
}

static inline const ksiNameRecord *ksiRecordedNames(const ksiStepRecord *record)
{
    return (const ksiNameRecord *)(const void *)ksiRecordedEnds(record) - record->nameCount;
}

static inline const ksiGeomRecord *ksiRecordedGeoms(const ksiStepRecord *record)
{
    return (const ksiGeomRecord *)(const void *)ksiRecordedNames(record) - record->geomCount;
}

#endif

/* size.h  Sizes motors, bearings, pins and links of a trace. */
#ifndef KSI_SIZE_SIZE_H
#define KSI_SIZE_SIZE_H

#include "joint_size.h"

#include "../report/files/text.h"
#include "../report/trace/trace_read.h"

#include <jansson.h>
#include <kinetostat/kinetostat.h>

enum { KSI_SIZE_RULES = 64 };

/* Data for the joints that match a pattern; the last match counts. */
typedef struct ksiBearingRule {
    const char *joints;
    ksiBearingData data;
} ksiBearingRule;

typedef struct ksiWoehlerRule {
    const char *joints;
    int component;
    ksiWoehler line;
} ksiWoehlerRule;

/* The point that torques are about: m from the mass centre of body 0 or 1, in its axes; of the
 * world from its origin. */
typedef struct ksiPointRule {
    const char *joints;
    int body;
    double place[3];
} ksiPointRule;

typedef struct ksiEnvelopeRule {
    const char *joints;
    ksiEnvelope envelope;
} ksiEnvelopeRule;

typedef struct ksiSizeOptions {
    const char *call; /* the file in messages and documents; NULL: its path */
    ksValue value;
    ksiPatterns joints;
    const char *world;   /* a name; NULL: all */
    double from, until;  /* s: from <= time < until */
    double timeConstant; /* s; 0: none */
    bool isRepeated;
    ksiBearingRule bearing[KSI_SIZE_RULES];
    size_t bearingCount;
    ksiWoehlerRule woehler[KSI_SIZE_RULES];
    size_t woehlerCount;
    ksiEnvelopeRule envelope[KSI_SIZE_RULES];
    size_t envelopeCount;
    ksiPointRule point[KSI_SIZE_RULES];
    size_t pointCount;
} ksiSizeOptions;

/* name: clean. */
typedef struct ksiSizedJoint {
    char *name, type[KSI_TRACED_TYPE];
    int64_t body[2];
    bool isChosen, isAnchored, isFull;
    const ksiPointRule *point; /* NULL: torques are about the anchor, or the mass centre */
    bool isPlaced;             /* for means about a point: the next three members are known */
    double offset[3];          /* m, from the point to the anchor or mass centre, in the axes of the
                                  joint, when first seen */
    double moved, largest;     /* largest so far: change of the offset, m; the engine's force, N */
    ksiWaiting *waiting;       /* NULL: the joint has no chosen step */
    ksiWaiting *full;          /* the block before, or NULL as `waiting`; isFull: it waits for the
                                  worker */
    ksiJointSize *size;        /* NULL: the joint has no chosen step */
} ksiSizedJoint;

typedef struct ksiSizedWorld {
    char *name;
    uint64_t steps;
    double begin, end; /* s */
    size_t jointCount;
    ksiSizedJoint *joint;
} ksiSizedWorld;

typedef struct ksiSizing {
    const char *path;
    char *cleanPath;
    const ksiSizeOptions *options;
    size_t worldCount;
    ksiSizedWorld *world;
} ksiSizing;

/* false: words [KSI_READ_WORDS] say why. out is to be freed in either case. */
bool ksiSizeTrace(const char *path, const ksiSizeOptions *options, ksiSizing *out, char *words);
void ksiSizingFree(ksiSizing *sizing);

/* The number of chosen joints with a step. */
size_t ksiSizedCount(const ksiSizing *sizing);

/* Documents; a text that is short, or NULL: out of memory. */
void ksiSizingToText(const ksiSizing *sizing, ksiText *out);
void ksiSizingToCsv(const ksiSizing *sizing, ksiText *out);     /* a line for each number */
void ksiSizingToSpectra(const ksiSizing *sizing, ksiText *out); /* CSV: a line for each class of
                                                                   cycles */
void ksiSizingToPage(const ksiSizing *sizing, ksiText *out);    /* HTML, with a picture of each
                                                                   motor */
json_t *ksiSizingToJson(const ksiSizing *sizing);

/* Does the motor of this axis push along it rather than turn about it? */
bool ksiIsAlong(const ksiSizedJoint *joint, int axis);

/* "anchor", "mass centre", "point": torques are about it. */
const char *ksiSizedAbout(const ksiSizedJoint *joint);
/* Writes this word, with the place of the point and its body. */
void ksiTellAbout(const ksiSizedJoint *joint, ksiText *out);

/* Writes, between `before` and `after`, how much the means lack because the joint's axes turn;
 * writes nothing up to 1 %. */
void ksiTellMeanTurn(const ksiJointSize *joint, const char *before, const char *after, ksiText *out);

/* "physical" */
const char *ksiSizeValueName(ksValue value);

#endif

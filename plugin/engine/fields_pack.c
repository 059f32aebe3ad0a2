/* fields_pack.c  Reads and writes the fields of a joint as words. */
#include "fields.h"

#include "layout.h"

#include <math.h>

static double realOf(uint64_t word)
{
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static bool isRealSound(ksiFieldKind kind, double x)
{
    switch (kind) {
    case KSI_ANY_REAL:
        return true;
    case KSI_BOUND:
        return !isnan(x);
    case KSI_POSITIVE:
        return x > 0 && isfinite(x);
    default:
        return isfinite(x);
    }
}

/* Does the text have a terminator, and only zeros after it? */
static bool isTextSound(const uint64_t *words, size_t count)
{
    bool isOver = false;
    for (size_t i = 0; i < 8 * count; i++) {
        const bool isNothing = (words[i / 8] >> i % 8 * 8 & 0xff) == 0;
        if (isOver && !isNothing)
            return false;
        isOver |= isNothing;
    }
    return isOver;
}

static bool isSound(const ksiField *field, const uint64_t *words)
{
    switch (field->kind) {
    case KSI_INTEGER:
    case KSI_CHOICE:
        for (unsigned i = 0; i < field->count; i++)
            if ((int64_t)words[i] < field->low || (int64_t)words[i] > field->high)
                return false;
        return true;
    case KSI_TEXT:
        return isTextSound(words, field->count);
    default:
        for (unsigned i = 0; i < field->count; i++)
            if (!isRealSound(field->kind, (dReal)realOf(words[i])))  // in the engine's precision
                return false;
        return true;
    }
}

static bool isDefined(const ksiField *field, const uint64_t *first)
{
    return (!field->when && !field->unless) || ((*first & field->when) == field->when && !(*first & field->unless));
}

static bool isZero(const ksiField *field, const uint64_t *words)
{
    for (unsigned i = 0; i < field->count; i++)
        if (words[i] != 0)
            return false;
    return true;
}

bool ksiFieldsAreSound(const ksiFields *fields, const uint64_t *words)
{
    const uint64_t *first = words;
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        if (field->kind == KSI_UNUSED)
            continue;
        if (!(isDefined(field, first) ? isSound(field, words) : isZero(field, words)))
            return false;
        words += field->count;
    }
    return true;
}

static uint64_t packInteger(const ksiField *field, const void *at)
{
    int number;
    memcpy(&number, at, sizeof number);
    const bool isIn = number >= field->low && number <= field->high;
    return (uint64_t)(int64_t)(field->kind == KSI_CHOICE && !isIn ? 0 : number);
}

static void packReals(const ksiField *field, const void *at, uint64_t *words)
{
    const dReal *number = at;
    for (unsigned i = 0; i < field->count; i++) {
        const double value = number[i];
        memcpy(&words[i], &value, sizeof value);
    }
}

static void unpackReals(const ksiField *field, const uint64_t *words, void *at)
{
    dReal *number = at;
    for (unsigned i = 0; i < field->count; i++)
        number[i] = (dReal)realOf(words[i]);
}

bool ksiPackJoint(const ksiFields *fields, dJointID joint, uint64_t *words)
{
    const uint64_t *first = words;
    bool areSound = true;
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        const char *at = (const char *)(void *)joint + field->offset;
        if (field->kind == KSI_UNUSED)
            continue;
        if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE)
            *words = packInteger(field, at);
        else if (isDefined(field, first))
            packReals(field, at, words);
        else
            memset(words, 0, field->count * sizeof *words);
        areSound &= !isDefined(field, first) || isSound(field, words);
        words += field->count;
    }
    return areSound;
}

void ksiUnpackJoint(const ksiFields *fields, const uint64_t *words, dJointID joint)
{
    for (size_t i = 0; i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        char *at = (char *)(void *)joint + field->offset;
        if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE) {
            const int number = (int)(int64_t)*words;
            memcpy(at, &number, sizeof number);
        } else if (field->kind != KSI_UNUSED) {
            unpackReals(field, words, at);
        }
        words += field->count;
    }
}

const ksiField *ksiFieldOfAxis(int type, ksiFieldProof proof, int axis)
{
    const ksiFields *fields = ksiFieldsOfType(type);
    for (size_t i = 0; fields && i < fields->count; i++)
        if (fields->field[i].proof == proof && ksiAxisOfField(&fields->field[i]) == axis)
            return &fields->field[i];
    return NULL;
}

bool ksiStopsAreSound(int type, unsigned stops)
{
    bool hasStops = false;
    if (!(stops & KSI_STOPS_ARE_KNOWN))
        return stops == 0;
    for (int axis = 0; axis < KSI_STOP_AXES; axis++) {
        const bool isThere = ksiFieldOfAxis(type, KSI_IS_STOP, axis) != NULL;
        hasStops |= isThere;
        if (ksiStopOfAxis(stops, axis) > (isThere ? KSI_HIGH_STOP : 0))
            return false;
    }
    return hasStops && stops >> KSI_STOPS_BITS == 0;
}

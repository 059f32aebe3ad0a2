/* divergence_text.c  Differences of two recordings as text. */
#include "divergence.h"

enum { MOST_WORLDS = 10, MOST_FINDINGS = 16 };

/* Causes by their bits: differences of the input, and different results of the same input. */
static const char *const words[] = {"settings of the world, or of its steps",
                                    "bodies came or went",
                                    "joints came or went, or were attached elsewhere",
                                    "masses, or moments of inertia",
                                    "poses at the start of the step",
                                    "velocities at the start of the step",
                                    "sleep or other flags of bodies",
                                    "forces or torques that the host applies",
                                    "parameters of bodies",
                                    "parameters of joints",
                                    "contacts",
                                    "their order",
                                    "random numbers: the engine's seed differs",
                                    "threads: the engine uses several, and the order of their work is not fixed",
                                    "",
                                    "another build of the engine",
                                    "not in the recordings: perhaps a callback, another processor, another libm"};
static const char foreign[] = "a recording does not contain the equations of another engine";
static const char asleep[] = "a body falls asleep in one of them alone, and a recording does not show the reason";
enum { CAUSES = sizeof words / sizeof *words };

static const char *const stepper[] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep", "another engine"};

static unsigned long long number(uint64_t x)
{
    return x;
}

/* --- A finding --- */

/* Writes the quantity with spaces in its name, and the component. */
static void writeQuantity(const ksiFinding *found, ksiText *out)
{
    static const char *const axes[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"};
    const size_t count = found->field->count, i = found->component;
    for (const char *c = found->field->name; *c; c++)
        ksiTextAdd(out, "%c", *c == '_' ? ' ' : *c);
    if (count == 3 || count == 4)
        ksiTextAdd(out, " %s", count == 3 ? axes[i] : quaternion[i]);
    else if (count == 9)
        ksiTextAdd(out, " %s%s", axes[i / 3], axes[i % 3]);
}

static void writeValue(const ksiFinding *found, int which, ksiText *out)
{
    const uint64_t word = found->value[which][found->component];
    const bool isReal = found->field->kind <= KSI_POSITIVE;
    double real;
    memcpy(&real, &word, sizeof real);
    if (isReal)
        ksiTextAdd(out, "%.17g", real);
    else if (strcmp(found->field->name, "stepper") == 0 && word < sizeof stepper / sizeof *stepper)
        ksiTextAdd(out, "%s", stepper[word]);
    else if (strcmp(found->field->name, "flags") == 0)
        ksiTextAdd(out, "0x%llx", number(word));
    else
        ksiTextAdd(out, "%lld", (long long)(int64_t)word);
}

static void writeOthers(const ksiFinding *found, ksiText *out)
{
    if (found->count > 1)
        ksiTextAdd(out, "; and of %llu other%s", number(found->count - 1), found->count > 2 ? "s" : "");
    ksiTextAdd(out, "\n");
}

/* Writes that an object is in only one recording, or in another place. */
static void writePlace(const ksiNamedFinding *named, ksiText *out)
{
    const ksiFinding *found = &named->found;
    const bool isInBoth = found->index[0] >= 0 && found->index[1] >= 0;
    if (isInBoth)
        ksiTextAdd(out, "place of %s in the list: %llu in A, %llu in B", named->of[0], number(found->value[0][0]),
                   number(found->value[1][0]));
    else
        ksiTextAdd(out, "%s is in %s alone", named->of[found->index[0] < 0], found->index[0] < 0 ? "B" : "A");
    if (!isInBoth && found->count > 1)
        ksiTextAdd(out, ", and so %s %llu other%s\n", found->count > 2 ? "are" : "is", number(found->count - 1),
                   found->count > 2 ? "s" : "");
    else
        writeOthers(found, out);
}

static void writeFinding(const ksiNamedFinding *named, ksiText *out)
{
    static const char *const who[] = {"", "; A has changed it", "; B has changed it", "; both have changed it"};
    const ksiFinding *found = &named->found;
    ksiTextAdd(out, "    ");
    if (!found->field) {
        writePlace(named, out);
        return;
    }
    if (found->cause == KSI_OTHER_ORDER) {
        ksiTextAdd(out, "order of the joints %s %s", found->part == KSI_BODY_PART ? "of" : "after", named->of[0]);
        writeOthers(found, out);
        return;
    }
    const char *unit = found->field->unit;
    writeQuantity(found, out);
    if (named->of[0][0])
        ksiTextAdd(out, " of %s", named->of[0]);
    ksiTextAdd(out, ": A ");
    writeValue(found, 0, out);
    ksiTextAdd(out, ", B ");
    writeValue(found, 1, out);
    if (strcmp(unit, "1") != 0)
        ksiTextAdd(out, unit[0] == '1' ? " (%s)" : " %s", unit);
    if (found->field->kind <= KSI_POSITIVE)
        ksiTextAdd(out, ", apart by %.3g", found->size);
    ksiTextAdd(out, "%s", who[named->changedBy & 3]);
    writeOthers(found, out);
}

/* --- A step --- */

static bool isSleep(const ksiFinding *found)
{
    return found->part == KSI_BODY_RESULT_PART && strcmp(found->field->name, "flags") == 0;
}

/* A cause that recordings do not contain. */
static const char *unknownCause(const ksiDivergence *divergence)
{
    bool isAsleep = false;
    for (size_t i = 0; i < divergence->count; i++)
        isAsleep |= isSleep(&divergence->finding[i].found);
    return divergence->isForeign ? foreign : isAsleep ? asleep : words[CAUSES - 1];
}

static void writeCauses(const ksiDivergence *divergence, const ksiWorldPair *world, ksiText *out)
{
    const bool isOrder = (divergence->causes & KSI_INPUT_CAUSES) == 1u << KSI_OTHER_ORDER;
    const char *between = isOrder ? "; " : "";
    ksiTextAdd(out, "  Why: %s",
               !divergence->isInput ? "the same input gave another result: "
               : isOrder            ? "the same input in another order"
                                    : "other input: ");
    for (unsigned i = 0; i < CAUSES; i++) {
        if (!(divergence->causes >> i & 1) || (isOrder && i == KSI_OTHER_ORDER))
            continue;
        ksiTextAdd(out, "%s%s", between, i == CAUSES - 1 ? unknownCause(divergence) : words[i]);
        if (divergence->isAfterSame && (i == KSI_OTHER_POSES || i == KSI_OTHER_VELOCITIES))
            ksiTextAdd(out, ", which the host has set");
        between = "; ";
    }
    ksiTextAdd(out, ".\n");
    if (divergence->causes & 1u << KSI_OTHER_SEED && world->otherSeeds >= 0)
        ksiTextAdd(out, "    The seeds differ from step %lld on.\n", (long long)world->otherSeeds);
}

static bool isDerived(const ksiFinding *found)
{
    static const char *const derived[] = {"rotation", "inverse_mass", "inverse_inertia", "force2", "torque2"};
    bool isIt = false;
    for (size_t i = 0; found->field && i < sizeof derived / sizeof *derived; i++)
        isIt |= strcmp(found->field->name, derived[i]) == 0;
    return isIt;
}

/* Does the engine derive the quantity from another one with the same cause? */
static bool isToldElsewhere(const ksiDivergence *divergence, const ksiFinding *found)
{
    bool isIt = false;
    for (size_t i = 0; i < divergence->count; i++) {
        const ksiFinding *other = &divergence->finding[i].found;
        isIt |= other->cause == found->cause && other->part == found->part && !isDerived(other);
    }
    return isIt && isDerived(found);
}

static void writeFindings(const ksiDivergence *divergence, ksiText *out)
{
    size_t written = 0, left = 0;
    bool isResult = !divergence->isInput;
    for (size_t i = 0; i < divergence->count; i++) {
        const ksiNamedFinding *named = &divergence->finding[i];
        if (!isResult && named->found.cause == KSI_OTHER_RESULT)
            ksiTextAdd(out, "  Results of this step:\n");
        isResult |= named->found.cause == KSI_OTHER_RESULT;
        if (isToldElsewhere(divergence, &named->found))
            continue;
        if (written++ < MOST_FINDINGS)
            writeFinding(named, out);
        else
            left++;
    }
    if (left > 0)
        ksiTextAdd(out, "    %zu other quantities: --json\n", left);
    if (!isResult)
        ksiTextAdd(out, "  The results of this step are the same.\n");
}

/* Writes whether the recorded causes are complete. */
static void writeAgain(const ksiDivergence *divergence, ksiText *out)
{
    const bool a = divergence->again[0] == KSI_COMES_AGAIN, b = divergence->again[1] == KSI_COMES_AGAIN;
    if (divergence->again[0] == KSI_NOT_MADE_AGAIN || divergence->again[1] == KSI_NOT_MADE_AGAIN)
        return;
    ksiTextAdd(out, "  Repeated here from the records, by one thread, the step has %s.\n",
               a && b ? "both results, to the bit: that is the whole cause"
               : a    ? "the result of A, to the bit, but not the result of B"
               : b    ? "the result of B, to the bit, but not the result of A"
                      : "neither result");
}

static void writeDivergence(const ksiDivergence *divergence, const ksiWorldPair *world, ksiText *out)
{
    writeCauses(divergence, world, out);
    if (divergence->isInput && !divergence->isAfterSame)
        ksiTextAdd(out, "    The step before is not in both recordings: this may have begun earlier.\n");
    writeFindings(divergence, out);
    writeAgain(divergence, out);
}

/* --- A world --- */

static void writeWorldName(const ksiWorldPair *world, ksiText *out)
{
    ksiTextAdd(out, "World \"%s\"", world->name[0]);
    if (strcmp(world->name[0], world->name[1]) != 0)
        ksiTextAdd(out, " of A, \"%s\" of B", world->name[1]);
}

static void writeLeftOut(const ksiWorldPair *world, ksiText *out)
{
    for (int k = 0; k < 2; k++) {
        if (world->damaged[k] > 0)
            ksiTextAdd(out, "  %zu records of %s are damaged, or follow one that is: they were left out.\n",
                       world->damaged[k], k ? "B" : "A");
        if (world->alone[k] > 0)
            ksiTextAdd(out, "  %llu step%s recorded in %s alone.\n", number(world->alone[k]),
                       world->alone[k] == 1 ? " is" : "s are", k ? "B" : "A");
    }
}

static void writeLength(const ksiRecordingPair *pair, const ksiWorldPair *world, ksiText *out)
{
    if (world->isShorter[0] || world->isShorter[1])
        ksiTextAdd(out, "  A has %llu steps, B has %llu: as far as both are recorded they are the same%s.\n",
                   number(world->steps[0]), number(world->steps[1]),
                   pair->tolerance > 0 ? " within the tolerance" : "");
}

static void writeStep(const ksiDivergence *divergence, ksiText *out)
{
    ksiTextAdd(out, "step %llu, at %g s", number(divergence->step), divergence->time);
}

static void writeWorld(const ksiRecordingPair *pair, const ksiWorldPair *world, ksiText *out)
{
    const ksiDivergence *first = &world->first, *beyond = &world->beyond;
    ksiTextAdd(out, "\n");
    if (!world->name[0][0] || !world->name[1][0]) {
        const int only = world->name[0][0] ? 0 : 1;
        ksiTextAdd(out, "World \"%s\" is in %s alone.\n", world->name[only], only ? "B" : "A");
        writeLeftOut(world, out);
        return;
    }
    writeWorldName(world, out);
    ksiTextAdd(out, ": %llu step%s compared.\n", number(world->compared), world->compared == 1 ? "" : "s");
    if (first->isThere) {
        ksiTextAdd(out, "  They differ first in ");
        writeStep(first, out);
        ksiTextAdd(out, ".\n");
        writeDivergence(first, world, out);
    }
    if (beyond->isThere && beyond->step != first->step) {
        ksiTextAdd(out, "  By more than the tolerance, %g, they differ first in ", pair->tolerance);
        writeStep(beyond, out);
        ksiTextAdd(out, ".\n");
        writeFindings(beyond, out);
    } else if (pair->tolerance > 0 && first->isThere && !beyond->isThere) {
        ksiTextAdd(out, "  They never differ by more than the tolerance, %g.\n", pair->tolerance);
    }
    if (!first->isThere && world->otherSeeds >= 0)
        ksiTextAdd(out, "  The seeds of the random numbers differ from step %lld on, without any effect.\n",
                   (long long)world->otherSeeds);
    writeLength(pair, world, out);
    writeLeftOut(world, out);
}

/* --- All --- */

static void writeFile(const ksiRecordingPair *pair, int which, ksiText *out)
{
    const ksiRun *run = &pair->run[which];
    char *path = ksiClean(out->allocator, pair->path[which]);
    ksiTextAdd(out, "%s: %s", which ? "B" : "A", path ? path : "");
    ksiFree(out->allocator, path);
    if (!ksiRunIsOfHost(run)) {
        ksiTextAdd(out, ": ");
        ksiRunWriteCall(run, out);
        ksiTextAdd(out, " (%s; ", run->begun);
        ksiRunWriteEnd(run, out);
        ksiTextAdd(out, ")");
    }
    ksiTextAdd(out, "%s\n", pair->records[which] == 0 ? ": holds no step: none was made, or it was cut off" : "");
}

static void writeEngines(const ksiRecordingPair *pair, ksiText *out)
{
    if (!ksiIsOtherEngine(pair))
        return;
    ksiTextAdd(out, "The engines are different builds, or different files:\n");
    for (int k = 0; k < 2; k++)
        ksiTextAdd(out, "  %s: %s%s%s\n", k ? "B" : "A", pair->run[k].engine, pair->run[k].engine[0] ? ": " : "",
                   pair->run[k].built);
}

static bool isToBeTold(const ksiRecordingPair *pair, const ksiWorldPair *world)
{
    return ksiWorldDiffers(pair, world) || world->first.isThere || world->damaged[0] + world->damaged[1] > 0 ||
           world->alone[0] + world->alone[1] > 0 || world->compared == 0 || world->otherSeeds >= 0;
}

void ksiWritePair(const ksiRecordingPair *pair, ksiText *out)
{
    size_t told = 0, left = 0, same = 0;
    uint64_t steps = 0;
    writeFile(pair, 0, out);
    writeFile(pair, 1, out);
    writeEngines(pair, out);
    for (size_t i = 0; i < pair->count; i++) {
        const ksiWorldPair *world = &pair->world[i];
        if (!isToBeTold(pair, world)) {
            same++;
            steps += world->compared;
        } else if (told < MOST_WORLDS) {
            writeWorld(pair, world, out);
            told++;
        } else {
            left++;
        }
    }
    if (left > 0)
        ksiTextAdd(out, "\n%zu other worlds differ: --json\n", left);
    if (same > 0)
        ksiTextAdd(out, "\nThe same%s in all: %zu world%s, %llu step%s.\n", told > 0 ? "" : " to the bit", same,
                   same > 1 ? "s" : "", number(steps), steps == 1 ? "" : "s");
}

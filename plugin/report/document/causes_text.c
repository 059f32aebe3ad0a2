/* causes_text.c  Text on gaps of joints, causes of joints that come apart, and kinetic energy. */
#include "causes_text.h"

#include "../findings/findings.h"
#include "print.h"

#include <math.h>

/* Share of all supplied energy above which the host's forces are the cause. */
static const double mostOfAll = 0.5;

const char *const ksiTearName[KSI_TEARS] = {"motor at a stop", "from the start", "not solved",
                                            "disabled",        "host forces",    "unknown"};

/* All energy that any source supplied. */
static double givenEnergy(const double of[KS_ENERGY_COUNT])
{
    double sum = 0;
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        sum += fmax(of[i], 0);
    return sum;
}

ksiTear ksiTearOf(const ksiView *view, const ksiWorldStats *world, const ksiJointStats *joint)
{
    double of[KS_ENERGY_COUNT];
    ksiEnergyOf(&world->energy, of);
    return joint->opening.isPushed                                             ? KSI_TORN_BY_FUDGE
           : joint->opening.step == joint->firstStep                           ? KSI_TORN_FROM_START
           : !ksiIsForeign(world) && joint->opening.error > view->limit->above ? KSI_TORN_UNSOLVED
           : ksiStepsWith(joint, KS_REASON_DISABLED) > 0                       ? KSI_TORN_DISABLED
           : of[KS_ENERGY_HOST] > mostOfAll * givenEnergy(of)                  ? KSI_TORN_BY_HOST
                                                                               : KSI_TORN_UNKNOWN;
}

/* --- Sentences --- */

void ksiWriteEnergy(const ksiWorldStats *world, ksiText *out)
{
    static const char *const name[KS_ENERGY_COUNT] = {
        "weight",         "motors",      "stops",   "joints",
        "contacts",       "host forces", "damping", "integration and callbacks",
        "set by the host"};
    double of[KS_ENERGY_COUNT];
    const double unseen = ksiEnergyOf(&world->energy, of), given = givenEnergy(of);
    // nothing moved
    if (!(given > 0))
        return;
    ksiText words = {.allocator = out->allocator};
    ksiTextAdd(&words, "Kinetic energy from %.4g to %.4g J, by", world->energy.begin, world->energy.end);
    const char *between = "";
    for (int i = 0; i < KS_ENERGY_COUNT; i++) {
        if (!(fabs(of[i]) > ksiRoundedEnergy * given))
            continue;
        ksiTextAdd(&words, "%s %s %+.4g", between, name[i], of[i]);
        between = ",";
    }
    if (unseen != 0)
        ksiTextAdd(&words, "%s steps that were not inspected %+.4g", between, unseen);
    ksiTextAdd(&words, ".");
    ksiTextAdd(out, "\n");
    ksiTextAddParagraph(out, &words);
}

void ksiWriteGaps(const ksiWorldView *world, ksiText *out)
{
    bool isFirst = true;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiGap *gap = world->worstFirst[i]->stats->gap;
        if (!gap[KSI_APART].isKnown)
            continue;
        ksiTextAdd(out, "%s    ", isFirst ? "\n  Largest gaps of joints:\n" : "");
        isFirst = false;
        ksiTextAddColumn(out, world->worstFirst[i]->name, KSI_NAME_COLUMNS);
        ksiTextAdd(out, " %.3g m at %.5g s, %.3g rad at %.5g s\n", gap[KSI_APART].value, gap[KSI_APART].time,
                   gap[KSI_TURNED].value, gap[KSI_TURNED].time);
    }
}

void ksiWriteOpening(const ksiOpening *opening, ksiText *out)
{
    ksiTextAdd(out, "at %.5g s (step %llu) by %.3g m and %.3g rad, on bodies of size %.3g m", opening->time,
               (unsigned long long)opening->step, opening->gap[KSI_APART], opening->gap[KSI_TURNED], opening->size);
}

/* "hinge 1 comes apart, and then 2 more: at 0.22 s (step 11) by ...": names the first joint with
 * this cause. Writes nothing if no joint has it. */
static void writeFirst(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiTear tear,
                       ksiText *out)
{
    const ksiJointView *first = NULL;
    size_t others = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointView *joint = &world->joint[i];
        if (!ksiIsTold(view, world, finding, joint) || ksiTearOf(view, world->stats, joint->stats) != tear)
            continue;
        others += first != NULL;
        first = !first || joint->stats->opening.step < first->stats->opening.step ? joint : first;
    }
    if (!first)
        return;
    const ksiOpening *opening = &first->stats->opening;
    ksiTextAdd(out, "%s comes apart", first->name);
    if (others > 0)
        ksiTextAdd(out, ", and then %zu more", others);
    ksiTextAdd(out, ": ");
    ksiWriteOpening(opening, out);
    ksiTextAdd(out, ". ");
    if (tear == KSI_TORN_BY_FUDGE)
        ksiTextAdd(
            out,
            "Its motor drove away from a stop, where the engine applies all of its dParamFMax at any speed: "
            "%.3g J in the step before. Set a smaller dParamFudgeFactor; with 0 no load is lifted off the stop.\n",
            opening->fudgeWork);
}

uint64_t ksiWriteTears(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    static const char *const why[KSI_TEARS] = {
        [KSI_TORN_FROM_START] = "It was apart in its first step: its anchors contradict other joints, or its bodies "
                                "were moved after it was created.\n",
        [KSI_TORN_UNSOLVED] = "Its force was not solved there, so the engine let it open: it needs more iterations, or "
                              "more similar masses.\n",
        [KSI_TORN_DISABLED] = "It was disabled before (dJointDisable), so nothing held it.\n",
        [KSI_TORN_BY_HOST] = "Forces and torques of the host supplied most of the energy. Look for a control loop that "
                             "pushes along the velocity.\n",
        [KSI_TORN_UNKNOWN] =
            "The cause is unknown: look at the energy balance, and check whether the host moved its bodies.\n"};
    uint64_t form = 0;
    for (int tear = 0; tear < KSI_TEARS; tear++) {
        const size_t begun = out->length;
        writeFirst(view, world, finding, (ksiTear)tear, out);
        if (out->length == begun)
            continue;
        form |= UINT64_C(1) << tear;
        if (why[tear])
            ksiTextAdd(out, "%s", why[tear]);
    }
    return form;
}

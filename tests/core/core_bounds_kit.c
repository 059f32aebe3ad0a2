/* core_bounds_kit.c  Rows at bounds, and blows, by plugin/core/ and by the library: see core_kit.h. */
#include "core/bounds.h"
#include "inspector/publish/wrench_norm.h"
#include "tests/core/core_kit_private.h"

/* Impulses of a blow: a stop of the library's that pulls by less than this is held. */
static const double kStruck = 1e-9;

/* The search as the inspector begins it; rows that depend are those of `rank`. */
static ksStatus coreSearch(CoreTwin *twin, const ksiStep *step, int index, ksiCoreBounds *found)
{
    const ksiIsland *island = &step->island[index];
    const double tolerance = step->options.rankTolerance;
    ksStatus status = KS_ERROR_UNAVAILABLE;
    twin->isBounded = true;
    coreForces(twin, step, island);
    for (int tries = 0; status == KS_ERROR_UNAVAILABLE; tries++) {
        coreSet(twin, step, island, CORE_DISCRETE);
        status = ksiCoreBound(&twin->core, twin->core.closings > 0 ? tolerance * tolerance : 0, found);
        if (status != KS_ERROR_UNAVAILABLE)
            break;
        ck_assert_int_lt(tries, 4);
        twin->plan[twin->core.culprit].isCarried = true;
        corePlan(twin, step, island);
    }
    twin->isBounded = false;
    return status;
}

/* Where rounding decides, either place is right: the forces are the same. */
static void compareBounded(const CoreTwin *twin, const ksiStep *step, const ksiIsland *island, CoreTally *tally)
{
    double motion, load = coreLargest(twin, &motion);
    load = fmax(load, motion);
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiPlaces *places = &step->convergedPlaces[joint];
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0, r = 0, inside = 0; l < step->joint[joint].rows.count; l++) {
            if (places->place[l] == KS_INACTIVE)
                continue;
            const bool isInside = places->place[l] == KS_INSIDE;
            const double theirs = isInside                        ? twin->multiplier[twin->row[i][inside]]
                                  : places->place[l] == KS_AT_LOW ? places->low[l]
                                                                  : places->high[l];
            const double size = fmax(sqrt(c->size2[r]), 1 / sqrt(c->length2[r]));
            keep(&tally->same, fabs(c->lambda[r][0] - theirs) / (size * load));
            tally->atBounds += (int)(c->known >> r & 1u);
            tally->rows++;
            inside += isInside;
            r++;
        }
    }
    for (int i = 0; i < twin->core.links; i++)
        for (int k = 0; k < 6; k++)
            keep(&tally->motion, fabs(twin->core.link[i].y[k][0] - twin->y[6 * twin->core.link[i].body + k]) / load);
}

static void coreCompareBounded(CoreTwin *twin, const ksiStep *step, int island, CoreTally *tally)
{
    ksiCoreBounds found;
    coreTake(twin, step, island, CORE_DISCRETE);
    coreSet(twin, step, &step->island[island], CORE_DISCRETE);
    if (!coreSolveSystem(twin, step, island, CORE_DISCRETE)) {
        tally->left++;
        return;
    }
    CHECK_OK(coreSearch(twin, step, island, &found));
    ksiCoreInverse(&twin->core);
    const ksiCertificate certificate = coreRefine(twin);
    tally->solutions += found.solutions;
    tally->searched++;
    ksiCoreCertifyBounds(&twin->core, 0, &found);
    keep(&tally->violation, found.violation);
    keep(&tally->missed, rootOf(certificate.missed2[0], certificate.rounding2[0]));
    compareBounded(twin, step, &step->island[island], tally);
}

void coreSetBounds(CoreTwin *twin, const ksInspector *inspector, int index)
{
    const ksiStep *step = &inspector->step;
    coreTake(twin, step, index, CORE_DISCRETE);
    twin->isBounded = true;
    coreForces(twin, step, &step->island[index]);
    coreSet(twin, step, &step->island[index], CORE_DISCRETE);
    twin->isBounded = false;
}

void coreCompareBounds(CoreTwin *twin, const ksInspector *inspector, CoreTally *tally)
{
    const ksiStep *step = &inspector->step;
    for (int i = 0; i < (int)step->islands->count; i++)
        if (step->islandConverged[i].isSolved && step->island[i].isBounded)
            coreCompareBounded(twin, step, i, tally);
}

void coreJudgeBounds(const char *name, bool isBlow, const CoreTally *tally)
{
    printf("%s: %d islands (%d not compared), %d sets, %d of %d rows at bounds: same %.1e motion %.1e missed %.1e "
           "violation %.1e\n",
           name, tally->searched, tally->left, tally->solutions, tally->atBounds, tally->rows, tally->same,
           tally->motion, tally->missed, tally->violation);
    ck_assert_double_lt(tally->same, isBlow ? kStruck : kSame);
    ck_assert_double_lt(tally->motion, isBlow ? kStruck : kSame);
    ck_assert_double_lt(tally->missed, kRounding);
    // the violation of a stop that is barely left has no scale in its row: the library's solution is the truth, and the violation is printed
}

/* --- Blows --- */

/* Rows of an impact in place of those of the step. */
static void coreStrikeRows(CoreTwin *twin, const ksiStep *step, const ksiIsland *island)
{
    KSI_EACH_JOINT (step, island, i, joint) {
        ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        ksiCoreBeginRows(c, step->joint[joint].rows.count);
        for (int l = 0; l < c->rows; l++) {
            const ksiRow *row = &step->joint[joint].rows.row[l];
            const bool isFriction = row->findex >= 0;
            ksiCoreSetRow(c, l, step->joint[joint].scaled[l]);
            c->compliance[l] = row->cfm > step->options.rigidCfm ? row->cfm / step->h : 0;
            ksiCoreStrikeRow(c, l, isFriction ? 0 : row->lo, isFriction ? 0 : row->hi, step->joint[joint].rate[l]);
        }
    }
}

static ksStatus coreStrike(CoreTwin *twin, const ksiStep *step, int index, const double *impulse, ksiCoreBounds *found)
{
    const double tolerance = step->options.rankTolerance;
    ksStatus status;
    for (int tries = 0;; tries++) {
        for (int i = 0; i < twin->core.links; i++)
            for (int k = 0; k < 6; k++)
                twin->core.link[i].force[k] = (ksiFour){impulse[6 * twin->core.link[i].body + k]};
        coreStrikeRows(twin, step, &step->island[index]);
        status = ksiCoreBound(&twin->core, twin->core.closings > 0 ? tolerance * tolerance : 0, found);
        if (status != KS_ERROR_UNAVAILABLE)
            return status;
        ck_assert_int_lt(tries, 4);
        twin->plan[twin->core.culprit].isCarried = true;
        corePlan(twin, step, &step->island[index]);
    }
}

/* Jumps of the bodies' momenta by either, and the impulses of joints that are unique: within the bars of loops, and theirs. */
static void compareStruck(const CoreTwin *twin, const ksiStep *step, int index, const ksImpact *impact, double struck,
                          CoreTally *tally)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_ISLAND_BODY (step, island, i, body) {
        const ksiRigidRoot *root = &step->body[body].begin.root;
        const ksBodyImpact *theirs = &impact->body[i];
        const ksiCoreLink *link = &twin->core.link[twin->core.linkOf.at[i]];
        double apart = 0, open = root->mass * (theirs->bar[0] + theirs->bar[1]);
        double u[6], y[6];
        for (int k = 0; k < 6; k++)
            u[k] = theirs->after[k] - theirs->before[k];
        for (int k = 0; k < 3; k++) {
            y[k] = root->mass * u[k];
            y[3 + k] = root->inertia[k] * u[3] + root->inertia[3 + k] * u[4] + root->inertia[6 + k] * u[5];
        }
        for (int k = 0; k < 6; k++)
            apart = fmax(apart, fabs(link->y[k][0] - y[k]));
        keep(&tally->motion, fmax(0, apart - (island->isTree ? 0 : open)) / struck);
    }
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        const ksJointImpact *theirs = &impact->joint[i];
        // the world has none
        const int side = isnan(theirs->impulse[0].force[0]);
        double lambda[KSI_CORE_ROWS], size[2] = {0};
        ksWrench wrench[2];
        if (!theirs->isUnique)
            continue;
        for (int l = 0; l < c->rows; l++) {
            const double *jacobian = step->joint[joint].rows.row[l].jacobian[side];
            const double relaxed = c->length2[l] > 0 ? sqrt(fmax(c->size2[l], 1 / c->length2[l])) : 0;
            lambda[l] = c->lambda[l][0];
            for (int part = 0; part < 2; part++)
                size[part] += relaxed * ksiSize(jacobian + 3 * part, 3);
        }
        ksiReactionWrenches(&step->joint[joint], lambda, wrench);
        for (int part = 0; part < 2; part++)
            for (int k = 0; size[part] > 0 && k < 3; k++) {
                const double ours = part ? wrench[side].torque[k] : wrench[side].force[k],
                             apart =
                                 fabs(ours - (part ? theirs->impulse[side].torque[k] : theirs->impulse[side].force[k]));
                keep(&tally->same, fmax(0, apart - theirs->bar[part]) / (size[part] * struck));
            }
        tally->rows += c->rows;
        for (int l = 0; l < c->rows; l++)
            tally->atBounds += (int)(c->known >> l & 1u);
    }
}

void coreCompareBlow(CoreTwin *twin, ksInspector *inspector, const ksBlow *blow, CoreTally *tally)
{
    static double impulse[6 * CORE_BODIES];
    const ksiStep *step = &inspector->step;
    ksImpact impact;
    ksiCoreBounds found;
    int body;
    double direction[6], wrench[6], struck = 0;
    if (ksInspectorSolveImpulse(inspector, blow, 1, &impact) ||
        ksiReadProbe(inspector, "blow", &blow->at, &body, direction) || step->bodyMember[body].island < 0) {
        tally->left++;
        return;
    }
    const int index = step->bodyMember[body].island;
    coreTake(twin, step, index, CORE_DISCRETE);
    memset(impulse, 0, sizeof impulse);
    for (int k = 0; k < 6; k++)
        wrench[k] = blow->impulse * direction[k];
    double *scaled = impulse + 6 * step->bodyMember[body].block;
    ksiScaleWrench(&step->body[body], wrench, scaled);
    for (int k = 0; k < 6; k++)
        struck += scaled[k] * scaled[k];
    CHECK_OK(coreStrike(twin, step, index, impulse, &found));
    ksiCoreInverse(&twin->core);
    const ksiCertificate certificate = coreRefine(twin);
    ksiCoreCertifyBounds(&twin->core, 0, &found);
    tally->searched++;
    tally->solutions += found.solutions;
    keep(&tally->violation, found.violation);
    if (step->island[index].isTree)
        keep(&tally->missed, rootOf(certificate.missed2[0], certificate.rounding2[0]));
    compareStruck(twin, step, index, &impact, sqrt(struck), tally);
}

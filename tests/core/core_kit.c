/* core_kit.c  Islands of a step as plugin/core/ has them, against both routes of plugin/mechanics/:
 * see core_kit.h. */
#include "tests/core/core_kit.h"
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

#include <float.h>

/* Of multipliers in units of |w_l|, in which an error of the motion enters them, and of motions,
 * relative to the largest of an island. Both sides lose a few digits to long chains and to unequal
 * masses. */
static const double kSame = 5e-12;
/* The certificate's residual is a few times the rounding of all terms. */
static const double kRounding = 4;
/* |w_l| by two recursions; ours is less than with the parent at rest, and loses the digits of the
 * difference. A bar needs only a few digits. */
static const double kSize = 1e-3;
/* |B n| of a unit self-stress: rounding, and the drift of rows that are dependent within the
 * tolerance of 1e-4. */
static const double kMotion = 1e-4;
/* Above this, only the tolerance makes it a self-stress, and its loads depend on its exact
 * direction. */
static const double kDrift = 1e-12;

static inline void keep(double *most, double value)
{
    ck_assert(!isnan(value));
    *most = fmax(*most, value);
}

/* of terms that sum to 0 */
static inline double rootOf(double share, double whole)
{
    return share > 0 ? sqrt(share / whole) : 0;
}

CoreTwin *coreTwin(void)
{
    CoreTwin *twin = calloc(1, sizeof *twin);
    ck_assert_ptr_nonnull(twin);
    ksiCoreInit(&twin->core, NULL);
    CHECK_OK(ksSystemCreate(&twin->system));
    return twin;
}

void coreTwinFree(CoreTwin *twin)
{
    ksiCoreFree(&twin->core);
    ksSystemDestroy(twin->system);
    free(twin);
}

static bool coreIsInside(const ksiStep *step, int joint, int l)
{
    return step->convergedPlaces[joint].place[l] == KS_INSIDE;
}

/* Forces on the bodies, including the forces of rows at bounds, which the core does not have. */
static void coreForces(CoreTwin *twin, const ksiStep *step, const ksiIsland *island)
{
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        ksiForceOnBody(step, body, twin->force + 6 * i);
    KSI_EACH_ROW (step, island, i, joint, l) {
        const ksiPlaces *places = &step->convergedPlaces[joint];
        const double bound = places->place[l] == KS_AT_LOW ? places->low[l] : places->high[l];
        int block[2];
        ksiBlocksOf(step, joint, block);
        if (places->place[l] == KS_INSIDE || places->place[l] == KS_INACTIVE)
            continue;
        KSI_EACH_BODY (block, side, b)
            for (int k = 0; k < 6; k++)
                twin->force[6 * b + k] += bound * step->joint[joint].rows.row[l].jacobian[side][k];
    }
}

/* beta of two columns, and s, of a row: the same for core and system. */
static void coreSides(const ksiStep *step, CoreEquations equations, int joint, int l, double beta[2], double *s)
{
    double discrete[KSI_MAX_ROWS];
    int block[2];
    ksiRightHandSides(step, joint, step->joint[joint].rate, discrete);
    ksiBlocksOf(step, joint, block);
    beta[0] = beta[1] = 0;
    KSI_EACH_BODY (block, side, b)
        for (int k = 0; k < 6; k++) {
            beta[0] += step->joint[joint].scaled[l][6 * side + k] * 5 * sin(7 * b + k);
            beta[1] += step->joint[joint].scaled[l][6 * side + k] * 3 * cos(5 * b + k);
        }
    if (equations == CORE_DISCRETE)
        beta[0] = discrete[l];
    const double cfm = step->joint[joint].rows.row[l].cfm;
    *s = equations == CORE_DISCRETE || cfm > step->options.rigidCfm ? cfm / step->h : 0;
}

static void corePlan(CoreTwin *twin, const ksiStep *step, const ksiIsland *island)
{
    double mass[CORE_BODIES];
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        mass[i] = step->body[body].begin.root.mass;
    KSI_EACH_JOINT (step, island, i, joint) {
        ksiCoreJoint *plan = &twin->plan[i];
        ksiBlocksOf(step, joint, plan->body);
        plan->rows = step->joint[joint].rows.count;
    }
    CHECK_OK(ksiCorePlan(&twin->core, twin->bodies, mass, twin->joints, twin->plan));
}

/* Sets the core's rows, forces and compliances. Column 1 has other right-hand sides. */
static void coreSet(CoreTwin *twin, const ksiStep *step, const ksiIsland *island, CoreEquations equations)
{
    KSI_EACH_ISLAND_BODY (step, island, i, body) {
        const ksiRigidRoot *root = &step->body[body].begin.root;
        ksiCoreLink *link = &twin->core.link[twin->core.linkOf.at[i]];
        double scaled[6], force[8] = {0};
        memcpy(force, twin->force + 6 * i, 6 * sizeof *force);
        ksiScaleByRoot(root, force, force + 3, scaled);
        link->weight2 = root->mass * root->mass;
        for (int k = 0; k < 6; k++)
            link->force[k] = (ksiFour){scaled[k], 0.5 * scaled[5 - k]};
    }
    KSI_EACH_JOINT (step, island, i, joint) {
        ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        int rows = 0;
        for (int l = 0; l < step->joint[joint].rows.count; l++)
            rows += coreIsInside(step, joint, l);
        ksiCoreBeginRows(c, rows);
        for (int l = 0, r = 0; l < step->joint[joint].rows.count; l++) {
            double beta[2], s;
            if (!coreIsInside(step, joint, l))
                continue;
            coreSides(step, equations, joint, l, beta, &s);
            ksiCoreSetRow(c, r, step->joint[joint].scaled[l]);
            c->compliance[r] = s;
            c->beta[r] = (ksiFour){beta[0], beta[1]};
            twin->reference[i][r++] = step->report[joint].multiplier[l];
        }
    }
}

/* Sets the same in the system. */
static void coreSetSystem(CoreTwin *twin, const ksiStep *step, const ksiIsland *island, CoreEquations equations)
{
    twin->rows = 0;
    CHECK_OK(ksiBeginSystem(step, island, island->rowCount, twin->system));
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        ksiSystemAddBody(twin->system, &step->body[body].begin.root, twin->force + 6 * i,
                         step->body[body].begin.velocity);
    KSI_EACH_JOINT (step, island, i, joint) {
        ksiJointTerms terms = {.count = 0};
        double length[KSI_JOINT_ROWS];
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            if (!coreIsInside(step, joint, l))
                continue;
            terms.scaled[terms.count] = step->joint[joint].scaled[l];
            double beta[2];
            coreSides(step, equations, joint, l, beta, &terms.compliance[terms.count]);
            terms.beta[terms.count] = beta[0];
            twin->row[i][terms.count++] = twin->rows++;
        }
        ksiSystemAddJoint(twin->system, twin->plan[i].body, &terms, length);
    }
}

/* Fills core and system with an island. */
static void coreTake(CoreTwin *twin, const ksiStep *step, int index, CoreEquations equations)
{
    const ksiIsland *island = &step->island[index];
    ck_assert_int_le(island->bodyCount, CORE_BODIES);
    ck_assert_int_le(island->jointCount, CORE_JOINTS);
    if (twin->joints != island->jointCount)
        memset(twin->plan, 0, sizeof twin->plan);
    twin->bodies = island->bodyCount;
    twin->joints = island->jointCount;
    coreForces(twin, step, island);
    corePlan(twin, step, island);
    coreSetSystem(twin, step, island, equations);
}

/* Rank and self-stresses, from the rows without the compliance that counts as zero. Rows that
 * cannot be eliminated in their place belong to joints that are carried to the root. */
static void coreStress(CoreTwin *twin, const ksiStep *step, int index, double *motion)
{
    const ksiIsland *island = &step->island[index];
    const double tolerance = step->options.rankTolerance;
    for (int tries = 0;; tries++) {
        coreSet(twin, step, island, CORE_RIGID);
        if (!ksiCoreRank(&twin->core, tolerance * tolerance))
            break;
        ck_assert_int_lt(tries, 4);
        twin->plan[twin->core.culprit].isCarried = true;
        corePlan(twin, step, island);
    }
    ksiCoreMotion found;
    CHECK_OK(ksiCoreStress(&twin->core, &found));
    *motion = found.one;
}

/* Multipliers of the system by the null-space route, with the engine's self-stress, and its
 * motion. */
static bool coreSolveSystem(CoreTwin *twin, const ksiStep *step, int index, CoreEquations equations)
{
    static double acceleration[6 * CORE_BODIES], reference[CORE_MOST];
    // the first call treats small compliances as zero
    if (equations == CORE_RIGID ? ksiSystemSolveLeastNorm(twin->system, twin->multiplier, acceleration)
                                : ksiSystemSolvePaulus(twin->system, twin->multiplier, acceleration))
        return false;
    for (int i = 0; i < twin->joints; i++)
        for (int l = 0; l < ksiCoreConstraint(&twin->core, i)->rows; l++)
            reference[twin->row[i][l]] = twin->reference[i][l];
    if (ksiSystemProjectSelfStress(twin->system, reference, twin->multiplier))
        return false;
    KSI_EACH_ISLAND_BODY (step, &step->island[index], i, body) {
        const ksiRigidRoot *root = &step->body[body].begin.root;
        const double *a = acceleration + 6 * i;
        double *y = twin->y + 6 * i;
        for (int k = 0; k < 3; k++) {
            y[k] = root->mass * a[k];
            y[3 + k] = root->inertia[k] * a[3] + root->inertia[3 + k] * a[4] + root->inertia[6 + k] * a[5];
        }
    }
    return true;
}

static double coreLargest(const CoreTwin *twin, double *motion)
{
    double most = 0;
    *motion = 0;
    for (int i = 0; i < twin->joints; i++) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0; l < c->rows; l++)
            most = fmax(most, sqrt(c->length2[l]) * fabs(twin->multiplier[twin->row[i][l]]));
    }
    for (int k = 0; k < 6 * twin->bodies; k++)
        *motion = fmax(*motion, fabs(twin->y[k]));
    return most;
}

static void compareValues(const CoreTwin *twin, CoreTally *tally)
{
    double motion;
    double load = coreLargest(twin, &motion);
    load = motion = fmax(load, motion);
    for (int i = 0; i < twin->joints; i++) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0; l < c->rows; l++) {
            const double apart = c->lambda[l][0] - twin->multiplier[twin->row[i][l]];
            keep(&tally->same, fabs(apart) / (sqrt(c->size2[l]) * load));
            tally->rows++;
        }
    }
    for (int i = 0; i < twin->core.links; i++)
        for (int k = 0; k < 6; k++)
            keep(&tally->motion, fabs(twin->core.link[i].y[k][0] - twin->y[6 * twin->core.link[i].body + k]) / motion);
}

/* Compares with the published multipliers by Paulus's method. */
static void comparePublished(const CoreTwin *twin, const ksiStep *step, const ksiIsland *island, CoreTally *tally)
{
    double motion, load = coreLargest(twin, &motion);
    load = fmax(load, motion);
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0, r = 0; l < step->joint[joint].rows.count; l++) {
            if (!coreIsInside(step, joint, l))
                continue;
            const double apart = c->lambda[r][0] - step->converged[joint].paulus[l];
            keep(&tally->paulus, fabs(apart) / (sqrt(c->size2[r++]) * load));
            tally->published++;
        }
    }
}

static void compareSizes(CoreTwin *twin, CoreTally *tally)
{
    static double gauss[CORE_MOST], paulus[CORE_MOST], bar[CORE_MOST];
    if (ksiSystemSolveGauss(twin->system, gauss, NULL) || ksiSystemSolvePaulus(twin->system, paulus, NULL))
        return;
    CHECK_OK(ksiSystemErrorBars(twin->system, KSI_STRESS_NONE, gauss, paulus, bar));
    CHECK_OK(ksiSystemExactSizes(twin->system, twin->size));
    for (int i = 0; i < twin->joints; i++) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0; l < c->rows; l++)
            keep(&tally->size, fabs(sqrt(c->size2[l]) / twin->size[twin->row[i][l]] - 1));
    }
}

static void coreSolveIsland(CoreTwin *twin, const ksiStep *step, int island, CoreEquations equations, double *motion)
{
    coreTake(twin, step, island, equations);
    coreStress(twin, step, island, motion);
    coreSet(twin, step, &step->island[island], equations);
    if (equations == CORE_DISCRETE || !twin->core.isRigid)
        CHECK_OK(ksiCoreFactor(&twin->core));
    ksiCoreSweep(&twin->core);
    ksiCoreInverse(&twin->core);
}

void coreRefine(ksiCore *core)
{
    static ksiFour force[CORE_BODIES][6], motion[CORE_BODIES][6], beta[CORE_BODIES + CORE_JOINTS][6],
        lambda[CORE_BODIES + CORE_JOINTS][6];
    for (int i = 0; i < core->links; i++) {
        memcpy(force[i], core->link[i].force, sizeof force[i]);
        memcpy(motion[i], core->link[i].g, sizeof motion[i]);
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        memcpy(beta[i], c->beta, sizeof beta[i]);
        memcpy(lambda[i], c->lambda, sizeof lambda[i]);
        memcpy(c->beta, c->t, sizeof beta[i]);
        memset(c->lambda, 0, sizeof lambda[i]);
    }
    ksiCoreClearForces(core);
    ksiCoreSweep(core);
    for (int i = 0; i < core->links; i++) {
        memcpy(core->link[i].force, force[i], sizeof force[i]);
        for (int k = 0; k < 6; k++)
            core->link[i].y[k] += motion[i][k];
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        memcpy(c->beta, beta[i], sizeof beta[i]);
        for (int l = 0; l < c->rows; l++)
            c->lambda[l] += lambda[i][l];
    }
}

double coreMoved2(const ksiCore *core, int column, double *terms2)
{
    double moved2 = 0;
    *terms2 = 0;
    for (int i = 0; i < core->links; i++) {
        const ksiCoreLink *link = &core->link[i];
        for (int k = 0; k < 6; k++)
            moved2 += (link->g[k][column] - link->y[k][column]) * (link->g[k][column] - link->y[k][column]);
        *terms2 += DBL_EPSILON * DBL_EPSILON * link->terms2[column];
    }
    return moved2;
}

static double coreMoved(const CoreTwin *twin, int column)
{
    double terms2;
    const double moved2 = coreMoved2(&twin->core, column, &terms2);
    return rootOf(moved2, terms2);
}

/* Refines while there is more than rounding: once after a projection in a grid of loops, or for
 * mass ratios of 1e6; twice for 1e9. */
static ksiCertificate coreSettle(CoreTwin *twin)
{
    ksiCertificate found;
    for (int times = 0;; times++) {
        bool isRounding = true;
        ksiCoreCertify(&twin->core, &found);
        // `moved` compares two motions, each with a rounding error
        for (int k = 0; k < 2; k++)
            isRounding &= found.missed2[k] <= found.rounding2[k] && coreMoved(twin, k) <= 2;
        if (isRounding || times == 2)
            return found;
        coreRefine(&twin->core);
    }
}

unsigned coreUndetermined(const ksiCore *core, int joint, double noise)
{
    ksiEight shares[6];
    unsigned found = 0;
    ksiCoreShares(core, joint, shares);
    for (int l = 0; l < ksiCoreConstraint(core, joint)->rows; l++)
        found |= (unsigned)(shares[l].at[l] > noise * noise) << l;
    return found;
}

/* Compares which rows are determined, by the self-stresses of both. */
static void compareFree(const CoreTwin *twin, double noise)
{
    static int determinate[CORE_MOST];
    size_t rank;
    CHECK_OK(ksSystemGetDeterminacy(twin->system, determinate, &rank));
    for (int i = 0; i < twin->joints; i++) {
        const unsigned undetermined = coreUndetermined(&twin->core, i, noise);
        for (int l = 0; l < ksiCoreConstraint(&twin->core, i)->rows; l++)
            ck_assert_int_eq(undetermined >> l & 1u, !determinate[twin->row[i][l]]);
    }
}

static void compareIsland(CoreTwin *twin, const ksiStep *step, int island, CoreEquations equations, CoreTally *tally)
{
    int stresses;
    double motion;
    coreSolveIsland(twin, step, island, equations, &motion);
    const ksiCertificate certificate = coreSettle(twin);
    ck_assert(!ksiSystemCountSelfStresses(twin->system, &stresses));
    ck_assert_int_eq(twin->core.stresses, stresses);
    ck_assert_double_lt(motion, kMotion);
    tally->islands++;
    tally->closed += twin->core.closings > 0;
    tally->stressed += stresses > 0;
    if (motion > kDrift || !coreSolveSystem(twin, step, island, equations)) {
        tally->left++;
        return;
    }
    for (int column = 0; column < 2; column++) {
        keep(&tally->missed, rootOf(certificate.missed2[column], certificate.rounding2[column]));
        keep(&tally->moved, coreMoved(twin, column));
    }
    if (stresses > 0)
        compareFree(twin, ksiSystemStressNoise(twin->system));
    ksiCoreProject(&twin->core, 0, twin->reference);
    compareValues(twin, tally);
    if (equations == CORE_DISCRETE && stresses == 0)
        comparePublished(twin, step, &step->island[island], tally);
    if (stresses == 0)
        compareSizes(twin, tally);
}

void coreCompareStep(CoreTwin *twin, const ksInspector *inspector, CoreTally *tally)
{
    const ksiStep *step = &inspector->step;
    for (int i = 0; i < (int)step->islands->count; i++)
        if (step->islandConverged[i].isSolved && !step->islandPhysical[i].isDrifted) {
            compareIsland(twin, step, i, CORE_DISCRETE, tally);
            compareIsland(twin, step, i, CORE_RIGID, tally);
        }
}

bool coreSolve(CoreTwin *twin, const ksInspector *inspector, int island, CoreEquations equations)
{
    double motion;
    if (!inspector->step.islandConverged[island].isSolved)
        return false;
    coreSolveIsland(twin, &inspector->step, island, equations, &motion);
    return true;
}

void coreCheckSolution(CoreTwin *twin)
{
    const ksiCertificate found = coreSettle(twin);
    ck_assert_double_lt(rootOf(found.missed2[0], found.rounding2[0]), kRounding);
    ck_assert_double_lt(coreMoved(twin, 0), kRounding);
}

void coreJudge(const char *name, const CoreTally *tally)
{
    printf("%s: %d islands (%d closed, %d stressed, %d not compared), %d rows, %d published: same %.1e motion %.1e "
           "paulus %.1e size %.1e missed %.1e moved %.1e\n",
           name, tally->islands, tally->closed, tally->stressed, tally->left, tally->rows, tally->published,
           tally->same, tally->motion, tally->paulus, tally->size, tally->missed, tally->moved);
    ck_assert_int_gt(tally->rows, 0);
    ck_assert(tally->published > 0 || tally->stressed == tally->islands);
    ck_assert_double_lt(tally->same, kSame);
    ck_assert_double_lt(tally->motion, kSame);
    ck_assert_double_lt(tally->paulus, kSame);
    ck_assert_double_lt(tally->size, kSize);
    ck_assert_double_lt(tally->missed, kRounding);
    ck_assert_double_lt(tally->moved, kRounding);
}

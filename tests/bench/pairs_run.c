/* pairs_run.c  Measures one scene of bodies in contact: engine's and physical forces against the
 * truth. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"
#include "pairs.h"

enum { TWIN_EVERY = 20, SEED = 1 };

typedef struct Sums {
    double square[2];               /* squared errors of the engine's and the physical force */
    double *twin[2];                /* errors of both against the twin */
    double apart[CONTACT_PAIRS][3]; /* physical less engine's force, in whole windows where the force is unique */
    long unique[CONTACT_PAIRS];     /* steps of these windows */
    double part[CONTACT_PAIRS][3];  /* of the present window */
    long begun[CONTACT_PAIRS];
    double worst;
    double *bar;
    long steps, known, told, barred, held, valid, open, twins;
} Sums;

static ksInspector *openInspector(const ContactScene *scene, bool isPhysical, double window, ksSubscription *pair)
{
    ksInspectorOptions options = defaultOptions();
    options.contactPhysical = isPhysical;
    ksInspector *inspector = inspectWith(scene->machine.world, &options);
    for (int i = 0; i < scene->count; i++)
        CHECK_OK(ksInspectorPair(inspector, scene->pair[i].on, scene->pair[i].by, window, &pair[i]));
    return inspector;
}

static double square(double x)
{
    return x * x;
}

static const double window = 0.15; /* s */

/* The engine makes up for the missing force of a step in later ones, so only successive steps have
 * a mean. */
static void addApart(Sums *sums, int index, const ContactScene *scene, const ksMean *mean)
{
    const ContactPair *pair = &scene->pair[index];
    const double *engine = mean->wrench.force, *physical = mean->physical.force;
    double *part = sums->part[index];
    const bool isUnique = mean->physicalVerdict != KS_INDETERMINATE && !isnan(engine[0]) && !isnan(physical[0]);
    sums->begun[index] = isUnique ? sums->begun[index] + 1 : 0;
    for (int k = 0; k < 3; k++) {
        const bool isOpen = !isnan(contactError(pair, engine)) && isnan(pair->low[k]);
        part[k] = (sums->begun[index] > 1 ? part[k] : 0) + (isOpen ? 0 : (physical[k] - engine[k]) / pair->load);
    }
    if ((double)sums->begun[index] * scene->h < window - scene->h / 2)
        return;
    sums->unique[index] += sums->begun[index];
    sums->begun[index] = 0;
    for (int k = 0; k < 3; k++)
        sums->apart[index][k] += part[k];
}

static void addPair(Sums *sums, int index, const ContactScene *scene, const ksMean *mean)
{
    const ContactPair *pair = &scene->pair[index];
    const double *engine = mean->wrench.force, *physical = mean->physical.force;  // forces of the same step
    const double error[2] = {contactError(pair, engine) / pair->load, contactError(pair, physical) / pair->load};
    sums->steps++;
    sums->valid += mean->physicalVerdict == KS_VALID;
    sums->open += mean->physicalVerdict == KS_INDETERMINATE;
    addApart(sums, index, scene, mean);
    if (isnan(engine[0]) || isnan(physical[0]))
        return;
    sums->known++;
    if (isnan(error[0]))
        return;
    sums->told++;
    for (int i = 0; i < 2; i++)
        sums->square[i] += square(error[i]);
    sums->worst = fmax(sums->worst, error[1]);
    if (isnan(mean->physicalBar.force[0] + mean->physicalBar.force[1] + mean->physicalBar.force[2]))
        return;
    double bar = 0;
    for (int k = 0; k < 3; k++)
        bar += isnan(pair->low[k]) ? 0 : square(mean->physicalBar.force[k]);
    sums->bar[sums->barred++] = sqrt(bar) / pair->load;
    sums->held += contactIsHeld(pair, physical, mean->physicalBar.force, scene->form->own * pair->load);
}

/* The distance in the components that the truth knows; the others are open. */
static double apart(const ContactPair *pair, const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += isnan(pair->low[k]) ? 0 : square(a[k] - b[k]);
    return sqrt(sum) / pair->load;
}

static void addTwin(Sums *sums, const ContactPair *pair, const double truth[3], const ksMean *mean)
{
    if (isnan(mean->physical.force[0]))
        return;
    sums->twin[0][sums->twins] = apart(pair, mean->wrench.force, truth);
    sums->twin[1][sums->twins++] = apart(pair, mean->physical.force, truth);
}

static double median(double *value, long count)
{
    benchSort(value, (size_t)count);
    return count ? value[count / 2] : NAN;
}

static double root(double sum, long count)
{
    return count > 0 ? sqrt(sum / (double)count) : NAN;
}

static double share(long part, long all)
{
    return all > 0 ? (double)part / (double)all : NAN;
}

static void summarise(Sums *sums, double figure[PAIRS_FIGURES])
{
    double bias = NAN;
    for (int i = 0; i < CONTACT_PAIRS; i++)
        if (sums->unique[i] > 0)
            bias = fmax(bias, length3(sums->apart[i]) / (double)sums->unique[i]);
    figure[PAIRS_ENGINE] = root(sums->square[0], sums->told);
    figure[PAIRS_PHYSICAL] = root(sums->square[1], sums->told);
    figure[PAIRS_WORST] = sums->told ? sums->worst : NAN;
    figure[PAIRS_BARRED] = share(sums->barred, sums->told);
    figure[PAIRS_HELD] = share(sums->held, sums->barred);
    figure[PAIRS_BAR] = median(sums->bar, sums->barred);
    figure[PAIRS_BIAS] = bias;
    figure[PAIRS_VALID] = share(sums->valid, sums->steps);
    figure[PAIRS_OPEN] = share(sums->open, sums->steps);
    figure[PAIRS_TWINS] = (double)sums->twins;
    figure[PAIRS_TWIN_ENGINE] = median(sums->twin[0], sums->twins);
    figure[PAIRS_TWIN_PHYSICAL] = median(sums->twin[1], sums->twins);
}

static bool isLookedAt(const ContactScene *s)
{
    return s->time > s->form->from;
}

static void compare(const PairsCase *what, double figure[PAIRS_FIGURES])
{
    ksSubscription id[CONTACT_PAIRS];
    dRandSetSeed(SEED);
    ContactScene scene = contactSceneBegin(what->form, what->ground, what->stepSize);
    ContactScene twin = contactSceneBegin(what->form, what->ground, what->stepSize);
    ksInspector *inspector = openInspector(&scene, true, what->stepSize, id);
    const long steps = lround(what->form->until / what->stepSize);
    const size_t most = (size_t)(steps * scene.count);
    double *room = calloc(3 * most, sizeof *room);
    ck_assert_ptr_nonnull(room);
    Sums sums = {.bar = room, .twin = {room + most, room + 2 * most}};
    for (long n = 0; n < steps; n++) {
        const bool hasTwin =
            what->form->hasTwin && what->ground == GROUND_LAYER && isLookedAt(&scene) && n % TWIN_EVERY == 0;
        double truth[CONTACT_PAIRS][3];
        bool isTold[CONTACT_PAIRS] = {false};
        for (int i = 0; i < scene.count && hasTwin; i++)
            isTold[i] = contactTwin(&scene, &twin, &scene.pair[i], truth[i]);
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        for (int i = 0; i < scene.count && isLookedAt(&scene); i++) {
            ksMean mean;
            CHECK_OK(ksInspectorGetMean(inspector, id[i], &mean));
            addPair(&sums, i, &scene, &mean);
            if (isTold[i])
                addTwin(&sums, &scene.pair[i], truth[i], &mean);
        }
    }
    summarise(&sums, figure);
    free(room);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&twin);
    contactSceneEnd(&scene);
}

/* --- Cost --- */

typedef enum Way { PLAIN, INSPECTED, WITH_PAIRS, WAYS } Way;

/* s per step, mean over the measured steps */
static double timeOf(const PairsCase *what, Way way)
{
    ksSubscription id[CONTACT_PAIRS];
    double sum = 0;
    long count = 0;
    dRandSetSeed(SEED);
    ContactScene scene = contactSceneBegin(what->form, what->ground, what->stepSize);
    ksInspector *inspector = way == PLAIN ? NULL : openInspector(&scene, way == WITH_PAIRS, 0.15, id);
    while (scene.time < what->form->until) {
        contactSceneBefore(&scene);
        const double begin = benchNow(CLOCK_THREAD_CPUTIME_ID);
        if (inspector)
            CHECK_OK(ksInspectorQuickStep(inspector, scene.h));
        else
            dWorldQuickStep(scene.machine.world, scene.h);
        const double seconds = benchNow(CLOCK_THREAD_CPUTIME_ID) - begin;
        contactSceneAfter(&scene);
        sum += isLookedAt(&scene) ? seconds : 0;
        count += isLookedAt(&scene);
    }
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
    return sum / (double)count;
}

void pairsRun(const PairsCase *what, double figure[PAIRS_FIGURES])
{
    compare(what, figure);
    figure[PAIRS_COST] = NAN;
    if (what->isTimed)
        figure[PAIRS_COST] = (timeOf(what, WITH_PAIRS) - timeOf(what, INSPECTED)) / timeOf(what, PLAIN);
}

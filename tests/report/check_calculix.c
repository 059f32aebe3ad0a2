/* check_calculix.c  Load cases and series of a rod, solved by CalculiX: stresses against closed
 * forms, and a support that carries almost nothing. */
#define _GNU_SOURCE
#include "tests/kits/crank_kit.h"

static void writeDocument(const char *file, const ksiText *text)
{
    FILE *out = fopen(in(file), "w");
    ck_assert(!text->isShort && fputs(text->at, out) >= 0 && fclose(out) == 0);
}

/* A model stands on three feet: at the bottom, or at the top. */
enum { SUPPORTS = 2, FEET = 3 };

static unsigned footOf(int support, int foot)
{
    return nodeAt(foot == 1 ? 2 * ALONG : 0, foot == 2 ? 2 * ACROSS : 0, support == 0 ? 0 : 2 * ACROSS);
}

static const double steel = 2.1e11; /* Pa */
static double elasticity = steel;

static void writeModel(int support)
{
    FILE *out = fopen(in("model.inp"), "w");
    fputs("*INCLUDE, INPUT=mesh.inp\n*MATERIAL, NAME=STEEL\n*ELASTIC\n", out);
    fprintf(out, "%.17g, 0.3\n", elasticity);
    fprintf(out, "*DENSITY\n%.17g\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n", density);
    fprintf(out, "*NSET, NSET=CRANK_PIN\n%u\n*NSET, NSET=WRIST_PIN\n%u\n", nodeAt(0, ACROSS, ACROSS),
            nodeAt(2 * ALONG, ACROSS, ACROSS));
    fprintf(out, "*NSET, NSET=FEET\n%u, %u, %u\n", footOf(0, 0), footOf(0, 1), footOf(0, 2));
    fprintf(out, "*BOUNDARY\n%u, 1, 3\n%u, 2, 3\n%u, 3\n", footOf(support, 0), footOf(support, 1), footOf(support, 2));
    // the four elements of a cross-section
    fprintf(out, "*ELSET, ELSET=SECTION, GENERATE\n%d, %d\n", 4 * (ALONG / 2) + 1, 4 * (ALONG / 2) + 4);
    fputs("*INCLUDE, INPUT=cases.inp\n", out);
    fclose(out);
}

/* The stress along the rod at a place in it, by the closed form of the load beyond. */
static double stressAt(const Truth *t, double x, double z)
{
    const double area = side * side, second = area * area / 12, line = rodMass() / rodLength, end = rodLength / 2;
    const double down[2] = {0, -gravity};
    double g[2], a[2];
    toRod(t, down, g);
    toRod(t, t->acceleration, a);
    // of the load per length: N/m at x, and its gradient
    const double along = line * (g[0] - a[0]), across = line * (g[1] - a[1]);
    const double alongGrows = line * t->rate * t->rate, acrossGrows = -line * t->turning, rest = end - x;
    const double normal = t->own[1][0] + along * rest + alongGrows * (end * end - x * x) / 2;
    const double bending = rest * t->own[1][1] + across * rest * rest / 2 +
                           acrossGrows * ((end * end * end - x * x * x) / 3 - x * (end * end - x * x) / 2) -
                           density * second * t->turning * rest;
    return normal / area - bending * z / second;
}

enum { MOST_CASES = 10 };

/* For each case: forces of the lower feet, including loads, and the largest error of a stress as a
 * share of the largest stress. */
typedef struct Results {
    double foot[MOST_CASES][FEET][3], stressError[MOST_CASES];
    size_t cases;
} Results;

static void addStress(const Truth *t, int element, int point, double stress, double *off, double *largest)
{
    static const double gauss = 0.5773502691896258;
    const double x = rodLength * ((element / 4 + (1 + (point % 2 ? gauss : -gauss)) / 2) / ALONG - 0.5);
    const double z = side * ((element / 2 % 2 + (1 + (point / 4 ? gauss : -gauss)) / 2) / ACROSS - 0.5);
    *largest = fmax(*largest, fabs(stressAt(t, x, z)));
    *off = fmax(*off, fabs(stress - stressAt(t, x, z)));
}

static Results readResults(const ksiLoadCases *cases)
{
    FILE *file = fopen(in("model.dat"), "r");
    char line[256];
    bool isStress = false;
    int foot = 0;
    double largest = 0, off = 0;
    Results r = {.cases = 0};
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        int number, point;
        double v[3];
        if (strstr(line, "forces (fx,fy,fz)")) {
            ck_assert_uint_lt(r.cases, cases->count);
            r.cases++;
            isStress = false;
            foot = 0;
            largest = off = 0;
        } else if (strstr(line, "stresses (elem"))
            isStress = true;
        else if (!isStress && foot < FEET && sscanf(line, "%d %lf %lf %lf", &number, &v[0], &v[1], &v[2]) == 4)
            memcpy(r.foot[r.cases - 1][foot++], v, sizeof v);
        else if (isStress && sscanf(line, "%d %d %lf", &number, &point, &v[0]) == 3) {
            const Truth t = truthAt(angleOf(cases->moment[r.cases - 1]->step));
            addStress(&t, number - 1, point - 1, v[0], &off, &largest);
            r.stressError[r.cases - 1] = off / largest;
        }
    }
    fclose(file);
    ck_assert_uint_eq(r.cases, cases->count);
    return r;
}

static Results solve(const ksiLoadCases *cases, int support)
{
    char command[2 * PATH_SIZE];
    writeModel(support);
    snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 ccx -i model >log", folder);
    ck_assert_int_eq(system(command), 0);
    return readResults(cases);
}

/* The reaction of the feet: their forces where they hold, less the forces of the same nodes where
 * other feet hold. */
static double reactionIn(const Results *held, const Results *loose)
{
    double largest = 0;
    for (size_t i = 0; i < held->cases; i++)
        for (int foot = 0; foot < FEET; foot++)
            for (int k = 0; k < 3; k++)
                largest = fmax(largest, fabs(held->foot[i][foot][k] - loose->foot[i][foot][k]));
    return largest;
}

/* Of the load. */
static const double mostReaction = 1e-6, mostStressError = 0.02;

static bool hasCalculix(void)
{
    const bool has = system("command -v ccx >/dev/null") == 0;
    if (!has)
        puts("skipped: ccx is not installed (Debian: calculix-ccx)");
    return has;
}

static void writeRod(ksiElementMesh *mesh)
{
    static const double here[3] = {0, 0, 0};
    FILE *out = fopen(in("mesh.inp"), "w");
    writeNodes(out, 1);
    writeElements(out, "C3D20R", 20);
    fclose(out);
    readMesh("mesh.inp", 1, here, mesh);
}

#define PRINTED "*NODE PRINT, NSET=FEET\nRF\n*EL PRINT, ELSET=SECTION\nS\n"

/* The rod on its lower feet, and on its upper feet: returns the support's reaction as a share of
 * the largest load. */
static double checkRod(const ksiLoadCases *cases, const char *what)
{
    const Results held = solve(cases, 0), loose = solve(cases, 1);
    double stressError = 0, largest = 0;
    for (size_t i = 0; i < cases->count; i++)
        stressError = fmax(stressError, held.stressError[i]);
    for (size_t i = 0; i < cases->extremeCount; i++)
        largest = fmax(largest, fabs(cases->extreme[i].value));
    const double share = reactionIn(&held, &loose) / largest;
    printf("%zu %s in CalculiX: the support carries %.1e of the load, stresses are off by %.2g %%\n", cases->count,
           what, share, 100 * stressError);
    ck_assert(stressError <= mostStressError);
    return share;
}

START_TEST(calculix_finds_the_stress_of_a_rod)
{
    ksiLoadCases cases;
    ksiElementMesh mesh;
    ksiText deck = {.allocator = &ksiLibraryAllocator};
    const ksiCaseOptions options = rodOptions();
    if (!hasCalculix())
        return;
    recordCrank("run.h5");
    findCases("run.h5", &options, &cases);
    writeRod(&mesh);
    const ksiDeckOptions deckOptions = {.unit = 1, .elements = "BODY", .mesh = &mesh, .step = "*STATIC\n" PRINTED};
    ksiLoadCasesToDeck(&cases, &deckOptions, &deck);
    writeDocument("cases.inp", &deck);
    ck_assert_double_le(checkRod(&cases, "cases"), mostReaction);
    ksiTextFree(&deck);
    ksiMeshFree(&mesh);
    ksiLoadCasesFree(&cases);
}
END_TEST

/* --- Series --- */

enum { EVERY = 20, MOMENTS = STEPS / EVERY };

typedef struct Kept {
    ksiLoadCase *moment[MOMENTS];
    size_t count;
} Kept;

static bool keepMoment(void *user, ksiLoadCase *moment)
{
    Kept *kept = user;
    ck_assert_uint_lt(kept->count, MOMENTS);
    moment->users++;
    kept->moment[kept->count++] = moment;
    return true;
}

/* Only the wrist's load: the reaction of the feet is its opposite at each moment, by the closed
 * form. */
static void checkWrist(const ksiLoadCases *series)
{
    const Results r = solve(series, 0);
    double off = 0, largest = 0;
    for (size_t i = 0; i < r.cases; i++) {
        const Truth t = truthAt(angleOf(series->moment[i]->step));
        const double load[3] = {t.own[1][0], 0, t.own[1][1]};
        for (int k = 0; k < 3; k++) {
            off = fmax(off, fabs(r.foot[i][0][k] + r.foot[i][1][k] + r.foot[i][2][k] + load[k]));
            largest = fmax(largest, fabs(load[k]));
        }
    }
    printf("%zu moments of one load in CalculiX: the support is off by %.1e of it\n", r.cases, off / largest);
    ck_assert(off <= mostReaction * largest);
}

/* All loads: with NLGEOM they act at the points of the bent rod, so the support's reaction is
 * proportional to the bending. For a rod a hundred times as stiff it is within the limit, and for
 * one again a hundred times as stiff it is a hundredth. */
static void checkWhole(const ksiLoadCases *series)
{
    elasticity = 1e2 * steel;
    const double stiff = checkRod(series, "moments");
    elasticity = 1e4 * steel;
    const double stiffer = checkRod(series, "moments");
    elasticity = steel;
    ck_assert_double_le(stiff, mostReaction);
    ck_assert_double_le(stiffer, 1.5e-2 * stiff);  // results have seven digits
}

static ksiLoadCases keepSeries(Kept *kept)
{
    ksiLoadCases cases;
    static ksiCaseOptions options;  // the result points to it
    options = rodOptions();
    options.every = EVERY;
    options.onMoment = keepMoment;
    options.user = kept;
    recordCrank("run.h5");
    findCases("run.h5", &options, &cases);
    ck_assert_uint_eq(kept->count, MOMENTS);
    return cases;
}

/* All loads in one direction of one node, whatever their names, share one amplitude, their sum. */
START_TEST(loads_of_one_node_share_an_amplitude)
{
    ksiText deck = {.allocator = &ksiLibraryAllocator};
    Kept kept = {.count = 0};
    ksiLoadCases cases = keepSeries(&kept);
    const ksiDeckOptions options = {
        .unit = 1, .elements = "BODY", .node = {{"*", "1001", "1002"}}, .nodeCount = 1, .only = "*pin"};
    ksiSeriesToDeck(&cases, kept.moment, kept.count, &options, &deck);
    const char *card = strstr(deck.at, "\n1001, 1, 1.\n");
    const char *value = strstr(deck.at, "*AMPLITUDE, NAME=A1\n");
    ck_assert_ptr_nonnull(strstr(deck.at, "\n*CLOAD, AMPLITUDE=A1\n1001, 1, 1.\n"));
    ck_assert_ptr_null(strstr(card + 1, "\n1001, 1, 1.\n"));
    ck_assert_ptr_null(strstr(deck.at, "GRAV"));
    for (size_t i = 0; i < kept.count; i++) {
        double time, force, sum = 0;
        value = strchr(value + 1, '\n');
        ck_assert_int_eq(sscanf(value, "%lf, %lf", &time, &force), 2);
        for (size_t l = 0; l < kept.moment[i]->count; l++)
            sum += kept.moment[i]->load[l].kind == KSI_LOAD_JOINT ? kept.moment[i]->load[l].force[0] : 0;
        ck_assert_double_eq_tol(force, sum, 1e-11 * fabs(sum));  // of twelve digits
        ck_assert_double_eq_tol(time, kept.moment[i]->time - kept.moment[0]->time, 1e-11);
    }
    ksiTextFree(&deck);
    for (size_t i = 0; i < kept.count; i++)
        ksiLoadCaseRelease(kept.moment[i]);
    ksiLoadCasesFree(&cases);
}
END_TEST

/* A run in one step, with an amplitude for each load: the support's reaction and the stresses
 * follow the closed form. An increment ends at each moment but the first. */
START_TEST(calculix_follows_a_series)
{
    ksiElementMesh mesh;
    ksiText deck = {.allocator = &ksiLibraryAllocator};
    Kept kept = {.count = 0};
    char crank[16], wrist[16];
    if (!hasCalculix())
        return;
    ksiLoadCases cases = keepSeries(&kept), series = cases;
    series.moment = kept.moment + 1;
    series.count = kept.count - 1;
    writeRod(&mesh);
    // nodes of the mesh, which also carry a part of the rotation's load
    snprintf(crank, sizeof crank, "%u", nodeAt(0, ACROSS, ACROSS));
    snprintf(wrist, sizeof wrist, "%u", nodeAt(2 * ALONG, ACROSS, ACROSS));
    const ksiDeckOptions options = {.unit = 1,
                                    .elements = "BODY",
                                    .mesh = &mesh,
                                    .node = {{"crank pin", crank, NULL}, {"wrist pin", wrist, NULL}},
                                    .nodeCount = 2,
                                    .only = _i ? NULL : "wrist pin",
                                    .step = "*STATIC, DIRECT\n2e-5, 16e-5\n" PRINTED};
    ksiSeriesToDeck(&cases, kept.moment, kept.count, &options, &deck);
    writeDocument("cases.inp", &deck);
    if (_i)
        checkWhole(&series);
    else
        checkWrist(&series);
    ksiTextFree(&deck);
    for (size_t i = 0; i < kept.count; i++)
        ksiLoadCaseRelease(kept.moment[i]);
    ksiMeshFree(&mesh);
    ksiLoadCasesFree(&cases);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("calculix");
    tcase_add_checked_fixture(test, makeFolder, removeFolder);
    tcase_add_test(test, calculix_finds_the_stress_of_a_rod);
    tcase_add_test(test, loads_of_one_node_share_an_amplitude);
    tcase_add_loop_test(test, calculix_follows_a_series, 0, 2);
    return runCase("calculix", test);
}

/* check_cases.c  Load cases of the rod of a crank-slider against closed forms, and its meshes
 * against integrals of a box. */
#define _GNU_SOURCE
#include "tests/kits/crank_kit.h"

/* of the closed form: products of numbers with sixteen digits, some of which cancel */
static const double rounding = 1e-8;

/* --- Against the closed form --- */

static const ksiLoad *loadOf(const ksiLoadCase *moment, const char *name)
{
    for (size_t i = 0; i < moment->count; i++)
        if (strcmp(moment->load[i].name, name) == 0)
            return &moment->load[i];
    ck_abort_msg("no load is called %s", name);
    return NULL;
}

static void near(double value, double truth, double scale, const char *what)
{
    ck_assert_msg(fabs(value - truth) <= rounding * scale, "%s: %.15g, not %.15g", what, value, truth);
}

/* Sizes of the pins' forces, and of their torques about the rod's centre. */
static const double forceScale = 2000, torqueScale = 400;

static void checkMoment(const ksiLoadCase *moment)
{
    static const char *const name[2] = {"crank pin", "wrist pin"};
    const Truth t = truthAt(angleOf(moment->step));
    double own[2];
    ck_assert_uint_eq(moment->count, 2);
    for (int end = 0; end < 2; end++) {
        const ksiLoad *load = loadOf(moment, name[end]);
        near(load->point[0], (end - 0.5) * rodLength, rodLength, "point");
        near(load->point[2], 0, rodLength, "point");
        near(load->force[0], t.own[end][0], forceScale, "along");
        near(load->force[1], 0, forceScale, "out of the plane");
        near(load->force[2], t.own[end][1], forceScale, "across");
        for (int k = 0; k < 3; k++)
            near(load->torque[k], 0, torqueScale, "torque");
        ck_assert(load->bar[0] >= 0 && isfinite(load->bar[0]));
    }
    toRod(&t, t.acceleration, own);
    near(moment->acceleration[0], own[0], forceScale / rodMass(), "acceleration");
    near(moment->acceleration[2], own[1], forceScale / rodMass(), "acceleration");
    // about y, from z to x
    near(moment->spin[1], -t.rate, crankSpeed, "spin");
    near(moment->turning[1], -t.turning, crankSpeed * crankSpeed, "angular acceleration");
}

static bool countMoment(void *user, ksiLoadCase *moment)
{
    checkMoment(moment);
    ++*(int *)user;
    return true;
}

/* The extreme over all steps, by the closed form. */
static double extremeOf(int end, int axis, bool isMost)
{
    double found = isMost ? -INFINITY : INFINITY;
    for (unsigned i = 0; i < STEPS; i++) {
        const Truth t = truthAt(angleOf(i));
        const double value = axis < 2 ? t.own[end][axis] : hypot(t.own[end][0], t.own[end][1]);
        found = isMost ? fmax(found, value) : fmin(found, value);
    }
    return found;
}

START_TEST(the_rod_of_a_crank_slider)
{
    static const int axisOf[KSI_CASE_QUANTITIES] = {0, -1, 1, -1, -1, -1, 2, -1};
    ksiLoadCases cases;
    ksiCaseOptions options = rodOptions();
    int steps = 0;
    recordCrank("run.h5");
    options.onMoment = countMoment;
    options.user = &steps;
    findCases("run.h5", &options, &cases);
    ck_assert_int_eq(steps, STEPS);
    ck_assert_uint_eq(cases.steps, STEPS);
    ck_assert_uint_eq(cases.unknown, 0);
    near(cases.matter.mass, rodMass(), rodMass(), "mass");
    // two pins: least and most along and across, and the magnitude; a load of zero is no case
    ck_assert_uint_eq(cases.extremeCount, 10);
    for (size_t i = 0; i < cases.extremeCount; i++) {
        const ksiExtreme *e = &cases.extreme[i];
        const int end = strcmp(e->load, "wrist pin") == 0, axis = axisOf[e->quantity];
        ck_assert_int_ge(axis, 0);
        near(e->value, extremeOf(end, axis, e->isMost), forceScale, ksiCaseQuantity[e->quantity]);
    }
    for (size_t i = 1; i < cases.count; i++)
        ck_assert_uint_lt(cases.moment[i - 1]->step, cases.moment[i]->step);
    ksiLoadCasesFree(&cases);
}
END_TEST

/* Chosen cases, and choices that fail. */
START_TEST(which_cases)
{
    char words[KSI_CASE_WORDS];
    ksiLoadCases cases;
    ksiCaseOptions options = rodOptions();
    recordCrank("run.h5");
    options.joints = (ksiPatterns){1, {"wrist*"}};
    options.quantities = 1;
    options.from = 60e-6;
    options.every = 5;
    findCases("run.h5", &options, &cases);
    ck_assert_uint_eq(cases.extremeCount, 2);
    ck_assert_uint_eq(cases.moment[0]->step % 5, 0);
    ck_assert(cases.begin >= 60e-6 && cases.steps < STEPS / 5);
    const uint64_t rod = cases.body;
    ksiLoadCasesFree(&cases);
    options.holdCount = 0;
    options.body = rod;
    findCases("run.h5", &options, &cases);
    ck_assert_uint_eq(cases.extremeCount, 2);
    ksiLoadCasesFree(&cases);
    const struct {
        uint64_t body;
        const char *joint, *why;
    } wrong[] = {
        {99, NULL, "no step has this body; there are: 1, 2, 3"},
        {0, "elbow", "no step has these joints; there are: \"slider 1: body 3 – world\", \"wrist pin\", \"crank pin\""},
        {0, "wrist pin", "these joints connect two bodies: name a further joint of the intended body, or its number"},
        {1, NULL, "the body is kinematic: it has no mass, and so no inertia loads"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.body = wrong[i].body;
        options.holds[0] = wrong[i].joint;
        options.holdCount = wrong[i].joint != NULL;
        char expected[KSI_CASE_WORDS];
        snprintf(expected, sizeof expected, "%s: %s", in("run.h5"), wrong[i].why);
        ck_assert(!ksiFindLoadCases(in("run.h5"), &options, &cases, words));
        ck_assert_str_eq(words, expected);
        ksiLoadCasesFree(&cases);
    }
    options.world = "moon";
    ck_assert(!ksiFindLoadCases(in("run.h5"), &options, &cases, words));
    ck_assert_ptr_nonnull(strstr(words, ": no world is called moon; there are: \"world 1\""));
    ksiLoadCasesFree(&cases);
}
END_TEST

/* --- Meshes --- */

/* Each block is six tetrahedra about its diagonal from corner 0 to 6. */
static void writeTetrahedra(FILE *out)
{
    static const int path[6][2] = {{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}};
    fputs("*ELEMENT, TYPE=C3D4\n", out);
    for (int e = 0, number = 0; e < ALONG * ACROSS * ACROSS; e++)
        for (int t = 0; t < 6; t++) {
            const int end[4] = {0, path[t][0], path[t][1], 6};
            fprintf(out, "%d", ++number);
            for (int n = 0; n < 4; n++) {
                const int *c = corner[end[n]];
                fprintf(out, ", %u", nodeAt(2 * (e / 4) + c[0], 2 * (e % 2) + c[1], 2 * (e / 2 % 2) + c[2]));
            }
            fputc('\n', out);
        }
}

/* For each kind of element, also in millimetres with another origin. */
START_TEST(a_mesh_weighs_as_its_body)
{
    static const double here[3] = {0, 0, 0}, there[3] = {-100, 5, 0};
    const double m = rodMass(), l = rodLength;
    const double inertia[3] = {m * side * side / 6, m * (l * l + side * side) / 12, m * (l * l + side * side) / 12};
    for (int kind = 0; kind < 3; kind++) {
        ksiElementMesh mesh;
        FILE *out = fopen(in("mesh.inp"), "w");
        writeNodes(out, kind == 1 ? 1000 : 1);
        if (kind == 2)
            writeTetrahedra(out);
        else
            writeElements(out, kind == 0 ? "C3D8" : "C3D20R", kind == 0 ? 8 : 20);
        fclose(out);
        readMesh("mesh.inp", kind == 1 ? 1000 : 1, kind == 1 ? there : here, &mesh);
        near(mesh.density, density, density, "density");
        // from the stated mass centre of the body
        const double shift[3] = {kind == 1 ? 0.1 : 0, kind == 1 ? -0.005 : 0, 0};
        const double square = shift[0] * shift[0] + shift[1] * shift[1];
        for (int k = 0; k < 3; k++) {
            near(mesh.centre[k], shift[k], rodLength, "centre");
            near(mesh.inertia[4 * k], inertia[k] + m * (square - shift[k] * shift[k]), inertia[1], "inertia");
        }
        near(mesh.inertia[1], -m * shift[0] * shift[1], inertia[1], "product of inertia");
        ksiMeshFree(&mesh);
    }
}
END_TEST

START_TEST(what_is_no_mesh)
{
    static const double here[3] = {0, 0, 0};
    static const char nodes[] = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n";
    static const struct {
        const char *text, *why;
    } wrong[] = {{"", "has no element"},
                 {"*ELEMENT, TYPE=S4\n1,1,2,3,4\n", "is not a supported element type"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3\n", "has too few nodes"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3\n*NSET\n", "has too few nodes"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3,4,4\n", "is not an element of this type"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3,5\n", "has a node that is not in the file"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,3,2,4\n", "is turned inside out"},
                 {"*NODE\n1,0,0,0\n", "this node exists already"},
                 {"*NODE\n9,0,nan,0\n", "is not a node"},
                 {"*NODE\n9,0\n", "is not a node"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,x,5\n", "is not an element"}};
    char words[KSI_MESH_WORDS];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ksiElementMesh mesh;
        FILE *out = fopen(in("mesh.inp"), "w");
        fprintf(out, "%s%s", nodes, wrong[i].text);
        fclose(out);
        ck_assert(!ksiMeshRead(in("mesh.inp"), 1, here, 1, &mesh, words));
        ck_assert_msg(strstr(words, wrong[i].why) != NULL, "%zu: %s", i, words);
        ksiMeshFree(&mesh);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("cases");
    tcase_add_checked_fixture(test, makeFolder, removeFolder);
    tcase_add_test(test, the_rod_of_a_crank_slider);
    tcase_add_test(test, which_cases);
    tcase_add_test(test, a_mesh_weighs_as_its_body);
    tcase_add_test(test, what_is_no_mesh);
    return runCase("cases", test);
}

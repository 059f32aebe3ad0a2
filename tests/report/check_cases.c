/* check_cases.c  Load cases of the rod of a crank-slider, whose crank turns at a constant speed:
 * against closed forms, in CalculiX against those of a rod, and by a mesh against integrals of a
 * box. */
#define _GNU_SOURCE
#include "plugin/cases/deck.h"
#include "tests/kits/trace_kit.h"

#include <math.h>

static const double crankRadius = 0.1, rodLength = 0.4, side = 0.02, density = 7850, sliderMass = 2, crankSpeed = 60;
static const double gravity = 9.81;
enum { STEPS = 180 };

/* Of the closed form: products of numbers with sixteen digits, some of which cancel. */
static const double rounding = 1e-8;

/* --- The mechanism: in the plane of x and z, the slider along x --- */

typedef struct Crank {
    dWorldID world;
    dBodyID crank, rod, slider;
    dJointID pin, wrist;
} Crank;

/* Of the rod: where it is, how it moves, and what the pins do to it; [0] x, [1] z, in the world's
 * axes, but for `own`: in the rod's. */
typedef struct Truth {
    double angle, rate, turning; /* of the rod's axis above x: phi, and its derivatives */
    double centre[2], velocity[2], acceleration[2], wrist, wristRate;
    double own[2][2]; /* N: at the crank, at the wrist */
} Truth;

static double rodMass(void)
{
    return density * rodLength * side * side;
}

static void toRod(const Truth *t, const double v[2], double out[2])
{
    out[0] = cos(t->angle) * v[0] + sin(t->angle) * v[1];
    out[1] = -sin(t->angle) * v[0] + cos(t->angle) * v[1];
}

static Truth truthAt(double theta)
{
    const double r = crankRadius, l = rodLength, w = crankSpeed, m = rodMass();
    const double inertia = m * (l * l + side * side) / 12;
    Truth t = {.angle = asin(-r / l * sin(theta))};
    const double c = cos(t.angle), s = sin(t.angle);
    t.rate = -r / l * cos(theta) * w / c;
    t.turning = (r / l * sin(theta) * w * w + s * t.rate * t.rate) / c;
    const double pin[2] = {r * cos(theta), r * sin(theta)}, pinRate[2] = {-w * pin[1], w * pin[0]};
    t.wrist = pin[0] + l * c;
    t.wristRate = pinRate[0] - l * s * t.rate;
    const double wristTurning = -w * w * pin[0] - l * (s * t.turning + c * t.rate * t.rate);
    t.centre[0] = (pin[0] + t.wrist) / 2;
    t.centre[1] = pin[1] / 2;
    t.velocity[0] = (pinRate[0] + t.wristRate) / 2;
    t.velocity[1] = pinRate[1] / 2;
    t.acceleration[0] = (-w * w * pin[0] + wristTurning) / 2;
    t.acceleration[1] = -w * w * pin[1] / 2;
    double atWrist[2] = {-sliderMass * wristTurning, 0};
    const double sumX = m * t.acceleration[0], sumZ = m * (t.acceleration[1] + gravity);
    // about the mass centre: l/2 (c (Wz - Pz) - s (Wx - Px)) = I phi''
    const double difference = (2 * inertia * t.turning / l + s * (2 * atWrist[0] - sumX)) / c;
    atWrist[1] = (difference + sumZ) / 2;
    const double atPin[2] = {sumX - atWrist[0], sumZ - atWrist[1]};
    toRod(&t, atPin, t.own[0]);
    toRod(&t, atWrist, t.own[1]);
    return t;
}

static void turn(dBodyID body, double angle)
{
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 1, 0, -angle);
    dBodySetRotation(body, rotation);
}

/* Sets all bodies to the pose of the closed form. */
static void place(const Crank *c, double theta)
{
    const Truth t = truthAt(theta);
    turn(c->crank, theta);
    dBodySetAngularVel(c->crank, 0, -crankSpeed, 0);
    dBodySetPosition(c->rod, t.centre[0], 0, t.centre[1]);
    turn(c->rod, t.angle);
    dBodySetLinearVel(c->rod, t.velocity[0], 0, t.velocity[1]);
    dBodySetAngularVel(c->rod, 0, -t.rate, 0);
    dBodySetPosition(c->slider, t.wrist, 0, 0);
    dBodySetLinearVel(c->slider, t.wristRate, 0, 0);
    turn(c->slider, 0);
    dBodySetAngularVel(c->slider, 0, 0, 0);
}

/* The joints share no load. */
static Crank makeCrank(void)
{
    Crank c = {.world = dWorldCreate()};
    dMass mass;
    dWorldSetGravity(c.world, 0, 0, -gravity);
    c.crank = dBodyCreate(c.world);
    dBodySetKinematic(c.crank);
    c.rod = dBodyCreate(c.world);
    dMassSetBox(&mass, density, rodLength, side, side);
    dBodySetMass(c.rod, &mass);
    c.slider = dBodyCreate(c.world);
    dMassSetBoxTotal(&mass, sliderMass, 0.1, 0.1, 0.1);
    dBodySetMass(c.slider, &mass);
    place(&c, 0);
    c.pin = dJointCreateBall(c.world, 0);
    dJointAttach(c.pin, c.crank, c.rod);
    dJointSetBallAnchor(c.pin, crankRadius, 0, 0);
    c.wrist = dJointCreateUniversal(c.world, 0);
    dJointAttach(c.wrist, c.rod, c.slider);
    dJointSetUniversalAnchor(c.wrist, crankRadius + rodLength, 0, 0);
    dJointSetUniversalAxis1(c.wrist, 0, 0, 1);
    dJointSetUniversalAxis2(c.wrist, 0, 1, 0);
    const dJointID guide = dJointCreateSlider(c.world, 0);
    dJointAttach(guide, c.slider, NULL);
    dJointSetSliderAxis(guide, 1, 0, 0);
    return c;
}

static double angleOf(uint64_t step)
{
    return 2 * M_PI * (double)step / STEPS;
}

/* A turn of the crank. */
static void recordCrank(const char *file)
{
    Crank c = makeCrank();
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    ksInspector *inspector = inspect(c.world);
    CHECK_OK(ksInspectorSetName(inspector, c.pin, "crank pin"));
    CHECK_OK(ksInspectorSetName(inspector, c.wrist, "wrist pin"));
    ksTrace *trace = traceInto(in(file), &options);
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    for (unsigned i = 0; i < STEPS; i++) {
        place(&c, angleOf(i));
        CHECK_OK(ksInspectorStep(inspector, 1e-6));
    }
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    dWorldDestroy(c.world);
}

static ksiCaseOptions rodOptions(void)
{
    return (ksiCaseOptions){.value = KS_PHYSICAL,
                            .mean = 0.15,
                            .holds = {"crank pin", "wrist pin"},
                            .holdCount = 2,
                            .quantities = (1u << KSI_CASE_QUANTITIES) - 1,
                            .until = INFINITY,
                            .every = 1};
}

static void findCases(const char *file, const ksiCaseOptions *options, ksiLoadCases *out)
{
    char words[KSI_CASE_WORDS];
    ck_assert_msg(ksiFindLoadCases(in(file), options, out, words), "%s", words);
}

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

/* Largest of the pins' forces, at each end, and of a torque about the rod's centre by them. */
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

/* By the closed form of all steps. */
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
    // two pins: least and most along and across, and the size; what is zero is no case
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

/* What is chosen, and what cannot be. */
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
}
END_TEST

/* --- Meshes --- */

enum { ACROSS = 2, ALONG = 16 };

/* Of a grid with half of an element between its points, from 1: nodes of elements of twenty nodes
 * are those with at most one odd index. */
static unsigned nodeAt(int i, int j, int k)
{
    return 1 + (unsigned)(i + (2 * ALONG + 1) * (j + (2 * ACROSS + 1) * k));
}

static void writeNodes(FILE *out, double unit)
{
    fputs("** the rod\n*Node, nset=ALL\n", out);
    for (int k = 0; k <= 2 * ACROSS; k++)
        for (int j = 0; j <= 2 * ACROSS; j++)
            for (int i = 0; i <= 2 * ALONG; i++)
                if (i % 2 + j % 2 + k % 2 <= 1)
                    fprintf(out, "%u, %.17g, %.17g, %.17g\n", nodeAt(i, j, k),
                            unit * rodLength * (i / (2. * ALONG) - 0.5), unit * side * (j / (2. * ACROSS) - 0.5),
                            unit * side * (k / (2. * ACROSS) - 0.5));
}

static const int corner[20][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                  {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                  {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};

/* Elements are numbered along the rod, of four beside each other. */
static void writeElements(FILE *out, const char *type, int nodes)
{
    fprintf(out, "*ELEMENT, elset=BODY, TYPE=%s\n", type);
    for (int e = 0; e < ALONG * ACROSS * ACROSS; e++) {
        fprintf(out, "%d", e + 1);
        for (int n = 0; n < nodes; n++)
            fprintf(out, ",%s%u", n == 9 ? "\n " : " ",
                    nodeAt(2 * (e / 4) + corner[n][0], 2 * (e % 2) + corner[n][1], 2 * (e / 2 % 2) + corner[n][2]));
        fputc('\n', out);
    }
}

/* Each block as six tetrahedra about its diagonal from corner 0 to 6. */
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

static void readMesh(const char *file, double unit, const double origin[3], ksiElementMesh *out)
{
    char words[KSI_MESH_WORDS];
    ck_assert_msg(ksiMeshRead(in(file), unit, origin, rodMass(), out, words), "%s", words);
}

/* In each kind of element, and in millimetres with another origin. */
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
        // from the origin that the body is said to have
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
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3,4,4\n", "is no element of this type"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,3,5\n", "has a node that is not in the file"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,3,2,4\n", "is turned inside out"},
                 {"*NODE\n1,0,0,0\n", "this node exists already"},
                 {"*NODE\n9,0,nan,0\n", "is no node"},
                 {"*NODE\n9,0\n", "is no node"},
                 {"*ELEMENT, TYPE=C3D4\n1,1,2,x,5\n", "is no element"}};
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

/* --- CalculiX --- */

static void writeDocument(const char *file, const ksiText *text)
{
    FILE *out = fopen(in(file), "w");
    ck_assert(!text->isShort && fputs(text->at, out) >= 0 && fclose(out) == 0);
}

/* At which a model is held as a stool stands: below, or above. */
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
    // four elements beside each other
    fprintf(out, "*ELSET, ELSET=SECTION, GENERATE\n%d, %d\n", 4 * (ALONG / 2) + 1, 4 * (ALONG / 2) + 4);
    fputs("*INCLUDE, INPUT=cases.inp\n", out);
    fclose(out);
}

/* The stress along the rod at a place in it: of what is beyond, by the closed form. */
static double stressAt(const Truth *t, double x, double z)
{
    const double area = side * side, second = area * area / 12, line = rodMass() / rodLength, end = rodLength / 2;
    const double down[2] = {0, -gravity};
    double g[2], a[2];
    toRod(t, down, g);
    toRod(t, t->acceleration, a);
    // of the line: N/m at x, and how it grows
    const double along = line * (g[0] - a[0]), across = line * (g[1] - a[1]);
    const double alongGrows = line * t->rate * t->rate, acrossGrows = -line * t->turning, rest = end - x;
    const double normal = t->own[1][0] + along * rest + alongGrows * (end * end - x * x) / 2;
    const double bending = rest * t->own[1][1] + across * rest * rest / 2 +
                           acrossGrows * ((end * end * end - x * x * x) / 3 - x * (end * end - x * x) / 2) -
                           density * second * t->turning * rest;
    return normal / area - bending * z / second;
}

enum { MOST_CASES = 10 };

/* By case: forces of the lower feet, loads included, and how far stresses are off as a share of the
 * largest one. */
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

/* The forces of the feet that hold, less those of the same nodes where other feet do. */
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

/* The model of the rod, held by its lower feet, and by its upper ones: what its support carries of
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

/* The wrist's load alone: what the feet carry is its opposite, in each moment, by the closed
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

/* All loads: with NLGEOM they act where the rod that they bend has them, so the support carries as
 * much more as it bends. Of a rod a hundred times as stiff it is within the mark, and of one
 * stiffer again by that a hundredth. */
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
    static ksiCaseOptions options;  // cases points to it
    options = rodOptions();
    options.every = EVERY;
    options.onMoment = keepMoment;
    options.user = kept;
    recordCrank("run.h5");
    findCases("run.h5", &options, &cases);
    ck_assert_uint_eq(kept->count, MOMENTS);
    return cases;
}

/* Of what acts in one direction of one node, whatever its name: one amplitude, the sum. */
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

/* A run in one step, each load by its amplitude: the support follows, and so do the stresses. An
 * increment ends at each moment but the first. */
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
    // nodes of the mesh, which have a part of the rotation's load, too
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
    Suite *suite = suite_create("cases");
    TCase *test = tcase_create("cases");
    tcase_add_checked_fixture(test, makeFolder, removeFolder);
    tcase_add_test(test, the_rod_of_a_crank_slider);
    tcase_add_test(test, which_cases);
    tcase_add_test(test, a_mesh_weighs_as_its_body);
    tcase_add_test(test, what_is_no_mesh);
    tcase_add_test(test, calculix_finds_the_stress_of_a_rod);
    tcase_add_test(test, loads_of_one_node_share_an_amplitude);
    tcase_add_loop_test(test, calculix_follows_a_series, 0, 2);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

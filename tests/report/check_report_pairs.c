/* check_report_pairs.c  Pairs in a report: their forces, friction and centre of pressure, against
 * ksInspectorGetMean step by step. */
#include "tests/kits/contacts/contact_scenes.h"
#include "tests/kits/report/report_kit.h"

enum { STEPS = 300, MOST_PAIRS = 3 };

/* Bins are 1 % wide. */
static const double binWidth = 0.006;

/* A pair's results over the steps: the largest values, also of those with a known bar, and the
 * number of values below the report's median. */
typedef struct Seen {
    double mean, physical, friction, centre, sureMean, surePhysical;
    double force[STEPS];
    int verdict[KS_VALID + 1], whole, touching;
} Seen;

static double across(const double v[3], const double n[3])
{
    const double along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    return sqrt(fmax(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - along * along, 0));
}

static void see(const ksMean *mean, double window, Seen *seen)
{
    const double force = length3(mean->wrench.force), physical = length3(mean->physical.force);
    seen->verdict[mean->physicalVerdict]++;
    seen->touching += mean->contactShare > 0;
    seen->physical = fmax(seen->physical, physical);
    if (isfinite(length3(mean->physicalBar.force)))
        seen->surePhysical = fmax(seen->surePhysical, physical);
    if (mean->time < 0.999 * window)
        return;
    seen->force[seen->whole++] = force;
    seen->mean = fmax(seen->mean, force);
    if (isfinite(length3(mean->bar.force)))
        seen->sureMean = fmax(seen->sureMean, force);
    seen->friction = fmax(seen->friction, mean->frictionUse);
    seen->centre = fmax(seen->centre, across(mean->centre, mean->normal));
}

static double at(const json_t *object, const char *first, const char *second)
{
    const json_t *value = json_object_get(json_object_get(object, first), second);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static double peakAt(const json_t *pair, const char *of)
{
    const json_t *peak = json_object_get(json_object_get(pair, "peak"), of);
    return json_is_null(peak) ? 0 : json_number_value(json_object_get(peak, "value"));
}

static void checkPair(json_t *pair, const Seen *seen)
{
    static const double digits = 1e-8; /* documents have nine digits */
    const double median = at(json_object_get(pair, "force"), "mean", "median");
    int below = 0, atMost = 0;
    for (int i = 0; i < seen->whole; i++) {
        below += seen->force[i] < median * (1 - binWidth);
        atMost += seen->force[i] <= median * (1 + binWidth);
    }
    ck_assert_int_le(2 * below, seen->whole + 1);
    ck_assert_int_ge(2 * atMost, seen->whole - 1);
    ck_assert_double_eq_tol(at(json_object_get(pair, "force"), "mean", "largest"), seen->mean, digits * seen->mean);
    ck_assert_double_eq_tol(at(json_object_get(pair, "force"), "physical", "largest"), seen->physical,
                            digits * seen->physical);
    const double found[2] = {at(pair, "frictionUse", "largest"), at(pair, "centre", "largest")};
    const double expected[2] = {seen->friction, seen->centre};
    for (int i = 0; i < 2; i++)
        ck_assert((isnan(found[i]) && isnan(expected[i])) ||
                  fabs(found[i] - expected[i]) <= digits * fmax(expected[i], 1));
    ck_assert_double_eq_tol(peakAt(pair, "mean"), seen->sureMean, digits * seen->mean);
    ck_assert_double_eq_tol(peakAt(pair, "physical"), seen->surePhysical, digits * seen->physical);
    ck_assert_int_eq(countAt(pair, "steps"), STEPS);
    ck_assert_int_eq(countAt(pair, "touching"), seen->touching);
    for (int v = 0; v <= KS_VALID; v++)
        ck_assert_int_eq(countAt(json_object_get(pair, "verdicts"), ksVerdictName((ksVerdict)v)), seen->verdict[v]);
}

/* A ladder on floor and wall, whose points flicker; a plank on two blocks with undetermined shares;
 * a leg on the ground. */
START_TEST(as_means_have_them)
{
    static const char *const form[] = {"ladder", "plank", "leg"};
    ContactScene scene = contactSceneBegin(contactFormOf(form[_i]), GROUND_HARD, 0.005);
    ksInspectorOptions options = defaultOptions();
    ksSubscription pair[MOST_PAIRS], again;
    Seen seen[MOST_PAIRS] = {{.mean = 0}};
    for (int i = 0; i < MOST_PAIRS; i++)
        seen[i].friction = seen[i].centre = NAN;
    options.contactPhysical = 1;
    dRandSetSeed(1);
    ksInspector *inspector = inspectWith(scene.machine.world, &options);
    ksReport *report = newReport(NULL);
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    ck_assert_int_le(scene.count, MOST_PAIRS);
    for (int i = 0; i < scene.count; i++)
        CHECK_OK(ksInspectorPair(inspector, scene.pair[i].on, scene.pair[i].by, 0.15, &pair[i]));
    // for two pairs of the same bodies, the report has the first
    CHECK_OK(ksInspectorPair(inspector, scene.pair[0].on, scene.pair[0].by, 0.5, &again));
    for (int n = 0; n < STEPS; n++) {
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
        for (int i = 0; i < scene.count; i++) {
            ksMean mean;
            CHECK_OK(ksInspectorGetMean(inspector, pair[i], &mean));
            see(&mean, 0.15, &seen[i]);
        }
    }
    json_t *document = jsonOf(report), *pairs = json_object_get(worldOf(document, 0), "pairs");
    ck_assert_uint_eq(json_array_size(pairs), (size_t)scene.count);
    size_t matched = 0;
    ksiNaming *naming = ksiNamingCreate(NULL);
    CHECK_OK(ksiNamingUpdate(naming, inspector));
    for (size_t k = 0; k < json_array_size(pairs); k++) {
        json_t *one = json_array_get(pairs, k), *bodies = json_object_get(one, "bodies");
        for (int i = 0; i < scene.count; i++) {
            if (json_integer_value(json_array_get(bodies, 0)) != ksiBodyNumber(naming, scene.pair[i].on) ||
                json_integer_value(json_array_get(bodies, 1)) != ksiBodyNumber(naming, scene.pair[i].by))
                continue;
            checkPair(one, &seen[i]);
            matched++;
        }
    }
    ck_assert_uint_eq(matched, (size_t)scene.count);
    json_decref(document);
    char line[64];
    snprintf(line, sizeof line, "body %d \xe2\x80\x93 ", ksiBodyNumber(naming, scene.pair[0].on));
    reportHas(report, KS_REPORT_TEXT_ALL, "Pairs in contact, on the first body:", true);
    reportHas(report, KS_REPORT_TEXT_ALL, "physical force, by step: ", true);
    reportHas(report, KS_REPORT_TEXT_ALL, line, true);
    ksiNamingDestroy(naming);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

/* Pairs are selected like their contacts; without a physical force there are no verdicts. */
START_TEST(chosen)
{
    ContactScene scene = contactSceneBegin(contactFormOf("ladder"), GROUND_LAYER, 0.005);
    ksInspector *inspector = inspect(scene.machine.world);
    ksReport *report[2];
    ksSubscription pair;
    for (int i = 0; i < 2; i++) {
        ksReportOptions options;
        ksReportOptionsInit(&options);
        options.joints = i ? "contact*" : "hinge*";
        CHECK_OK(ksReportCreate(&options, &report[i]));
        CHECK_OK(ksReportWatch(report[i], inspector, NULL));
    }
    CHECK_OK(ksInspectorPair(inspector, scene.pair[0].on, scene.pair[0].by, 0.15, &pair));
    for (int n = 0; n < 50; n++)
        contactSceneStep(&scene, inspector, KS_QUICK_STEP);
    for (int i = 0; i < 2; i++) {
        json_t *document = jsonOf(report[i]), *pairs = json_object_get(worldOf(document, 0), "pairs");
        ck_assert_uint_eq(json_array_size(pairs), (size_t)i);
        for (int v = 0; i && v <= KS_VALID; v++)
            ck_assert_int_eq(
                countAt(json_object_get(json_array_get(pairs, 0), "verdicts"), ksVerdictName((ksVerdict)v)), 0);
        json_decref(document);
        reportHas(report[i], KS_REPORT_TEXT, "Pairs in contact", i);
        reportHas(report[i], KS_REPORT_TEXT, "physical force, by step", false);
        ksReportDestroy(report[i]);
    }
    ksInspectorDestroy(inspector);
    contactSceneEnd(&scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("report_pairs");
    tcase_add_loop_test(test, as_means_have_them, 0, 3);
    tcase_add_test(test, chosen);
    return runCase("report_pairs", test);
}

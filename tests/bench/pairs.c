/* pairs.c  Physical contact forces of pairs of bodies: error, bars and cost, in scenes with known
 * forces. See pairsHead. */
#include "pairs.h"
#include "bench_build.h"
#include "bench_command.h"

static const double stepSize[] = {5e-3, 10e-3};
enum { STEP_SIZES = sizeof stepSize / sizeof *stepSize };

typedef struct Choice {
    const char *scene, *csv; /* NULL: all; none */
    bool untimed, exactOnly;
} Choice;

static Choice choice;
static FILE *csv;

static void help(void)
{
    printf("usage: pairs [options]\n\n"
           "Physical contact forces of pairs of bodies: error, bars and cost. Then: the cost of exact steps.\n\n"
           "  --untimed       only errors and bars\n"
           "  --scene NAME    only this scene, without exact steps\n"
           "  --exact         only exact steps\n"
           "  --csv FILE      writes the figures as comma-separated values\n"
           "  --help          shows this\n\nscenes:");
    for (const ContactForm *form = contactForms; form->name; form++)
        printf(" %s", form->name);
    for (const ContactForm *form = contactOtherForms; form->name; form++)
        printf(" %s", form->name);
    for (const ContactForm *form = contactCurvedForms; form->name; form++)
        printf(" %s", form->name);
    for (const ContactForm *form = contactGroundForms; form->name; form++)
        printf(" %s", form->name);
    for (const ContactForm *form = contactDrivenForms; form->name; form++)
        printf(" %s", form->name);
    printf("\n");
}

static void readCommandLine(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            help();
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        } else if (!strcmp(argv[i], "--untimed")) {
            choice.untimed = true;
        } else if (!strcmp(argv[i], "--exact")) {
            choice.exactOnly = true;
        } else if (i + 1 < argc && !strcmp(argv[i], "--scene")) {
            choice.scene = argv[++i];
        } else if (i + 1 < argc && !strcmp(argv[i], "--csv")) {
            choice.csv = argv[++i];
        } else {
            benchUsageError("pairs", "unknown argument, or without a value:", argv[i]);
        }
    }
}

/* Returns the number of scenes. */
static int runForms(const ContactForm *form)
{
    int count = 0;
    for (; form->name; form++) {
        if (choice.scene && strcmp(choice.scene, form->name))
            continue;
        count++;
        for (int g = 0; g < GROUND_COUNT; g++)
            for (int h = 0; h < STEP_SIZES; h++) {
                const PairsCase what = {form, (MachineGround)g, stepSize[h], !choice.untimed};
                double figure[PAIRS_FIGURES];
                pairsRun(&what, figure);
                pairsReport(&what, figure, csv);
            }
    }
    return count;
}

/* Tests share these scenes, and check them. */
START_TEST(measure)
{
    if (!choice.exactOnly) {
        pairsHead(csv);
        if (runForms(contactForms) + runForms(contactOtherForms) + runForms(contactCurvedForms) +
                runForms(contactGroundForms) + runForms(contactDrivenForms) ==
            0)
            benchUsageError("pairs", "no such scene:", choice.scene);
    }
    if (!choice.scene && !choice.untimed)
        pairsExact();
}
END_TEST

static bool run(void)
{
    Suite *suite = suite_create("pairs");
    TCase *test = tcase_create("pairs");
    SRunner *runner = srunner_create(suite);
    tcase_add_test(test, measure);
    suite_add_tcase(suite, test);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    const bool done = srunner_ntests_failed(runner) == 0;
    if (!done)
        srunner_print(runner, CK_NORMAL);
    srunner_free(runner);
    return done;
}

int main(int argc, char **argv)
{
    readCommandLine(argc, argv);
    if (benchUnfit()) {
        fprintf(stderr, "pairs: nothing is measured on this build: %s\n", benchUnfit());
        return EXIT_FAILURE;
    }
    if (!benchOpenTable(choice.csv, &csv))
        return EXIT_FAILURE;
    dInitODE2(0);
    benchHushEngine();
    bool done = run();
    done = benchCloseTable("pairs", choice.csv, csv) && done;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

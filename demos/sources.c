/* sources.c  Prints the worked examples of the sources: each closed form, the values of both
 * routes, and their errors. One route finds all multipliers together (Gauss's principle). The other
 * finds them one by one (Paulus), in the source's own relaxed coordinate if it has one. */
#include "kit.h"
#include "worked/examples.h"

#include <limits.h>
#include <math.h>

static const KitColumn column[] = {
    {"quantity", 17, NULL},     {"closed form", 14, "%.9g"}, {"all together", 14, "%.9g"},
    {"one by one", 14, "%.9g"}, {"difference", 0, "%.1e"},   {"formula", 44, NULL},
};
enum { COLUMNS = sizeof column / sizeof *column };

typedef struct Summary {
    int quantities;
    double worst;
    const char *source, *system, *quantity;  // with the largest error
} Summary;

/* A logarithmic axis has no zero: values that agree in every digit get a place of their own. */
static double shown(double difference)
{
    static const double exact = 1e-17;
    return fmax(difference, exact);
}

static void showQuantity(Kit *kit, const Example *example, const ExampleQuantity *q, double gauss, double paulus,
                         const char *tick, Summary *summary)
{
    double byGauss = exampleDifference(q, gauss), byPaulus = exampleDifference(q, paulus);
    double difference = fmax(byGauss, byPaulus);
    KitCell cell[COLUMNS] = {
        {.text = q->name}, {q->closed}, {gauss}, {paulus}, {difference}, {.text = q->formula},
    };
    kitRow(kit, column, COLUMNS, cell);
    kitCsv(kit, "\"%s\",\"%s\",\"%s\",\"%s\",%.17g,%.17g,%.17g,%.3g\n", example->source, example->system, q->name,
           q->formula, q->closed, gauss, paulus, difference);
    kitPlot(kit, "%d %g %g \"%s\"\n", summary->quantities, shown(byGauss), shown(byPaulus), tick);
    summary->quantities++;
    if (difference > summary->worst) {
        summary->worst = difference;
        summary->source = example->source;
        summary->system = example->system;
        summary->quantity = q->name;
    }
}

static void showExample(Kit *kit, const Example *example, unsigned draw, Summary *summary)
{
    double gauss[EXAMPLE_QUANTITIES], paulus[EXAMPLE_QUANTITIES];
    ExampleCase *c = exampleBuild(example, draw);
    kitCheck(kit, c ? KS_OK : KS_ERROR_NO_MEMORY, example->system);
    kitCheck(kit, exampleSolve(c, EXAMPLE_GAUSS, gauss), "ksSystemSolveGauss");
    kitCheck(kit, exampleSolve(c, EXAMPLE_OWN, paulus), "ksSystemRelaxRow");
    printf("%s%s: %s\n", summary->quantities ? "\n" : "", example->source, example->system);
    for (int k = 0; k < c->quantityCount; k++)
        showQuantity(kit, example, &c->quantity[k], gauss[k], paulus[k], k == 0 ? example->system : "", summary);
    exampleFree(c);
}

int main(int argc, char **argv)
{
    int seed = 0;
    const KitOption options[] = {{"seed", "which random parameters; 0: round numbers", &seed, 0, INT_MAX}, {0}};
    const KitDemo demo = {.purpose = "The worked examples of the sources: closed form, both routes, difference.",
                          .takes = KIT_PLOT,
                          .options = options,
                          .plotWidth = 2200,
                          .plotHeight = 800};
    Kit kit;
    Summary summary = {0};
    kitOpen(&kit, argc, argv, &demo);
    printf("The worked examples of the sources (kg, m, s, rad; g = 9.81 m/s^2). lambda acts on the system along the\n"
           "gradient of phi. The difference is the larger one, relative to the closed form or its largest term.\n\n");
    kitCsv(&kit, "source,system,quantity,formula,closed,gauss,paulus,difference\n");
    kitPlot(&kit, "$data << EOD\n");
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i < exampleCount; i++)
        showExample(&kit, &exampleTable[i], (unsigned)seed, &summary);
    kitPlot(&kit,
            "EOD\nset title 'Worked examples of the sources: distance from the closed form, a point for each quantity' "
            "font ',14'\n"
            "set ylabel 'relative difference'\nset logscale y\n"
            "set format y '10^{%%T}'\nset ytics add ('exact' 1e-17)\nset yrange [5e-18:1e-13]\nset key top left\n"
            "set xtics rotate by 90 right noenhanced font ',9'\nset xrange [-2:*]\n"
            "plot $data using 1:2:xticlabels(4) with points pt 7 lc rgb engine title 'multipliers all together', "
            "'' using 1:3 with points pt 6 lc rgb converged title 'one by one, from relaxed coordinates', "
            "2.2e-16 with lines lc rgb formula dt 2 title 'rounding of one operation'\n");
    printf("\n%d examples, %d quantities", exampleCount, summary.quantities);
    if (summary.system)
        printf("; the largest difference is %.1e: %s, %s, %s", summary.worst, summary.source, summary.system,
               summary.quantity);
    printf("\n");
    return kitClose(&kit);
}

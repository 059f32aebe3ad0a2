/* cases_text.c  Writes load cases as text. */
#include "cases.h"

#include "../report/collect/measure.h"

#include <math.h>

void ksiExtremeToText(const ksiExtreme *e, ksiText *out)
{
    const char *unit = e->quantity < 3 || e->quantity == 6 ? "N" : "N.m";
    ksiTextAdd(out, "%s: %s %s %.4g %s", e->load, e->isMost ? "most" : "least", ksiCaseQuantity[e->quantity], e->value,
               unit);
    if (isfinite(e->bar))
        ksiTextAdd(out, " +- %.2g", e->bar);
}

static void addLine(ksiText *out, const char *name, const double *point, const double force[3], const double torque[3])
{
    ksiTextAdd(out, "    ");
    ksiTextAddColumn(out, name, 24);
    for (int k = 0; k < 3; k++) {
        if (point)
            ksiTextAdd(out, " %9.4g", point[k]);
        else
            ksiTextAdd(out, " %9s", "");
    }
    for (int k = 0; k < 3; k++)
        ksiTextAdd(out, " %10.4g", force[k]);
    for (int k = 0; k < 3; k++)
        ksiTextAdd(out, " %10.4g", torque[k]);
    ksiTextAdd(out, "\n");
}

/* Sets to zero each component of v that is only the rounding of a sum of terms of size `scale`. */
static void clean(double v[3], double scale)
{
    static const double rounding = 1e-12;
    for (int k = 0; k < 3; k++)
        v[k] = fabs(v[k]) <= rounding * scale ? 0 : v[k];
}

static void addCase(const ksiLoadCases *cases, size_t number, ksiText *out)
{
    static const double none[3] = {0, 0, 0};
    const ksiLoadCase *moment = cases->moment[number - 1];
    double force[3], torque[3], largest = 0, couple = 0;
    ksiTextAdd(out, "\nCase %zu: step %llu, %.6g s\n", number, (unsigned long long)moment->step, moment->time);
    for (size_t i = 0; i < cases->extremeCount; i++)
        if (cases->extreme[i].moment == moment) {
            ksiTextAdd(out, "  ");
            ksiExtremeToText(&cases->extreme[i], out);
            ksiTextAdd(out, "\n");
        }
    ksiTextAdd(out, "    %-24s %9s %9s %9s %10s %10s %10s %10s %10s %10s\n", "", "x, m", "y", "z", "fx, N", "fy", "fz",
               "tx, N.m", "ty", "tz");
    for (size_t i = 0; i < moment->count; i++) {
        largest = fmax(largest, ksiLength(moment->load[i].force));
        couple = fmax(couple, ksiLength(moment->load[i].torque) +
                                  ksiLength(moment->load[i].point) * ksiLength(moment->load[i].force));
    }
    for (size_t i = 0; i < moment->count; i++)
        addLine(out, moment->load[i].name, moment->load[i].point, moment->load[i].force, moment->load[i].torque);
    for (int k = 0; k < 3; k++)
        force[k] = cases->matter.mass * moment->gravity[k];
    clean(force, largest);
    addLine(out, "weight", NULL, force, none);
    ksiInertiaLoad(moment, &cases->matter, force, torque);
    clean(force, largest);
    clean(torque, couple);
    addLine(out, "inertia", NULL, force, torque);
    ksiTextAdd(out, "    Residual against the simulated motion: %.2g N, %.2g N.m\n", ksiLength(moment->residual[0]),
               ksiLength(moment->residual[1]));
}

void ksiLoadCasesToText(const ksiLoadCases *cases, ksiText *out)
{
    ksiTextAdd(out, "World \"%s\", body %llu of %.6g kg: %llu step%s, %.6g to %.6g s", cases->world,
               (unsigned long long)cases->body, cases->matter.mass, (unsigned long long)cases->steps,
               ksiPlural(cases->steps), cases->begin, cases->end);
    if (cases->unknown > 0)
        ksiTextAdd(out, "; %llu more with an unknown load", (unsigned long long)cases->unknown);
    ksiTextAdd(out,
               ".\nLoads on the body: %s, in its axes, from its mass centre; weight and inertia balance them. +-: "
               "error bars.\n",
               cases->options->value == KS_MEAN ? "mean" : "physical");
    for (size_t i = 1; i <= cases->count; i++)
        addCase(cases, i, out);
    if (cases->count == 0)
        ksiTextAdd(out, "\nNo case: each chosen component is 0, or negligible and within its bar, in all steps.\n");
}

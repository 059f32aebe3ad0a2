/* cases_csv.c  Writes loads as CSV, one per line, in the body's axes. All loads of a moment, except
 * the line `residual`, sum to zero. */
#include "cases.h"

#include <math.h>

static void addReal(ksiText *out, double value)
{
    ksiTextAdd(out, ",");
    if (isfinite(value))
        ksiTextAdd(out, "%.17g", value);
}

static void addLine(ksiText *out, const ksiLoadCase *moment, size_t number, const char *name, const char *kind,
                    const double *const vector[3], const double bar[2])
{
    if (number > 0)
        ksiTextAdd(out, "%zu", number);
    ksiTextAdd(out, ",%llu,%.17g,", (unsigned long long)moment->step, moment->time);
    ksiTextAddCsv(out, name);
    ksiTextAdd(out, ",%s", kind);
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            addReal(out, vector[v][k]);
    addReal(out, bar[0]);
    addReal(out, bar[1]);
    ksiTextAdd(out, "\n");
}

void ksiCsvBegin(ksiText *out)
{
    ksiTextAdd(out, "case,step,time[s],load,kind,x[m],y[m],z[m],fx[N],fy[N],fz[N],tx[N.m],ty[N.m],tz[N.m],bar_force[N],"
                    "bar_torque[N.m]\n");
}

void ksiCsvAdd(const ksiLoadCase *moment, const ksiMatter *matter, size_t number, ksiText *out)
{
    static const char *const kind[] = {"joint", "contact", "applied"};
    static const double none[3] = {0, 0, 0}, unknown[2] = {NAN, NAN};
    double force[3], torque[3];
    for (size_t i = 0; i < moment->count; i++) {
        const ksiLoad *load = &moment->load[i];
        const double *const vector[3] = {load->point, load->force, load->torque};
        addLine(out, moment, number, load->name, kind[load->kind], vector, load->bar);
    }
    for (int k = 0; k < 3; k++)
        force[k] = matter->mass * moment->gravity[k];
    const double *const weight[3] = {none, force, none}, *const inertia[3] = {none, force, torque},
                        *const residual[3] = {none, moment->residual[0], moment->residual[1]};
    addLine(out, moment, number, "weight", "gravity", weight, unknown);
    ksiInertiaLoad(moment, matter, force, torque);
    addLine(out, moment, number, "inertia", "inertia", inertia, unknown);
    addLine(out, moment, number, "residual", "residual", residual, unknown);
}

void ksiLoadCasesToCsv(const ksiLoadCases *cases, ksiText *out)
{
    ksiCsvBegin(out);
    for (size_t i = 0; i < cases->count; i++)
        ksiCsvAdd(cases->moment[i], &cases->matter, i + 1, out);
}

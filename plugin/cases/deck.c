/* deck.c  Load cases as steps of CalculiX and Abaqus. */
#include "deck.h"

#include "../report/collect/measure.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>

enum { SET_NAME = 64 };

typedef struct Deck {
    const ksiLoadCases *cases;
    const ksiDeckOptions *options;
    ksiText *out;
} Deck;

/* A set of nodes that is called as the load is. */
static void writeSet(const char *load, char out[SET_NAME])
{
    size_t length = 0;
    if (!isalpha((unsigned char)*load)) {
        out[length++] = 'N';
        out[length++] = '_';
    }
    for (; *load && length + 1 < SET_NAME; load++) {
        const bool isPlain = isalnum((unsigned char)*load) != 0;
        if (isPlain)
            out[length++] = (char)toupper((unsigned char)*load);
        else if (length > 0 && out[length - 1] != '_')
            out[length++] = '_';
    }
    out[length] = 0;
}

/* A field of these programs has twenty characters. */
static void addLine(const Deck *deck, const char *node, int direction, double value)
{
    if (value != 0)
        ksiTextAdd(deck->out, "%s, %d, %.12e\n", node, direction, value);
}

static void addLoad(const Deck *deck, const ksiLoad *load)
{
    const ksiNodeRule *rule = NULL;
    char set[SET_NAME];
    writeSet(load->name, set);
    for (size_t i = 0; i < deck->options->nodeCount; i++)
        if (fnmatch(deck->options->node[i].loads, load->name, 0) == 0)
            rule = &deck->options->node[i];
    const char *force = rule ? rule->force : set, *torque = rule && rule->torque ? rule->torque : force;
    for (int k = 0; k < 3; k++)
        addLine(deck, force, k + 1, load->force[k]);
    for (int k = 0; k < 3; k++)
        addLine(deck, torque, k + (rule && rule->torque ? 1 : 4), load->torque[k] * deck->options->unit);
}

/* -alpha x s_i - w x (w x s_i). In CalculiX an element has one CENTRIF: where its axis is another one than in the step before, it has none. */
static void addRotation(const Deck *deck, const ksiLoadCase *moment)
{
    const ksiElementMesh *mesh = deck->options->mesh;
    char node[24];
    for (size_t i = 0; i < mesh->nodeCount; i++) {
        double force[3], speed[3], outward[3];
        snprintf(node, sizeof node, "%llu", (unsigned long long)mesh->number[i]);
        ksiVectorProduct(mesh->first[i], moment->turning, force);
        ksiVectorProduct(mesh->first[i], moment->spin, speed);
        ksiVectorProduct(moment->spin, speed, outward);
        for (int k = 0; k < 3; k++)
            addLine(deck, node, k + 1, force[k] + outward[k]);
    }
}

/* Size and direction. */
static void addField(const Deck *deck, const char *label, double factor, const double v[3], bool hasPoint)
{
    const double size = ksiLength(v), *p = deck->options->origin;
    if (!(size > 0))
        return;
    ksiTextAdd(deck->out, "%s, %s, %.12e", deck->options->elements, label, factor * size);
    if (hasPoint)
        ksiTextAdd(deck->out, ", %.12e, %.12e, %.12e", p[0], p[1], p[2]);
    ksiTextAdd(deck->out, ", %.12e, %.12e, %.12e\n", v[0] / size, v[1] / size, v[2] / size);
}

static void addInertia(const Deck *deck, const ksiLoadCase *moment)
{
    double weight[3];
    ksiTextAdd(deck->out, "*DLOAD, OP=NEW\n");
    for (int k = 0; k < 3; k++)
        weight[k] = moment->gravity[k] - moment->acceleration[k];
    addField(deck, "GRAV", deck->options->unit, weight, false);
    if (deck->options->mesh)
        return;
    addField(deck, "CENTRIF", ksiLength(moment->spin), moment->spin, true);
    addField(deck, "ROTA", 1, moment->turning, true);
}

static void addRemarks(const Deck *deck, size_t number)
{
    const ksiLoadCases *cases = deck->cases;
    const ksiLoadCase *moment = cases->moment[number - 1];
    const ksiElementMesh *mesh = deck->options->mesh;
    ksiTextAdd(deck->out, "**\n** Case %zu: step %llu, %.6g s\n", number, (unsigned long long)moment->step,
               moment->time);
    for (size_t i = 0; i < cases->extremeCount; i++)
        if (cases->extreme[i].moment == moment) {
            ksiTextAdd(deck->out, "** ");
            ksiExtremeToText(&cases->extreme[i], deck->out);
            ksiTextAdd(deck->out, "\n");
        }
    if (mesh && !deck->options->only) {
        double force[3], torque[3];
        ksiMeshResidual(mesh, moment, &cases->matter, force, torque);
        ksiTextAdd(deck->out,
                   "** The mass of the mesh is not spread as the body's: a support carries %.3g N, %.3g N.m\n",
                   ksiLength(force), ksiLength(torque));
    }
}

static void addStep(const Deck *deck, size_t number)
{
    const ksiDeckOptions *options = deck->options;
    const ksiLoadCase *moment = deck->cases->moment[number - 1];
    addRemarks(deck, number);
    ksiTextAdd(deck->out, "*STEP\n%s*CLOAD, OP=NEW\n",
               options->step ? options->step : "*STATIC\n*NODE FILE\nU, RF\n*EL FILE\nS\n");
    for (size_t i = 0; i < moment->count; i++)
        if (!options->only || fnmatch(options->only, moment->load[i].name, 0) == 0)
            addLoad(deck, &moment->load[i]);
    if (options->mesh && !options->only)
        addRotation(deck, moment);
    if (!options->only)
        addInertia(deck, moment);
    ksiTextAdd(deck->out, "*END STEP\n");
}

void ksiLoadCasesToDeck(const ksiLoadCases *cases, const ksiDeckOptions *options, ksiText *out)
{
    const Deck deck = {cases, options, out};
    const bool isMillimetre = options->unit > 1;
    ksiTextAdd(out, "** Loads on body %llu of %s, %s, by kinetostat %s\n", (unsigned long long)cases->body,
               cases->cleanPath, cases->world, PACKAGE_VERSION);
    ksiTextAdd(out, "** N, %s; the body's axes, its mass centre at %.9g, %.9g, %.9g\n",
               isMillimetre ? "mm, t, s" : "m, kg, s", options->origin[0], options->origin[1], options->origin[2]);
    if (options->mesh)
        ksiTextAdd(out, "** It weighs %.9g kg: *DENSITY is %.12e\n", cases->matter.mass,
                   options->mesh->density * (isMillimetre ? 1e-12 : 1));
    for (size_t i = 1; i <= cases->count; i++)
        addStep(&deck, i);
}

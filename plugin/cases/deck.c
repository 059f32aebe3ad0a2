/* deck.c  Writes load cases as analysis steps for CalculiX and Abaqus. */
#include "deck.h"

#include "../report/collect/measure.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { SET_NAME = 64 };

typedef struct Deck {
    const ksiLoadCases *cases;
    const ksiDeckOptions *options;
    ksiText *out;
} Deck;

/* Makes the name of a node set from the name of a load. */
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

/* The programs read fields of at most twenty characters. */
static void addLine(const Deck *deck, const char *node, int direction, double value)
{
    if (value != 0)
        ksiTextAdd(deck->out, "%s, %d, %.12e\n", node, direction, value);
}

/* The node or set, and the direction, on which each component of a load acts. set: made from the
 * load's name. */
typedef struct Target {
    char set[SET_NAME];
    const char *node[6];
    int direction[6];
} Target;

static void findTarget(const Deck *deck, const char *load, Target *out)
{
    const ksiNodeRule *rule = NULL;
    writeSet(load, out->set);
    for (size_t i = 0; i < deck->options->nodeCount; i++)
        if (ksiIsNamed(deck->options->node[i].loads, load))
            rule = &deck->options->node[i];
    const char *force = rule ? rule->force : out->set;
    const bool isApart = rule && rule->torque;
    for (int k = 0; k < 6; k++) {
        out->node[k] = k >= 3 && isApart ? rule->torque : force;
        out->direction[k] = k >= 3 && isApart ? k - 2 : k + 1;
    }
}

static double componentOf(const Deck *deck, const ksiLoad *load, int k)
{
    return k < 3 ? load->force[k] : load->torque[k - 3] * deck->options->unit;
}

static void addLoad(const Deck *deck, const ksiLoad *load)
{
    Target target;
    findTarget(deck, load->name, &target);
    for (int k = 0; k < 6; k++)
        addLine(deck, target.node[k], target.direction[k], componentOf(deck, load, k));
}

/* The load of a node by the body's rotation: -alpha x s_i - w x (w x s_i). With a mesh it replaces
 * CENTRIF, since CalculiX loses a CENTRIF whose axis differs from the axis of the step before. */
static void rotationOf(const double first[3], const ksiLoadCase *moment, double force[3])
{
    double speed[3], outward[3];
    ksiVectorProduct(first, moment->turning, force);
    ksiVectorProduct(first, moment->spin, speed);
    ksiVectorProduct(moment->spin, speed, outward);
    for (int k = 0; k < 3; k++)
        force[k] += outward[k];
}

enum { NODE_NAME = 24 };

static void writeNode(const ksiElementMesh *mesh, size_t node, char out[NODE_NAME])
{
    snprintf(out, NODE_NAME, "%llu", (unsigned long long)mesh->number[node]);
}

static void addRotation(const Deck *deck, const ksiLoadCase *moment)
{
    const ksiElementMesh *mesh = deck->options->mesh;
    char node[NODE_NAME];
    for (size_t i = 0; i < mesh->nodeCount; i++) {
        double force[3];
        writeNode(mesh, i, node);
        rotationOf(mesh->first[i], moment, force);
        for (int k = 0; k < 3; k++)
            addLine(deck, node, k + 1, force[k]);
    }
}

/* Adds a distributed load by its magnitude and direction. */
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
                   "** The mass of the mesh is not distributed as the body's: a support carries %.3g N, %.3g N.m\n",
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
        if (ksiIsNamed(options->only, moment->load[i].name))
            addLoad(deck, &moment->load[i]);
    if (options->mesh && !options->only)
        addRotation(deck, moment);
    if (!options->only)
        addInertia(deck, moment);
    ksiTextAdd(deck->out, "*END STEP\n");
}

static void addHead(const Deck *deck)
{
    const ksiLoadCases *cases = deck->cases;
    const ksiDeckOptions *options = deck->options;
    ksiText *out = deck->out;
    const bool isMillimetre = options->unit > 1;
    ksiTextAdd(out, "** Loads on body %llu of %s, %s, by kinetostat %s\n", (unsigned long long)cases->body,
               cases->cleanPath, cases->world, PACKAGE_VERSION);
    ksiTextAdd(out, "** N, %s; the body's axes, its mass centre at %.9g, %.9g, %.9g\n",
               isMillimetre ? "mm, t, s" : "m, kg, s", options->origin[0], options->origin[1], options->origin[2]);
    if (options->mesh)
        ksiTextAdd(out, "** It weighs %.9g kg: *DENSITY is %.12e\n", cases->matter.mass,
                   options->mesh->density * (isMillimetre ? 1e-12 : 1));
}

void ksiLoadCasesToDeck(const ksiLoadCases *cases, const ksiDeckOptions *options, ksiText *out)
{
    const Deck deck = {cases, options, out};
    addHead(&deck);
    for (size_t i = 1; i <= cases->count; i++)
        addStep(&deck, i);
}

/* --- Series --- */

/* A node and a direction on which a component of a load acts. Components with the same place are
 * summed. */
typedef struct Place {
    const ksiLoad *load;
    int component;
} Place;

typedef struct Series {
    const Deck *deck;
    ksiLoadCase *const *moment;
    size_t count, amplitudes;
    double *value; /* [count] */
    size_t placeCount, placeCapacity;
    Place *place;
    ksiText loads; /* cards of the step */
} Series;

static bool isWanted(const Deck *deck, const ksiLoad *load)
{
    return ksiIsNamed(deck->options->only, load->name);
}

static bool isAt(const Deck *deck, const Place *place, const ksiLoad *load, int k)
{
    const int own = place->component;
    Target a, b;
    if (strcmp(place->load->name, load->name) == 0)
        return own == k;
    findTarget(deck, place->load->name, &a);
    findTarget(deck, load->name, &b);
    return a.direction[own] == b.direction[k] && strcmp(a.node[own], b.node[k]) == 0;
}

static bool hasPlace(const Series *series, const ksiLoad *load, int k)
{
    for (size_t i = 0; i < series->placeCount; i++)
        if (isAt(series->deck, &series->place[i], load, k))
            return true;
    return false;
}

static bool findPlaces(Series *series)
{
    for (size_t i = 0; i < series->count; i++)
        for (size_t l = 0; l < series->moment[i]->count; l++)
            for (int k = 0; k < 6; k++) {
                const ksiLoad *load = &series->moment[i]->load[l];
                if (!isWanted(series->deck, load) || hasPlace(series, load, k))
                    continue;
                if (ksiReserve(series->deck->out->allocator, &series->place, &series->placeCapacity,
                               series->placeCount + 1, sizeof *series->place))
                    return false;
                series->place[series->placeCount++] = (Place){load, k};
            }
    return true;
}

static double loadAt(const Series *series, const Place *place, const ksiLoadCase *moment)
{
    double sum = 0;
    for (size_t l = 0; l < moment->count; l++)
        for (int k = 0; k < 6; k++)
            if (isWanted(series->deck, &moment->load[l]) && isAt(series->deck, place, &moment->load[l], k))
                sum += componentOf(series->deck, &moment->load[l], k);
    return sum;
}

/* Writes the values as an amplitude. Returns its number; 0: all values are zero. */
static size_t addAmplitude(Series *series)
{
    bool isAny = false;
    for (size_t i = 0; i < series->count; i++)
        isAny |= series->value[i] != 0;
    if (!isAny)
        return 0;
    ksiTextAdd(series->deck->out, "*AMPLITUDE, NAME=A%zu\n", ++series->amplitudes);
    for (size_t i = 0; i < series->count; i++)
        ksiTextAdd(series->deck->out, "%.12e, %.12e\n", series->moment[i]->time - series->moment[0]->time,
                   series->value[i]);
    return series->amplitudes;
}

/* CalculiX refuses two amplitudes in one direction of a node, so all loads in this direction share
 * one amplitude. node: s_i of a node of the mesh (see mesh.h), or NULL; place: may be NULL */
static void addPlace(Series *series, const char *name, int direction, const double *node, const Place *place)
{
    for (size_t i = 0; i < series->count; i++) {
        double rotation[3] = {0, 0, 0};
        if (node)
            rotationOf(node, series->moment[i], rotation);
        series->value[i] =
            (node ? rotation[direction - 1] : 0) + (place ? loadAt(series, place, series->moment[i]) : 0);
    }
    const size_t amplitude = addAmplitude(series);
    if (amplitude > 0)
        ksiTextAdd(&series->loads, "*CLOAD, AMPLITUDE=A%zu\n%s, %d, 1.\n", amplitude, name, direction);
}

/* The place with this node and direction; NULL: no load acts there. */
static const Place *placeAt(const Series *series, const char *name, int direction)
{
    for (size_t i = 0; i < series->placeCount; i++) {
        const Place *place = &series->place[i];
        Target target;
        findTarget(series->deck, place->load->name, &target);
        if (target.direction[place->component] == direction && strcmp(target.node[place->component], name) == 0)
            return place;
    }
    return NULL;
}

/* Places at nodes of the mesh also carry the loads of the rotation. */
static void addPlaces(Series *series, const ksiElementMesh *mesh)
{
    for (size_t i = 0; i < series->placeCount; i++) {
        const Place *place = &series->place[i];
        bool isOfMesh = false;
        Target target;
        findTarget(series->deck, place->load->name, &target);
        const char *name = target.node[place->component];
        for (size_t n = 0; mesh && n < mesh->nodeCount && target.direction[place->component] <= 3; n++) {
            char node[NODE_NAME];
            writeNode(mesh, n, node);
            isOfMesh |= strcmp(node, name) == 0;
        }
        if (!isOfMesh)
            addPlace(series, name, target.direction[place->component], NULL, place);
    }
    for (size_t n = 0; mesh && n < mesh->nodeCount; n++)
        for (int direction = 1; direction <= 3; direction++) {
            char node[NODE_NAME];
            writeNode(mesh, n, node);
            addPlace(series, node, direction, mesh->first[n], placeAt(series, node, direction));
        }
}

static void addWeightSeries(Series *series)
{
    const ksiDeckOptions *options = series->deck->options;
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < series->count; i++)
            series->value[i] = (series->moment[i]->gravity[k] - series->moment[i]->acceleration[k]) * options->unit;
        const size_t amplitude = addAmplitude(series);
        if (amplitude > 0)
            ksiTextAdd(&series->loads, "*DLOAD, AMPLITUDE=A%zu\n%s, GRAV, 1., %d., %d., %d.\n", amplitude,
                       options->elements, k == 0, k == 1, k == 2);
    }
}

static void addSeriesStep(const Series *series)
{
    const char *step = series->deck->options->step;
    const size_t count = series->count;
    const double time = count > 1 ? series->moment[count - 1]->time - series->moment[0]->time : 1;
    ksiText *out = series->deck->out;
    ksiTextAdd(out, "*STEP, NLGEOM, INC=%zu\n", count + 1000);
    if (step)
        ksiTextAdd(out, "%s", step);
    else
        ksiTextAdd(out, "*DYNAMIC, DIRECT\n%.12e, %.12e\n*NODE FILE\nU, RF\n*EL FILE\nS\n",
                   count > 1 ? time / (double)(count - 1) : time, time);
    if (series->loads.at)
        ksiTextAddBytes(out, series->loads.at, series->loads.length);
    ksiTextAdd(out, "*END STEP\n");
}

void ksiSeriesToDeck(const ksiLoadCases *cases, ksiLoadCase *const *moment, size_t count, const ksiDeckOptions *options,
                     ksiText *out)
{
    const Deck deck = {cases, options, out};
    Series series = {.deck = &deck, .moment = moment, .count = count, .loads = {.allocator = out->allocator}};
    series.value = ksiRoomMake(out->allocator, count * sizeof *series.value);
    if (series.value && findPlaces(&series)) {
        addHead(&deck);
        ksiTextAdd(out, "** Time 0 is that of step %llu, %.9g s\n", (unsigned long long)moment[0]->step,
                   moment[0]->time);
        addPlaces(&series, options->only ? NULL : options->mesh);
        if (!options->only)
            addWeightSeries(&series);
        addSeriesStep(&series);
    } else
        out->isShort = true;
    out->isShort |= series.loads.isShort;
    ksiTextFree(&series.loads);
    ksiFree(out->allocator, series.place);
    ksiFree(out->allocator, series.value);
}

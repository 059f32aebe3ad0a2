/* trace_scene.c  Boxes, anchors and arrows of a step, as messages for viewers of scenes. Fields and
 * their order follow the published JSON schemas of FrameTransforms and SceneUpdate
 * (docs.foxglove.dev); lists of unused primitives are empty.
 *
 * A body is shown as the box that has the same mass `m`, and the same moments of inertia `I_x`,
 * `I_y`, `I_z` about its axes. The side `a_x` of the box follows from them:
 *
 *     a_x^2 = 6 (I_y + I_z - I_x) / m */
#include "trace_scene.h"

#include "../../engine/vector.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NAME = KSI_TRACED_NAME + 40, NS = 1000000000, ALL = 1 };

/* --- Parts of messages */

static json_t *timeOf(uint64_t ns)
{
    return json_pack("{s:I, s:I}", "sec", (json_int_t)(ns / NS), "nsec", (json_int_t)(ns % NS));
}

static json_t *vector(const double x[3])
{
    return json_pack("{s:f, s:f, s:f}", "x", x[0], "y", x[1], "z", x[2]);
}

/* q: w x y z */
static json_t *quaternion(const double q[4])
{
    return json_pack("{s:f, s:f, s:f, s:f}", "x", q[1], "y", q[2], "z", q[3], "w", q[0]);
}

static json_t *pose(const double place[3], const double q[4])
{
    return json_pack("{s:o, s:o}", "position", vector(place), "orientation", quaternion(q));
}

static json_t *color(double r, double g, double b, double a)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "r", r, "g", g, "b", b, "a", a);
}

/* A list with one cube or sphere. Takes ownership of `where` and `painted`. */
static json_t *solid(json_t *where, const double size[3], json_t *painted)
{
    return json_pack("[{s:o, s:o, s:o}]", "pose", where, "size", vector(size), "color", painted);
}

/* Takes ownership of metadata, arrows, cubes and spheres; the other lists are empty. */
static json_t *entity(const ksiTraceScene *scene, const char *frame, const char *id, bool follows, json_t *metadata,
                      json_t *arrows, json_t *cubes, json_t *spheres)
{
    return json_pack("{s:o, s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:[], s:[], s:[], s:[], s:[]}", "timestamp",
                     timeOf(scene->time), "frame_id", frame, "id", id, "lifetime", timeOf(0), "frame_locked",
                     (int)follows, "metadata", metadata, "arrows", arrows, "cubes", cubes, "spheres", spheres,
                     "cylinders", "lines", "triangles", "texts", "models");
}

static json_t *update(const ksiTraceScene *scene, json_t *entities)
{
    return json_pack("{s:[{s:o, s:i, s:s}], s:o}", "deletions", "timestamp", timeOf(scene->time), "type", ALL, "id", "",
                     "entities", entities);
}

/* --- Bodies */

static const char *bodyFrame(const ksiTraceScene *scene, const ksiPoseLine *body, char name[NAME])
{
    snprintf(name, NAME, "%s/body_%lld", scene->frame, (long long)body->body);
    return name;
}

json_t *ksiSceneTransforms(const ksiTraceScene *scene)
{
    json_t *transforms = json_array();
    char name[NAME];
    for (size_t i = 0; i < scene->poseCount; i++) {
        const ksiPoseLine *body = &scene->pose[i];
        (void)!json_array_append_new(
            transforms, json_pack("{s:o, s:s, s:s, s:o, s:o}", "timestamp", timeOf(scene->time), "parent_frame_id",
                                  scene->frame, "child_frame_id", bodyFrame(scene, body, name), "translation",
                                  vector(body->place), "rotation", quaternion(body->orientation)));
    }
    return json_pack("{s:o}", "transforms", transforms);
}

json_t *ksiSceneBodies(const ksiTraceScene *scene)
{
    static const double origin[3], straight[4] = {1};
    json_t *entities = json_array();
    char name[NAME];
    for (size_t i = 0; i < scene->poseCount; i++) {
        const ksiPoseLine *body = &scene->pose[i];
        bodyFrame(scene, body, name);
        json_t *box =
            ksiLength(body->box) > 0 ? solid(pose(origin, straight), body->box, color(.55, .6, .65, .8)) : json_array();
        (void)!json_array_append_new(entities,
                                     entity(scene, name, name, true, json_array(), json_array(), box, json_array()));
    }
    return update(scene, entities);
}

/* --- Joints */

/* The physical force, or the engine's if the physical force is unknown. */
static const double *forceOf(const ksiReactionLine *line)
{
    return isfinite(ksiLength(line->physicalForce)) ? line->physicalForce : line->engineForce;
}

/* The size of the largest force. Physical forces that do not exceed their bars do not count. */
static double longestOf(const ksiTraceScene *scene)
{
    double longest = 0;
    for (size_t i = 0; i < scene->reactionCount; i++) {
        const ksiReactionLine *line = &scene->reaction[i];
        const double *force = forceOf(line), size = ksiLength(force);
        const bool mayBeNone = force == line->physicalForce && size <= line->physicalBarForce;
        if (isfinite(size) && !mayBeNone)
            longest = fmax(longest, size);
    }
    return longest;
}

/* Chooses the scale. The longest arrow of the first step with a force is as long as the mean box of
 * the first step with boxes. If an arrow would be longer than MOST boxes, all arrows become shorter
 * from then on. */
static void choose(const ksiTraceScene *scene, ksiTraceScale *scale)
{
    enum { MOST = 10 };
    double sum = 0;
    size_t boxes = 0;
    const double longest = longestOf(scene);
    for (size_t i = 0; i < scene->poseCount; i++) {
        const double *box = scene->pose[i].box, side = fmax(box[0], fmax(box[1], box[2]));
        sum += side;
        boxes += side > 0;
    }
    if (scale->size == 0 && boxes > 0)
        scale->size = sum / (double)boxes;
    if (scale->metresPerNewton == 0 && longest > 0)
        scale->metresPerNewton = scale->size / longest;
    if (longest * scale->metresPerNewton > MOST * scale->size)
        scale->metresPerNewton = MOST * scale->size / longest;
}

/* The rotation from the x axis to the force. */
static json_t *along(const double force[3], double size)
{
    static const double back[4] = {0, 0, 0, 1};
    const double q[4] = {1 + force[0] / size, 0, -force[2] / size, force[1] / size};
    const double norm = sqrt(q[0] * q[0] + q[2] * q[2] + q[3] * q[3]);
    if (norm < 1e-8)
        return quaternion(back);
    return quaternion((const double[]){q[0] / norm, 0, q[2] / norm, q[3] / norm});
}

/* The arrows of a joint: none without a force. */
static json_t *arrows(const ksiTraceScale *scale, const double place[3], const double force[3], bool isPhysical)
{
    const double size = ksiLength(force), total = size * scale->metresPerNewton, thick = .02 * scale->size;
    const double head = fmin(.4 * total, 8 * thick);
    if (!(size > 0 && isfinite(total) && total > 0))
        return json_array();
    return json_pack("[{s:{s:o, s:o}, s:f, s:f, s:f, s:f, s:o}]", "pose", "position", vector(place), "orientation",
                     along(force, size), "shaft_length", total - head, "shaft_diameter", thick, "head_length", head,
                     "head_diameter", 2.5 * thick, "color", isPhysical ? color(.1, .4, .9, 1) : color(.5, .5, .5, 1));
}

/* The name of the joint, its force and the scale of arrows, which viewers show on a click. */
static json_t *told(const ksiTraceScale *scale, const ksiJointLine *joint, const double force[3], bool isPhysical)
{
    char newtons[64], metres[64];
    snprintf(newtons, sizeof newtons, "%.6g N", ksiLength(force));
    snprintf(metres, sizeof metres, "%.6g m/N", scale->metresPerNewton);
    return json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "key", "joint", "value", joint->name, "key",
                     isPhysical ? "physical force on body 0" : "engine's force on body 0", "value", newtons, "key",
                     "length of arrows", "value", metres);
}

/* NULL: out of memory, or the joint has no place. */
static json_t *joint(const ksiTraceScene *scene, const ksiTraceScale *scale, size_t i)
{
    static const double straight[4] = {1};
    const ksiReactionLine *line = &scene->reaction[i];
    const ksiJointLine *named = ksiJointAt(scene->joints, line->joint);
    const double *force = forceOf(line);
    const double *place = isfinite(ksiLength(line->anchor[0])) ? line->anchor[0] : line->centre[0];
    const bool isPhysical = force == line->physicalForce;
    const double ball = .06 * scale->size;
    char id[NAME];
    if (!isfinite(ksiLength(place)) || !(scale->size > 0))
        return NULL;
    // all contacts between two bodies have one name, and joints may share one
    snprintf(id, sizeof id, "%s [%zu]", named->name, i);
    return entity(scene, scene->frame, id, false, told(scale, named, force, isPhysical),
                  arrows(scale, place, force, isPhysical), json_array(),
                  solid(pose(place, straight), (const double[]){ball, ball, ball}, color(.9, .5, .1, 1)));
}

json_t *ksiSceneForces(const ksiTraceScene *scene, ksiTraceScale *scale)
{
    json_t *entities = json_array();
    choose(scene, scale);
    for (size_t i = 0; i < scene->reactionCount; i++)
        (void)!json_array_append_new(entities, joint(scene, scale, i));
    return update(scene, entities);
}

/* --- Schemas */

static json_t *typed(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static json_t *list(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

/* The schema of an object with these members: pairs of a name and a schema, up to NULL. All members
 * are required. */
static json_t *object(const char *title, ...)
{
    json_t *properties = json_object(), *required = json_array();
    va_list fields;
    va_start(fields, title);
    for (const char *name; (name = va_arg(fields, const char *));) {
        (void)!json_object_set_new(properties, name, va_arg(fields, json_t *));
        (void)!json_array_append_new(required, json_string(name));
    }
    va_end(fields);
    return json_pack("{s:s, s:s, s:o, s:o}", "title", title, "type", "object", "properties", properties, "required",
                     required);
}

static json_t *number(void)
{
    return typed("number");
}

static json_t *timeSchema(const char *title)
{
    return object(title, "sec", typed("integer"), "nsec", typed("integer"), NULL);
}

static json_t *vectorSchema(void)
{
    return object("foxglove.Vector3", "x", number(), "y", number(), "z", number(), NULL);
}

static json_t *quaternionSchema(void)
{
    return object("foxglove.Quaternion", "x", number(), "y", number(), "z", number(), "w", number(), NULL);
}

static json_t *poseSchema(void)
{
    return object("foxglove.Pose", "position", vectorSchema(), "orientation", quaternionSchema(), NULL);
}

static json_t *colorSchema(void)
{
    return object("foxglove.Color", "r", number(), "g", number(), "b", number(), "a", number(), NULL);
}

static json_t *solidSchema(const char *title)
{
    return object(title, "pose", poseSchema(), "size", vectorSchema(), "color", colorSchema(), NULL);
}

json_t *ksiTransformsSchema(void)
{
    json_t *transform =
        object("foxglove.FrameTransform", "timestamp", timeSchema("time"), "parent_frame_id", typed("string"),
               "child_frame_id", typed("string"), "translation", vectorSchema(), "rotation", quaternionSchema(), NULL);
    return object("foxglove.FrameTransforms", "transforms", list(transform), NULL);
}

json_t *ksiSceneSchema(void)
{
    json_t *pair = object("foxglove.KeyValuePair", "key", typed("string"), "value", typed("string"), NULL);
    json_t *arrow = object("foxglove.ArrowPrimitive", "pose", poseSchema(), "shaft_length", number(), "shaft_diameter",
                           number(), "head_length", number(), "head_diameter", number(), "color", colorSchema(), NULL);
    json_t *shown =
        object("foxglove.SceneEntity", "timestamp", timeSchema("time"), "frame_id", typed("string"), "id",
               typed("string"), "lifetime", timeSchema("duration"), "frame_locked", typed("boolean"), "metadata",
               list(pair), "arrows", list(arrow), "cubes", list(solidSchema("foxglove.CubePrimitive")), "spheres",
               list(solidSchema("foxglove.SpherePrimitive")), "cylinders", list(typed("object")), "lines",
               list(typed("object")), "triangles", list(typed("object")), "texts", list(typed("object")), "models",
               list(typed("object")), NULL);
    json_t *deletion = object("foxglove.SceneEntityDeletion", "timestamp", timeSchema("time"), "type", typed("integer"),
                              "id", typed("string"), NULL);
    return object("foxglove.SceneUpdate", "deletions", list(deletion), "entities", list(shown), NULL);
}

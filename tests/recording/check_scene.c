/* check_scene.c  Scenes in MCAP: each body is in its place, with a size from its moments of
 * inertia, and each arrow is a joint's force at its anchor; the messages have all that the schemas
 * require, and nothing that they do not contain. Topics can be typed, and are unique. */
#define _GNU_SOURCE
#include "tests/kits/report/mcap_kit.h"
#include "tests/kits/report/trace_kit.h"

/* of quaternions, lengths and forces after a few products and roots */
static const double rounding = 1e-12;

enum { STEPS = 40, MOST_ENTITIES = 64 };

typedef struct Story {
    const Record *record;
    Scene *scene;
    size_t transforms, bodies, forces, arrows, physical;
    double scale; /* m/N, of this step */
} Story;

static double numberOf(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    ck_assert_msg(json_is_number(number), "%s is no number", key);
    return json_number_value(number);
}

static void readVector(const json_t *vector, double out[3])
{
    static const char *const key[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++)
        out[i] = numberOf(vector, key[i]);
}

static void rotationOf(const json_t *q, double out[9])
{
    const dQuaternion read = {numberOf(q, "w"), numberOf(q, "x"), numberOf(q, "y"), numberOf(q, "z")};
    dMatrix3 matrix;
    dRfromQ(matrix, read);
    for (int i = 0; i < 9; i++)
        out[i] = matrix[4 * (i / 3) + i % 3];
}

static void checkNear(const double *found, const double *wanted, int count, double size)
{
    for (int i = 0; i < count; i++)
        ck_assert_msg(fabs(found[i] - wanted[i]) <= rounding * size, "%d: %.17g, not %.17g", i, found[i], wanted[i]);
}

static void checkTime(const json_t *stamp, uint64_t time)
{
    ck_assert_uint_eq((uint64_t)json_integer_value(json_object_get(stamp, "sec")) * 1000000000 +
                          (uint64_t)json_integer_value(json_object_get(stamp, "nsec")),
                      time);
}

/* The reactions of a step, whose report has their number. */
static const ksReaction *reactionsOf(const Story *story, size_t step, size_t *count)
{
    const Record *record = story->record;
    *count = (step + 1 < record->steps ? record->first[step + 1] : record->count) - record->first[step];
    return &record->reaction[record->first[step]];
}

/* --- Bodies */

/* A body's number in the scene, from 1; frames are "car/body_1" */
static int bodyOf(const char *frame)
{
    ck_assert_int_eq(strncmp(frame, "car/body_", 9), 0);
    const int body = atoi(frame + 9);
    ck_assert(body >= 1 && body <= CAR_BODIES);
    return body;
}

static void compareTransforms(const json_t *message, uint64_t time, Story *story)
{
    const json_t *list = json_object_get(message, "transforms"), *transform;
    size_t count, i;
    const ksReaction *reaction = reactionsOf(story, story->transforms++, &count);
    ck_assert_uint_eq(json_array_size(list), CAR_BODIES);
    json_array_foreach(list, i, transform)
    {
        const int body = bodyOf(json_string_value(json_object_get(transform, "child_frame_id")));
        double place[3], rotation[9];
        ck_assert_str_eq(json_string_value(json_object_get(transform, "parent_frame_id")), "car");
        checkTime(json_object_get(transform, "timestamp"), time);
        readVector(json_object_get(transform, "translation"), place);
        rotationOf(json_object_get(transform, "rotation"), rotation);
        bool isThere = false;
        for (size_t k = 0; k < count && !isThere; k++)
            for (int side = 0; side < 2; side++)
                if (reaction[k].body[side] == story->scene->body[body - 1]) {
                    checkNear(place, reaction[k].centre[side], 3, 0);
                    checkNear(rotation, reaction[k].rotation[side], 9, 1);
                    isThere = true;
                }
        ck_assert(isThere);
    }
}

/* --- Entities */

static const char *const primitive[] = {"arrows", "cubes",     "spheres", "cylinders",
                                        "lines",  "triangles", "texts",   "models"};

/* Checks the fields of a SceneEntity, and its numbers of arrows, cubes, spheres. */
static void checkEntity(const json_t *entity, uint64_t time, const size_t wanted[3])
{
    ck_assert_uint_eq(json_object_size(entity), 6 + 8);
    checkTime(json_object_get(entity, "timestamp"), time);
    checkTime(json_object_get(entity, "lifetime"), 0);
    ck_assert(json_is_boolean(json_object_get(entity, "frame_locked")));
    ck_assert(json_is_array(json_object_get(entity, "metadata")));
    for (int i = 0; i < 8; i++) {
        const json_t *list = json_object_get(entity, primitive[i]);
        ck_assert(json_is_array(list));
        ck_assert_uint_eq(json_array_size(list), i < 3 ? wanted[i] : 0);
    }
}

/* All earlier entities are deleted; ids are different. */
static const json_t *entitiesOf(const json_t *message, uint64_t time)
{
    const json_t *deletion = json_array_get(json_object_get(message, "deletions"), 0), *entity;
    const json_t *entities = json_object_get(message, "entities");
    const char *id[MOST_ENTITIES];
    size_t i;
    checkTime(json_object_get(deletion, "timestamp"), time);
    ck_assert_int_eq(json_integer_value(json_object_get(deletion, "type")), 1);
    ck_assert(json_is_string(json_object_get(deletion, "id")));
    ck_assert_uint_lt(json_array_size(entities), MOST_ENTITIES);
    json_array_foreach(entities, i, entity)
    {
        id[i] = json_string_value(json_object_get(entity, "id"));
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(id[i], id[k]);
    }
    return entities;
}

/* The chassis is a box. Wheels are balls: 2/5 m r^2, the inertia of a cube with sides of r
 * sqrt(12/5). */
static void compareBodies(const json_t *message, uint64_t time, Story *story)
{
    static const double chassis[3] = {3.6, 1.4, 0.5}, radius = 0.35;
    static const size_t oneCube[3] = {0, 1, 0};
    const double side = radius * sqrt(12. / 5), wheel[3] = {side, side, side}, none[3] = {0};
    const json_t *entities = entitiesOf(message, time), *entity;
    size_t i;
    ck_assert_uint_eq(story->bodies++, 0);
    ck_assert_uint_eq(json_array_size(entities), CAR_BODIES);
    json_array_foreach(entities, i, entity)
    {
        double size[3], place[3];
        checkEntity(entity, time, oneCube);
        const int body = bodyOf(json_string_value(json_object_get(entity, "frame_id")));
        const json_t *cube = json_array_get(json_object_get(entity, "cubes"), 0);
        ck_assert(json_is_true(json_object_get(entity, "frame_locked")));
        readVector(json_object_get(cube, "size"), size);
        checkNear(size, body == 1 + CAR_CHASSIS ? chassis : wheel, 3, chassis[0]);
        readVector(json_object_get(json_object_get(cube, "pose"), "position"), place);
        checkNear(place, none, 3, 0);
        ck_assert(numberOf(json_object_get(cube, "color"), "a") > 0);
    }
}

/* An arrow points from its tail along x of its own axes. */
static void readArrow(const json_t *arrow, double tail[3], double force[3])
{
    const json_t *pose = json_object_get(arrow, "pose");
    const double length = numberOf(arrow, "shaft_length") + numberOf(arrow, "head_length");
    double rotation[9];
    ck_assert(numberOf(arrow, "shaft_diameter") > 0 && numberOf(arrow, "head_diameter") > 0);
    ck_assert(numberOf(arrow, "shaft_length") > 0 && numberOf(arrow, "head_length") > 0);
    readVector(json_object_get(pose, "position"), tail);
    rotationOf(json_object_get(pose, "orientation"), rotation);
    for (int i = 0; i < 3; i++)
        force[i] = length * rotation[3 * i];
}

static void compareForce(const json_t *entity, const ksReaction *r, uint64_t time, Story *story)
{
    const double *force = r->physical[0].force;
    const bool isPhysical = isfinite(force[0] + force[1] + force[2]);
    force = isPhysical ? force : r->engine[0].force;
    const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    const size_t wanted[3] = {size > 0, 0, 1};
    double tail[3], drawn[3];
    checkEntity(entity, time, wanted);
    ck_assert_str_eq(json_string_value(json_object_get(entity, "frame_id")), "car");
    const json_t *ball = json_array_get(json_object_get(entity, "spheres"), 0);
    readVector(json_object_get(json_object_get(ball, "pose"), "position"), tail);
    checkNear(tail, r->anchor[0], 3, 0);
    if (size == 0)
        return;
    readArrow(json_array_get(json_object_get(entity, "arrows"), 0), tail, drawn);
    checkNear(tail, r->anchor[0], 3, 0);
    const double length = sqrt(drawn[0] * drawn[0] + drawn[1] * drawn[1] + drawn[2] * drawn[2]);
    story->scale = story->scale > 0 ? story->scale : length / size;
    for (int i = 0; i < 3; i++)
        drawn[i] /= story->scale;
    checkNear(drawn, force, 3, size);
    story->arrows++;
    story->physical += isPhysical;
}

static void compareForces(const json_t *message, uint64_t time, Story *story)
{
    const json_t *entities = entitiesOf(message, time);
    size_t count;
    const ksReaction *reaction = reactionsOf(story, story->forces++, &count);
    const double before = story->scale;
    ck_assert_uint_eq(json_array_size(entities), count);
    story->scale = 0;
    for (size_t i = 0; i < count; i++)
        compareForce(json_array_get(entities, i), &reaction[i], time, story);
    ck_assert(before == 0 || story->scale <= before * (1 + rounding));
}

static void compareScene(const char *topic, uint64_t time, const json_t *message, void *user)
{
    Story *story = user;
    if (strcmp(topic, "/kinetostat/car/transforms") == 0)
        compareTransforms(message, time, story);
    if (strcmp(topic, "/kinetostat/car/bodies") == 0)
        compareBodies(message, time, story);
    if (strcmp(topic, "/kinetostat/car/forces") == 0)
        compareForces(message, time, story);
}

START_TEST(a_scene_is_that_of_each_step)
{
    Story story = {.record = NULL};
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = 7;
    Traced t = tracedCar("car.mcap", &options, "car", &wanted);
    runTraced(&t, STEPS);
    CHECK_OK(ksTraceClose(t.trace));
    story.record = wanted;
    story.scene = t.scene;
    const File file = readFile(in("car.mcap"));
    Found found = readRecords(&file, compareScene, &story);
    ck_assert(found.isWhole);
    ck_assert_uint_eq(story.transforms, STEPS);
    ck_assert_uint_eq(story.forces, STEPS);
    ck_assert_uint_eq(story.bodies, 1);
    ck_assert_uint_gt(story.arrows, 4 * STEPS);  // contacts have arrows, too
    ck_assert_uint_gt(story.physical, 3 * STEPS);
    freeFound(&found);
    free(file.at);
    freeRecord(wanted);
    dropScene(&t);
}
END_TEST

/* Lengths of the longest arrow of each step; a link is 0.2 m long. */
typedef struct Lengths {
    size_t steps;
    double longest[STEPS];
} Lengths;

static void noteLengths(const char *topic, uint64_t time, const json_t *message, void *user)
{
    Lengths *lengths = user;
    size_t i;
    const json_t *entity;
    if (strcmp(topic, "/kinetostat/arm/forces") != 0)
        return;
    ck_assert_uint_lt(lengths->steps, STEPS);
    json_array_foreach(entitiesOf(message, time), i, entity)
    {
        double tail[3], drawn[3];
        const json_t *arrow = json_array_get(json_object_get(entity, "arrows"), 0);
        if (!arrow)
            continue;
        readArrow(arrow, tail, drawn);
        const double length = sqrt(drawn[0] * drawn[0] + drawn[1] * drawn[1] + drawn[2] * drawn[2]);
        lengths->longest[lengths->steps] = fmax(lengths->longest[lengths->steps], length);
    }
    lengths->steps++;
}

static Lengths lengthsOf(const char *file)
{
    Lengths lengths = {.steps = 0};
    const File read = readFile(in(file));
    Found found = readRecords(&read, noteLengths, &lengths);
    freeFound(&found);
    free(read.at);
    return lengths;
}

/* A chain hangs almost without weight, and then with its full weight: a force that is 10^9 times as
 * large. */
START_TEST(arrows_stay_in_the_picture)
{
    static const double link = 0.2, most = 10;
    Traced t = traceScene(sceneChain(3, SCENE_HANGING), "arm.mcap", NULL, "arm");
    dWorldSetGravity(t.scene->world, 0, 0, -1e-8);
    runTraced(&t, 1);
    dWorldSetGravity(t.scene->world, 0, 0, -10);
    runTraced(&t, 2);
    CHECK_OK(ksTraceClose(t.trace));
    const Lengths lengths = lengthsOf("arm.mcap");
    ck_assert_uint_eq(lengths.steps, 3);
    ck_assert_double_eq_tol(lengths.longest[0], link, rounding);
    ck_assert_double_eq_tol(lengths.longest[1], most * link, rounding);
    ck_assert(lengths.longest[2] > 0.5 * most * link && lengths.longest[2] <= most * link * (1 + rounding));
    dropScene(&t);
}
END_TEST

/* In free fall the forces are rounding. */
START_TEST(rounding_has_no_arrows)
{
    enum { FALL = 10 };
    Traced t = traceScene(sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]), "arm.mcap", NULL, "arm");
    runTraced(&t, FALL);
    dBodyAddForce(t.scene->body[0], 1000, 0, 0);
    runTraced(&t, 1);
    CHECK_OK(ksTraceClose(t.trace));
    const Lengths lengths = lengthsOf("arm.mcap");
    ck_assert_uint_eq(lengths.steps, FALL + 1);
    for (int i = 0; i < FALL; i++)
        ck_assert_double_eq(lengths.longest[i], 0);
    ck_assert_double_gt(lengths.longest[FALL], 0.1);
    dropScene(&t);
}
END_TEST

/* Long names are cut; entities with equal ids would replace each other. */
START_TEST(joints_of_one_name_are_all_shown)
{
    static const char alike[] = "wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist "
                                "wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist wrist ";
    Traced t = traceScene(sceneChain(3, SCENE_HANGING), "arm.mcap", NULL, "arm");
    for (int i = 0; i < 3; i++) {
        char name[sizeof alike + 12];
        snprintf(name, sizeof name, "%s%d", alike, i);
        CHECK_OK(ksInspectorSetName(t.inspector, t.scene->joint[i], name));
    }
    runTraced(&t, 2);
    CHECK_OK(ksTraceClose(t.trace));
    ck_assert_uint_eq(lengthsOf("arm.mcap").steps, 2);
    dropScene(&t);
}
END_TEST

/* --- Bodies that change before their step is written */

typedef struct Boxes {
    double side[3];
    int count, none; /* entities with this box, and without a box */
} Boxes;

static void countBoxes(const char *topic, uint64_t time, const json_t *message, void *user)
{
    Boxes *boxes = user;
    const json_t *entity;
    size_t i;
    (void)time;
    if (strcmp(topic, "/kinetostat/boxes/bodies") != 0)
        return;
    json_array_foreach(json_object_get(message, "entities"), i, entity)
    {
        const json_t *cube = json_array_get(json_object_get(entity, "cubes"), 0);
        double size[3];
        boxes->none += cube == NULL;
        if (!cube)
            continue;
        readVector(json_object_get(cube, "size"), size);
        checkNear(size, boxes->side, 3, boxes->side[2]);
        boxes->count++;
    }
}

/* At the time of the callbacks one body has another mass and the other one is gone: the boxes
 * still show the bodies of the step. A kinematic body has no box. */
START_TEST(boxes_are_those_of_the_step)
{
    enum { BODIES = 3 };
    Boxes boxes = {.side = {0.2, 0.3, 0.4}};
    dWorldID world = dWorldCreate();
    dBodyID body[BODIES];
    dJointID ball[BODIES - 1];
    dMass mass;
    dMatrix3 turn;
    dMassSetBoxTotal(&mass, 2, boxes.side[0], boxes.side[1], boxes.side[2]);
    dRFromAxisAndAngle(turn, 1, 2, 3, 1);
    for (int i = 0; i < BODIES; i++) {
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &mass);
        dBodySetRotation(body[i], turn);
    }
    dBodySetKinematic(body[2]);
    for (int i = 0; i < BODIES - 1; i++) {
        ball[i] = dJointCreateBall(world, NULL);
        dJointAttach(ball[i], body[i], i ? body[2] : NULL);
        dJointSetBallAnchor(ball[i], 1, 0, 0);
    }
    ksInspectorOptions options = defaultOptions();
    options.latency = KS_NEXT_STEP;
    ksInspector *inspector = inspectWith(world, &options);
    ksTrace *trace = traceInto(in("boxes.mcap"), NULL);
    CHECK_OK(ksTraceWatch(trace, inspector, "boxes"));
    CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
    dMassSetBoxTotal(&mass, 5, 1, 1, 1);
    dBodySetMass(body[0], &mass);
    dJointDestroy(ball[1]);
    dBodyDestroy(body[1]);
    CHECK_OK(ksInspectorFlush(inspector));
    CHECK_OK(ksTraceClose(trace));
    const File file = readFile(in("boxes.mcap"));
    Found found = readRecords(&file, countBoxes, &boxes);
    ck_assert_int_eq(boxes.count, BODIES - 1);
    ck_assert_int_eq(boxes.none, 1);
    freeFound(&found);
    free(file.at);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- Schemas */

/* A message has only keys of its schema, and all required ones. */
static void checkAgainst(const json_t *schema, const json_t *value, const char *where)
{
    const char *type = json_string_value(json_object_get(schema, "type")), *key;
    const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    const json_t *part;
    size_t i;
    const bool isRight = strcmp(type, "object") == 0    ? json_is_object(value)
                         : strcmp(type, "array") == 0   ? json_is_array(value)
                         : strcmp(type, "string") == 0  ? json_is_string(value)
                         : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
                         : strcmp(type, "integer") == 0 ? json_is_integer(value)
                                                        : json_is_number(value);
    ck_assert_msg(isRight, "%s is no %s", where, type);
    json_array_foreach(required, i, part) ck_assert_msg(json_object_get(value, json_string_value(part)) != NULL,
                                                        "%s has no %s", where, json_string_value(part));
    json_object_foreach((json_t *)(uintptr_t)value, key, part)
    {
        ck_assert_msg(json_object_get(properties, key) != NULL, "%s: its schema has no %s", where, key);
        checkAgainst(json_object_get(properties, key), part, key);
    }
    const json_t *items = json_object_get(schema, "items");
    json_array_foreach(value, i, part) if (items) checkAgainst(items, part, where);
}

static void checkMessage(const char *topic, uint64_t time, const json_t *message, void *user)
{
    const Found *found = user;
    (void)time;
    for (int i = 0; i < MOST_TOPICS; i++)
        if (found->topic[i] && strcmp(found->topic[i], topic) == 0) {
            json_t *schema = json_loads(found->schema[found->schemaOf[i]], 0, NULL);
            checkAgainst(schema, message, topic);
            json_decref(schema);
        }
}

START_TEST(messages_are_those_of_their_schemas)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_ROWS;
    traceSteps(car(), "car.mcap", &options, "car", 10);
    const File file = readFile(in("car.mcap"));
    Found found = {.topicCount = 0};
    readInto(&file, &found, checkMessage, &found);
    ck_assert(found.isWhole);
    freeFound(&found);
    free(file.at);
}
END_TEST

/* --- Topics */

static void ignore(const char *topic, uint64_t time, const json_t *message, void *user)
{
    (void)topic, (void)time, (void)message, (void)user;
}

/* Names that differ only in characters that cannot be typed, a table's name, and a name without a
 * letter. The newest joint comes first. */
START_TEST(topics_can_be_typed)
{
    static const char *const name[] = {"elbow/1", "elbow 1", "steps", "\xe8\x82\x98", " -wrist\" 2 "};
    static const char *const topic[] = {"/kinetostat/the_arm/elbow_1_2", "/kinetostat/the_arm/elbow_1",
                                        "/kinetostat/the_arm/steps_2", "/kinetostat/the_arm/unnamed",
                                        "/kinetostat/the_arm/-wrist_2"};
    Traced t = traceScene(sceneChain(5, SCENE_FALLING), "arm.mcap", NULL, "the \"arm\"");
    ksInspector *other = NULL;
    Scene *second = sceneChain(1, SCENE_FALLING);
    CHECK_OK(ksInspectorCreate(second->world, NULL, &other));
    CHECK_OK(ksTraceWatch(t.trace, other, "the/arm"));
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorSetName(t.inspector, t.scene->joint[i], name[i]));
    runTraced(&t, 2);
    CHECK_OK(ksInspectorQuickStep(other, stepSize));
    CHECK_OK(ksTraceClose(t.trace));
    const File file = readFile(in("arm.mcap"));
    Found found = readRecords(&file, ignore, NULL);
    for (int i = 0; i < 5; i++) {
        bool isThere = false;
        for (int k = 0; k < MOST_TOPICS && !isThere; k++)
            if (found.topic[k] && strcmp(found.topic[k], topic[i]) == 0) {
                ck_assert_str_eq(found.name[k], name[i]);
                isThere = true;
            }
        ck_assert_msg(isThere, "there is no %s", topic[i]);
    }
    bool hasSecond = false;
    for (int k = 0; k < MOST_TOPICS; k++)
        for (int l = 0; found.topic[k] && l < k; l++)
            ck_assert(!found.topic[l] || strcmp(found.topic[k], found.topic[l]) != 0);
    for (int k = 0; k < MOST_TOPICS; k++)
        hasSecond |= found.topic[k] && strcmp(found.topic[k], "/kinetostat/the_arm_2/steps") == 0;
    ck_assert(hasSecond);
    freeFound(&found);
    free(file.at);
    dropScene(&t);
    ksInspectorDestroy(other);
    sceneDestroy(second);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("scene");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, a_scene_is_that_of_each_step);
    tcase_add_test(tcase, arrows_stay_in_the_picture);
    tcase_add_test(tcase, rounding_has_no_arrows);
    tcase_add_test(tcase, joints_of_one_name_are_all_shown);
    tcase_add_test(tcase, boxes_are_those_of_the_step);
    tcase_add_test(tcase, messages_are_those_of_their_schemas);
    tcase_add_test(tcase, topics_can_be_typed);
    return runCase("scenes in traces", tcase);
}

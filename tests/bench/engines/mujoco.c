/* mujoco.c  Scenes in MuJoCo, from a text: adapters/mujoco.h. Joints of the tree are its
 * coordinates; joints that close loops are `connect`. */
#include "engines.h"

#include "adapters/mujoco.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 100000 };

/* The settings; MuJoCo's defaults are Newton, 100 iterations, Euler, and a solref of 0.02 s. */
static const struct {
    const char *option;
    double perStep; /* time constant of constraints in steps; 0: the default solref */
} chosen[] = {{"", 0},
              {"", 2},
              {"solver='CG' iterations='20'", 2},
              {"solver='PGS' iterations='20'", 2},
              {"solver='PGS' iterations='100'", 2},
              {"integrator='implicit'", 2},
              {"integrator='RK4'", 2}};

typedef struct World {
    const EngineScene *scene;
    int body[ENGINE_BODIES]; /* MuJoCo's numbers */
    mjModel *m;
    mjData *d, *seen; /* seen: quantities derived from the present state */
    ksMujoco *adapter;
} World;

static void describe(char text[ENGINE_NAME])
{
    snprintf(text, ENGINE_NAME, "%s; pyramidal cones, tolerance 1e-8, loops closed by connect", mj_versionString());
}

/* --- The text --- */

static void put(char *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(char *words, const char *format, ...)
{
    const size_t used = strlen(words);
    va_list list;
    va_start(list, format);
    vsnprintf(words + used, ROOM - used, format, list);
    va_end(list);
}

static void putThree(char *words, const char *name, const double v[3])
{
    put(words, " %s='%.17g %.17g %.17g'", name, v[0], v[1], v[2]);
}

static void putScalar(char *words, const char *type, const double at[3], const double q[4], const double axis[3])
{
    double own[3];
    engineTurnBack(q, axis, own);
    put(words, "<joint type='%s'", type);
    putThree(words, "pos", at);
    putThree(words, "axis", own);
    put(words, "/>");
}

/* A joint's place and axes are in the child's axes; the last of several joints is the child's
 * own. */
static void putJoint(char *words, const EngineJoint *joint, const EngineBody *child)
{
    const double *q = child->quaternion;
    double away[3], at[3];
    for (int k = 0; k < 3; k++)
        away[k] = joint->anchor[k] - child->position[k];
    engineTurnBack(q, away, at);
    if (joint->type == KS_JOINT_BALL) {
        put(words, "<joint type='ball'");
        putThree(words, "pos", at);
        put(words, "/>");
    }
    if (joint->type == KS_JOINT_SLIDER)
        putScalar(words, "slide", at, q, joint->axis[0]);
    if (joint->type == KS_JOINT_UNIVERSAL)
        putScalar(words, "hinge", at, q, joint->axis[1]);
    if (joint->type == KS_JOINT_UNIVERSAL || joint->type == KS_JOINT_HINGE)
        putScalar(words, "hinge", at, q, joint->axis[0]);
}

static void putShape(char *words, const EngineBody *body)
{
    static const char *const type[] = {[SHAPE_BOX] = "box", [SHAPE_BALL] = "sphere", [SHAPE_BAR] = "capsule"};
    put(words, "<geom type='%s'", type[body->shape]);
    putThree(words, "size", body->size);
    put(words, "/>");
}

static void putBody(char *words, const EngineScene *scene, int i)
{
    static const EngineBody ground = {.quaternion = {1, 0, 0, 0}};
    const EngineBody *body = &scene->body[i];
    const EngineJoint *joint = engineJointAbove(scene, i);
    const EngineBody *parent = joint && joint->body[1] != WORLD ? &scene->body[joint->body[1]] : &ground;
    double away[3], at[3], q[4];
    for (int k = 0; k < 3; k++)
        away[k] = body->position[k] - parent->position[k];
    engineTurnBack(parent->quaternion, away, at);
    engineRelative(parent->quaternion, body->quaternion, q);
    put(words, "<body name='b%d' quat='%.17g %.17g %.17g %.17g'", i, q[0], q[1], q[2], q[3]);
    putThree(words, "pos", at);
    put(words, "><inertial pos='0 0 0' mass='%.17g'", body->mass);
    putThree(words, "diaginertia", body->inertia);
    put(words, "/>");
    if (joint)
        putJoint(words, joint, body);
    else
        put(words, "<freejoint/>");
    putShape(words, body);
    for (int child = i + 1; child < scene->bodyCount; child++) {
        const EngineJoint *below = engineJointAbove(scene, child);
        if (below && below->body[1] == i)
            putBody(words, scene, child);
    }
    put(words, "</body>");
}

static void putConnect(char *words, const EngineScene *scene, const EngineJoint *joint)
{
    const EngineBody *body = &scene->body[joint->body[0]];
    double away[3], at[3];
    for (int k = 0; k < 3; k++)
        away[k] = joint->anchor[k] - body->position[k];
    engineTurnBack(body->quaternion, away, at);
    put(words, "<connect body1='b%d'", joint->body[0]);
    if (joint->body[1] != WORLD)
        put(words, " body2='b%d'", joint->body[1]);
    putThree(words, "anchor", at);
    put(words, "/>");
}

static void putScene(char *words, const EngineScene *scene, int setting, double stepSize)
{
    const int contacts = scene->touches ? 300 : scene->hasGround ? 100 : 10;
    char solref[64] = "";
    if (chosen[setting].perStep > 0)
        snprintf(solref, sizeof solref, " solref='%.17g 1'", chosen[setting].perStep * stepSize);
    put(words, "<mujoco><option timestep='%.17g' gravity='0 0 %.17g' %s/>", stepSize, -engineGravity,
        chosen[setting].option);
    put(words,
        "<size njmax='%d' nconmax='%d'/><default><geom friction='%g .005 .0001' contype='%d' conaffinity='1'%s/>",
        4 * contacts + 100, contacts, scene->friction, scene->touches, solref);
    put(words, "<equality%s/></default><worldbody>", solref);
    if (scene->hasGround)
        put(words, "<geom type='plane' size='50 50 1' contype='1' conaffinity='0'/>");
    for (int i = 0; i < scene->bodyCount; i++) {
        const EngineJoint *joint = engineJointAbove(scene, i);
        if (!joint || joint->body[1] == WORLD)
            putBody(words, scene, i);
    }
    put(words, "</worldbody><equality>");
    for (int i = 0; i < scene->jointCount; i++)
        if (scene->joint[i].closes)
            putConnect(words, scene, &scene->joint[i]);
    put(words, "</equality></mujoco>");
}

static mjModel *load(const char *words)
{
    static mjVFS files; /* a megabyte */
    char error[500] = "";
    mjModel *m = NULL;
    mj_defaultVFS(&files);
    if (!mj_makeEmptyFileVFS(&files, "scene.xml", (int)strlen(words) + 1)) {
        memcpy(files.filedata[0], words, strlen(words) + 1);
        m = mj_loadXML("scene.xml", &files, error, sizeof error);
    }
    mj_deleteVFS(&files);
    if (!m)
        fprintf(stderr, "engines: MuJoCo: %s\n", error);
    return m;
}

/* --- A world --- */

static bool closeWorld(void *world)
{
    World *w = world;
    const ksStatus status = ksMujocoClose(w->adapter);
    if (status)
        fprintf(stderr, "engines: MuJoCo: %s\n", ksErrorMessage());
    mj_deleteData(w->d);
    mj_deleteData(w->seen);
    mj_deleteModel(w->m);
    free(w);
    return !status;
}

static bool fill(World *w, int setting, double stepSize, const char *path)
{
    char *words = calloc(1, ROOM);
    if (!words)
        return false;
    putScene(words, w->scene, setting, stepSize);
    w->m = load(words);
    free(words);
    w->d = w->m ? mj_makeData(w->m) : NULL;
    w->seen = w->m ? mj_makeData(w->m) : NULL;
    if (!w->d || !w->seen)
        return false;
    for (int i = 0; i < w->scene->bodyCount; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        w->body[i] = mj_name2id(w->m, mjOBJ_BODY, name);
    }
    if (path && ksMujocoCreate(w->m, path, &w->adapter)) {
        fprintf(stderr, "engines: MuJoCo: %s\n", ksErrorMessage());
        return false;
    }
    // the explanation of RK4 says it already
    if (w->adapter && ksMujocoGetNotes(w->adapter)[0] && w->m->opt.integrator != mjINT_RK4)
        fprintf(stderr, "engines: %s, MuJoCo: %s", w->scene->name, ksMujocoGetNotes(w->adapter));
    return true;
}

/* Replaces MuJoCo's default handler, which writes warnings to a file in the working directory. The
 * table shows when a simulation was reset. */
static void silence(const char *words)
{
    (void)words;
}

static void *openWorld(const EngineScene *scene, int setting, double stepSize, const char *path)
{
    World *w = calloc(1, sizeof *w);
    mju_user_warning = silence;
    if (!w)
        return NULL;
    w->scene = scene;
    if (fill(w, setting, stepSize, path))
        return w;
    (void)closeWorld(w);
    return NULL;
}

static void state(void *world, ksRecordedState *out)
{
    const World *w = world;
    mju_copy(w->seen->qpos, w->d->qpos, w->m->nq);
    mju_copy(w->seen->qvel, w->d->qvel, w->m->nv);
    mj_kinematics(w->m, w->seen);
    mj_comPos(w->m, w->seen);
    mj_comVel(w->m, w->seen);
    for (int i = 0; i < w->scene->bodyCount; i++) {
        const int body = w->body[i];
        double velocity[6];
        mj_objectVelocity(w->m, w->seen, mjOBJ_BODY, body, velocity, 0);
        mju_copy3(out[i].position, w->seen->xipos + 3 * body);
        mju_mulQuat(out[i].quaternion, w->seen->xquat + 4 * body, w->m->body_iquat + 4 * body);
        mju_copy3(out[i].angularVelocity, velocity);
        mju_copy3(out[i].velocity, velocity + 3);
    }
}

static bool step(void *world, const ksWrench *load)
{
    World *w = world;
    const double before = w->d->time;
    ksStatus status = KS_OK;
    for (int i = 0; i < w->scene->bodyCount; i++) {
        double *applied = w->d->xfrc_applied + 6 * w->body[i];
        mju_copy3(applied, load[i].force);
        mju_copy3(applied + 3, load[i].torque);
    }
    if (w->adapter)
        status = ksMujocoStep(w->adapter, w->d);
    else
        mj_step(w->m, w->d);
    if (status && status != KS_ERROR_ENGINE)
        fprintf(stderr, "engines: MuJoCo: %s\n", ksErrorMessage());
    return !status && w->d->time > before;
}

static bool reactions(void *world)
{
    World *w = world;
    mju_copy(w->seen->qpos, w->d->qpos, w->m->nq);
    mju_copy(w->seen->qvel, w->d->qvel, w->m->nv);
    mju_copy(w->seen->qacc, w->d->qacc, w->m->nv);
    mj_inverse(w->m, w->seen);
    mj_rnePostConstraint(w->m, w->seen);
    return true;
}

const Engine engineMujoco = {
    .name = "MuJoCo",
    .describe = describe,
    .setting = {"Newton", "Newton-2h", "CG-20", "PGS-20", "PGS-100", "implicit", "RK4"},
    .explanation = {"MuJoCo's defaults: Newton, 100 iterations, Euler, solref 0.02 s",
                    "the same with a solref of two steps, the stiffest possible, as in all below",
                    "conjugate gradients, 20 iterations", "projected Gauss-Seidel, 20 iterations", "100 iterations",
                    "Newton; integrator implicit", "Newton; integrator RK4, four evaluations a step"},
    .open = openWorld,
    .state = state,
    .step = step,
    .close = closeWorld,
    .reactions = reactions};

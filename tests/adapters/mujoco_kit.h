/* mujoco_kit.h  MuJoCo models from text; random trees; and the wrenches in their joints by MuJoCo's
 * inverse dynamics. */
#ifndef TESTS_ADAPTERS_MUJOCO_KIT_H
#define TESTS_ADAPTERS_MUJOCO_KIT_H

#include "tests/kits/report/judge_kit.h"

#include "adapters/mujoco.h"

#include <stdarg.h>

/* --- Models --- */

static inline mjModel *modelOf(const char *text)
{
    static mjVFS files; /* a megabyte */
    char error[500] = "";
    mj_defaultVFS(&files);
    ck_assert_int_eq(mj_makeEmptyFileVFS(&files, "model.xml", (int)strlen(text) + 1), 0);
    memcpy(files.filedata[0], text, strlen(text) + 1);
    mjModel *m = mj_loadXML("model.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    ck_assert_msg(m != NULL, "%s\n%s", error, text);
    return m;
}

/* xorshift64*: the same everywhere. */
static inline double drawn(uint64_t *seed, double low, double high)
{
    *seed ^= *seed >> 12, *seed ^= *seed << 25, *seed ^= *seed >> 27;
    return low + (high - low) * (double)((*seed * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

enum { TREE_BODIES = 9, TEXT_ROOM = 20000 };

typedef struct Text {
    uint64_t seed;
    double damping;
    bool isOnFloor, hasJets;
    int bodies, scalars; /* counts so far; joints of one coordinate are s0, s1, ... */
    char words[TEXT_ROOM], drives[TEXT_ROOM];
} Text;

__attribute__((format(printf, 2, 3))) static inline void put(char *words, const char *format, ...)
{
    const size_t used = strlen(words);
    va_list list;
    va_start(list, format);
    vsnprintf(words + used, TEXT_ROOM - used, format, list);
    va_end(list);
    ck_assert_uint_lt(strlen(words), TEXT_ROOM - 1);
}

static inline void putJoint(Text *text, const char *type, const char *axis)
{
    const int isHinge = strcmp(type, "hinge") == 0, isScalar = strcmp(type, "ball") != 0;
    char name[16];
    snprintf(name, sizeof name, isScalar ? "s%d" : "ball%d", isScalar ? text->scalars++ : text->bodies);
    put(text->words, "<joint name='%s' type='%s' axis='%s' pos='0 .03 -.01' armature='%g'", name, type, axis,
        drawn(&text->seed, 0, 0.05));
    put(text->words, " stiffness='%g' damping='%g' frictionloss='%g'", drawn(&text->seed, 0, 3),
        drawn(&text->seed, 0, 1) * text->damping, isScalar ? drawn(&text->seed, 0, 0.1) : 0);
    if (isScalar)
        put(text->words, " limited='true' range='%s'", isHinge ? "-40 40" : "-.1 .1");
    put(text->words, "/>");
    put(text->drives, "<motor joint='%s' gear='%g .7 -.4'/>", name, drawn(&text->seed, 0.5, 2));
}

enum { FIXED, HINGE, SLIDE, BALL, UNIVERSAL, THREE_HINGES, KINDS };

/* Nested bodies with joints of all kinds; some trees start with a free body. */
static inline void putBody(Text *text, bool isRoot)
{
    static const char *const hinge[] = {".6 0 .8", "0 1 0", ".8 0 -.6"};
    uint64_t *seed = &text->seed;
    const int kind = (int)drawn(seed, 0, KINDS), isFree = isRoot && (text->isOnFloor || drawn(seed, 0, 2) < 1);
    const int hinges = kind == HINGE ? 1 : kind == UNIVERSAL ? 2 : kind == THREE_HINGES ? 3 : 0;
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = drawn(seed, -1, 1);
    put(text->words, "<body name='b%d' pos='%g %g %g' quat='%g %g %g %g'>", text->bodies++, drawn(seed, -0.3, 0.3),
        drawn(seed, -0.3, 0.3), isRoot ? 0.5 : drawn(seed, -0.3, 0.3), q[0], q[1], q[2], q[3]);
    put(text->words, "<inertial pos='.02 %g .05' quat='1 .2 %g 0' mass='%g' diaginertia='.01 %g .012'/>",
        drawn(seed, -0.1, 0.1), drawn(seed, -1, 1), drawn(seed, 0.3, 3), drawn(seed, 0.005, 0.02));
    put(text->words, "<geom size='.05'/>");
    if (isFree)
        put(text->words, "<freejoint/>");
    if (text->hasJets) {
        put(text->words, "<site name='site%d' pos='.1 0 .2' quat='.6 0 .8 0'/>", text->bodies);
        put(text->drives, "<general site='site%d' gear='1 .5 -.3 .1 .2 0'/>", text->bodies);
    }
    for (int k = 0; k < hinges && !isFree; k++)
        putJoint(text, "hinge", hinge[k]);
    if (!isFree && (kind == SLIDE || kind == BALL))
        putJoint(text, kind == SLIDE ? "slide" : "ball", "0 .8 .6");
    while (text->bodies < TREE_BODIES && drawn(seed, 0, 3) < 2)
        putBody(text, false);
    put(text->words, "</body>");
}

typedef struct Trees {
    uint64_t seed;
    const char *options;
    bool hasFloor; /* bodies touch the floor */
    bool isUndamped;
    bool hasJets; /* at a site of each body; cfrc_int does not include them */
} Trees;

static inline mjModel *randomTrees(const Trees *trees)
{
    static Text text;
    memset(&text, 0, sizeof text);
    text.seed = trees->seed * UINT64_C(0x9E3779B97F4A7C15);
    text.hasJets = trees->hasJets;
    text.isOnFloor = trees->hasFloor;
    text.damping = trees->isUndamped ? 0 : 0.2;
    put(text.words, "<mujoco><option %s/><default><geom contype='%d' conaffinity='0'/></default><worldbody>",
        trees->options, trees->hasFloor);
    if (trees->hasFloor)
        put(text.words, "<geom type='plane' size='5 5 1' contype='0' conaffinity='1' pos='0 0 .46'/>");
    while (text.bodies < TREE_BODIES)
        putBody(&text, true);
    put(text.words, "</worldbody><actuator>%s</actuator>", text.drives);
    if (text.scalars > 3)
        put(text.words,
            "<tendon><fixed stiffness='2' damping='.1'><joint joint='s0' coef='1'/><joint joint='s1' coef='-2'/>"
            "</fixed></tendon><equality><joint joint1='s2' joint2='s3' polycoef='0 .5 0 0 0'/></equality>");
    put(text.words, "</mujoco>");
    return modelOf(text.words);
}

/* The loads of a step. */
static const double pushed = 1; /* N on each body */

static inline void drive(const mjModel *m, mjData *d, int step)
{
    for (int i = 0; i < m->nu; i++)
        d->ctrl[i] = 0.5 * sin(0.1 * step + i);
    for (int i = 0; i < m->nv; i++)
        d->qfrc_applied[i] = 0.05 * cos(0.2 * step + i);
    for (int i = 6; i < 6 * m->nbody; i++)
        d->xfrc_applied[i] = (i % 6 < 3 ? pushed : 0.05) * sin(0.07 * step + i);
}

/* Two arms with a forearm each. */
static const char arms[] =
    "<mujoco><option timestep='.002'/><default><geom type='capsule' size='.03' contype='0'/></default><worldbody>"
    "<body name='a' pos='0 0 1'><joint name='ja' axis='0 1 0'/><geom fromto='0 0 0 .5 0 0'/>"
    "<body name='aa' pos='.5 0 0'><joint name='jaa' axis='0 .6 .8'/><geom fromto='0 0 0 .4 .1 0'/></body></body>"
    "<body name='b' pos='0 1 1'><joint name='jb' type='ball'/><geom fromto='0 0 0 .5 0 0'/>"
    "<body name='bb' pos='.5 0 0'><joint name='jbb' axis='0 1 0'/><geom fromto='0 0 0 .4 .1 0'/></body></body>"
    "</worldbody></mujoco>";

/* Two bars, the second of which is connected to the world at its end: at rest in the model's
 * pose. */
static const char arch[] =
    "<mujoco><option timestep='.002'/><default><geom type='box' size='.5 .05 .05' contype='0' "
    "mass='2'/></default><worldbody>"
    "<body name='left'><joint name='foot' axis='0 1 0'/><geom pos='.4 0 .3' quat='.9486832980505138 0 "
    "-.31622776601683794 0'/>"
    "<body name='right' pos='.8 0 .6'><joint name='crown' axis='0 1 0'/>"
    "<geom pos='.4 0 -.3' quat='.9486832980505138 0 .31622776601683794 0'/></body></body>"
    "</worldbody><equality><connect name='end' body1='right' anchor='.8 0 -.6' solref='.004 1'/></equality></mujoco>";

/* Replaces MuJoCo's default handler, which writes warnings to a file in the working directory. */
static inline void silence(const char *words)
{
    (void)words;
}

/* --- By MuJoCo's inverse dynamics --- */

/* The wrench that a joint transmits to a body, about its mass centre, without components along its
 * freedoms; at the accelerations of the finished step. */
static inline void takeFreedom(const mjModel *m, const mjData *d, int body, ksWrench *w)
{
    const int first = m->body_jntadr[body];
    for (int k = 0; k < m->body_jntnum[body]; k++) {
        const double *axis = d->xaxis + 3 * (first + k);
        double arm[3], turning[3], about[3];
        mju_sub3(arm, d->xanchor + 3 * first, d->xipos + 3 * body);
        mju_cross(turning, arm, w->force);
        mju_sub3(about, w->torque, turning);
        if (m->jnt_type[first] == mjJNT_BALL || m->body_jntnum[body] == 3) {
            mju_copy3(w->torque, turning);
        } else if (m->jnt_type[first] == mjJNT_HINGE) {
            mju_addToScl3(w->torque, axis, -mju_dot3(about, axis));
        } else {
            const double along = mju_dot3(w->force, axis);
            mju_addToScl3(w->force, axis, -along);
            mju_cross(turning, arm, axis);
            mju_addToScl3(w->torque, turning, -along);
        }
    }
}

/* Adds the forces of actuators at sites as xfrc_applied, which cfrc_int includes. */
static inline void addJets(const mjModel *m, const mjData *from, mjData *d)
{
    for (int i = 0; i < m->nu; i++) {
        const int site = m->actuator_trnid[2 * i], isJet = m->actuator_trntype[i] == mjTRN_SITE;
        const int body = isJet ? m->site_bodyid[site] : 0;
        double force[3], torque[3], arm[3], turning[3], *applied = d->xfrc_applied + 6 * body;
        if (!isJet)
            continue;
        mju_rotVecMat(force, m->actuator_gear + 6 * i, d->site_xmat + 9 * site);
        mju_rotVecMat(torque, m->actuator_gear + 6 * i + 3, d->site_xmat + 9 * site);
        mju_sub3(arm, d->site_xpos + 3 * site, d->xipos + 3 * body);
        mju_cross(turning, arm, force);
        mju_addToScl3(applied, force, from->actuator_force[i]);
        mju_addToScl3(applied + 3, torque, from->actuator_force[i]);
        mju_addToScl3(applied + 3, turning, from->actuator_force[i]);
    }
}

/* begin: the data before the step; after: the data after it; out [nbody]. Forces of contacts and
 * other constraints belong to the step. */
static inline void inverseWrenches(const mjModel *m, mjData *begin, const mjData *after, ksWrench *out)
{
    for (int i = 0; i < m->nv; i++)
        begin->qacc[i] = (after->qvel[i] - begin->qvel[i]) / m->opt.timestep;
    mj_inverse(m, begin);
    if (m->opt.integrator != mjINT_RK4) {
        ck_assert_int_eq(begin->nefc, after->nefc);
        mju_copy(begin->efc_force, after->efc_force, after->nefc);
    }
    addJets(m, after, begin);
    mj_rnePostConstraint(m, begin);
    for (int i = 1; i < m->nbody; i++) {
        double own[6];
        mju_transformSpatial(own, begin->cfrc_int + 6 * i, 1, begin->xipos + 3 * i,
                             begin->subtree_com + 3 * m->body_rootid[i], 0);
        mju_copy3(out[i].torque, own);
        mju_copy3(out[i].force, own + 3);
        takeFreedom(m, begin, i, &out[i]);
    }
}
#endif

/* mujoco.c  MuJoCo with its defaults (Newton, Euler, solref 0.02 s): cfrc_int after
 * mj_rnePostConstraint, and efc_force for constraints that close loops. */
#define _GNU_SOURCE
#include "say.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

static const char *const name = "MuJoCo";

static const char *const head = "<mujoco><option timestep='.001' gravity='0 0 -9.81'/><default><geom contype='0' "
                                "conaffinity='0'/><joint type='hinge' axis='0 1 0'/>"
                                "</default>";

static const struct {
    const char *name, *model;
    int joints; /* entries of `joint`; 0: contacts alone */
    struct {
        int body, connect; /* body 0: joint is the connect of this number, from 0 */
        double anchor[3];
    } joint[4];
} scenes[] = {
    {"rest",
     "<worldbody><body><joint/><geom type='box' mass='2' pos='0 0 -.5' size='.01 .01 .5'/></body></worldbody>",
     1,
     {{1, 0, {0, 0, 0}}}},
    {"swing",
     "<worldbody><body><joint/><geom type='box' mass='2' pos='0 0 -.5' size='.01 .01 .5'/></body></worldbody>",
     1,
     {{1, 0, {0, 0, 0}}}},
    {"arm",
     "<worldbody><body><joint name='a'/><geom type='box' mass='2' pos='.5 0 0' size='.5 .01 .01'/>"
     "<body pos='1 0 0'><joint name='b'/><geom type='box' mass='1' pos='.25 0 0' size='.25 .01 "
     ".01'/></body></body></worldbody>"
     "<equality><joint joint1='a'/><joint joint1='b'/></equality>",
     2,
     {{1, 0, {0, 0, 0}}, {2, 0, {1, 0, 0}}}},
    {"loop",
     "<worldbody><body><joint/><geom type='box' mass='1' pos='0 0 -.5' size='.01 .01 .5'/>"
     "<body name='bar' pos='0 0 -1'><joint/><geom type='box' mass='4' pos='.5 0 0' size='.5 .01 .01'/></body></body>"
     "<body name='second' pos='1 0 0'><joint/><geom type='box' mass='1' pos='0 0 -.5' size='.01 .01 "
     ".5'/></body></worldbody>"
     "<equality><connect body1='bar' body2='second' anchor='1 0 0'/></equality>",
     4,
     {{1, 0, {0, 0, 0}}, {2, 0, {0, 0, -1}}, {0, 0, {1, 0, -1}}, {3, 0, {1, 0, 0}}}},
    {"door",
     "<worldbody><body name='door' pos='0 0 -.7'><joint axis='0 0 1'/><geom type='box' mass='20' pos='.4 0 .7' "
     "size='.4 .02 1'/></body></worldbody>"
     "<equality><connect body1='door' body2='world' anchor='0 0 1.4'/></equality>",
     2,
     {{1, 0, {0, 0, -.7}}, {0, 0, {0, 0, .7}}}},
    {"wall",
     "<worldbody><geom type='plane' size='2 2 1' xyaxes='0 1 0 0 0 1' contype='1' conaffinity='1'/>"
     "<body pos='.1 0 0'><freejoint/><geom type='box' mass='1' size='.1 .1 .1' contype='1' "
     "conaffinity='1'/></body></worldbody>",
     0,
     {{0, 0, {0, 0, 0}}}},
};

static mjModel *load(const char *words)
{
    static mjVFS files; /* a megabyte */
    char error[500] = "", *whole = NULL;
    mjModel *m = NULL;
    if (asprintf(&whole, "%s%s</mujoco>", head, words) < 0)
        return NULL;
    mj_defaultVFS(&files);
    if (!mj_makeEmptyFileVFS(&files, "scene.xml", (int)strlen(whole) + 1)) {
        memcpy(files.filedata[0], whole, strlen(whole) + 1);
        m = mj_loadXML("scene.xml", &files, error, sizeof error);
    }
    mj_deleteVFS(&files);
    free(whole);
    if (!m)
        fprintf(stderr, "%s\n", error);
    return m;
}

/* Three rows: the force on body 1, in world axes. */
static const double *forceOfConnect(const mjData *d, int connect)
{
    for (int i = 0; i < d->nefc; i++)
        if (d->efc_type[i] == mjCNSTR_EQUALITY && d->efc_id[i] == connect)
            return d->efc_force + i;
    return NULL;
}

static void sayContacts(const mjModel *m, const mjData *d, int step)
{
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < d->ncon; i++) {
        double own[6], force[3];
        mj_contactForce(m, d, i, own);
        mju_mulMatTVec(force, d->contact[i].frame, own, 3, 3);
        mju_addTo3(sum, force);
    }
    say(name, "wall", 1, step, sum, NULL, NULL, NULL, NULL);
}

/* Forces are computed at the start of a step. */
static void run(int scene)
{
    mjModel *m = load(scenes[scene].model);
    if (!m)
        exit(EXIT_FAILURE);
    mjData *d = mj_makeData(m);
    if (strcmp(scenes[scene].name, "swing") == 0)
        d->qpos[0] = 0.7, d->qvel[0] = 3;
    for (int step = 1; step <= STEPS; step++) {
        const double motion[2] = {d->qpos[0], d->qvel[0]};
        if (scenes[scene].joints == 0)
            d->xfrc_applied[6] = -50;
        mj_forward(m, d);
        mj_rnePostConstraint(m, d);
        for (int j = 0; j < scenes[scene].joints && isSaid(step); j++) {
            const int body = scenes[scene].joint[j].body;
            const double *wrench = d->cfrc_int + 6 * body, *connect = forceOfConnect(d, scenes[scene].joint[j].connect);
            if (body)
                say(name, scenes[scene].name, j + 1, step, wrench + 3, wrench,
                    d->subtree_com + 3 * m->body_rootid[body], scenes[scene].joint[j].anchor, motion);
            else if (connect)
                say(name, scenes[scene].name, j + 1, step, connect, NULL, NULL, NULL, motion);
        }
        if (scenes[scene].joints == 0 && isSaid(step))
            sayContacts(m, d, step);
        mj_step(m, d);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
}

int main(void)
{
    printf("engine|%s|%s|`cfrc_int`; `efc_force` of a connect; `mj_contactForce`|child (+)|world, mass centre of the "
           "tree; torque first|N\n",
           name, mj_versionString());
    for (int i = 0; i < (int)(sizeof scenes / sizeof *scenes); i++)
        run(i);
    return 0;
}

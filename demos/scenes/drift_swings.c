/* drift_swings.c  Pendulums and chains. Their forces follow from angles and rates, by Lagrange's
 * equations in the free coordinates. */
#include "drift_private.h"

#include <math.h>

static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A force along the world's axes. */
static void setForce(DriftForce *out, dBodyID body, double x, double y, double z)
{
    *out = (DriftForce){.body = body, .count = 3, .value = {x, y, z}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out->axis[i][k] = world[i][k];
}

Scene *driftPendulum(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return scenePendulum(&scenePlate);
}

int driftPendulumForce(const Scene *scene, int joint, DriftForce *out)
{
    double angle, rate, force[3];
    (void)joint;
    plateState(scene, &scenePlate, &angle, &rate);
    plateReaction(&scenePlate, angle, rate, force);
    setForce(out, scene->body[0], force[0], force[1], force[2]);
    return 1;
}

/* --- a bar on a ball: Euler's equations about the ball */

static const double coneMass = 2, coneHalf = 0.5, coneAngle = 0.6, thickness = 0.04;

static double coneAcross(void)
{
    return coneMass * (4 * coneHalf * coneHalf + thickness * thickness) / 12 + coneMass * coneHalf * coneHalf;
}

static double coneAlong(void)
{
    return coneMass * thickness * thickness / 6;
}

Scene *driftConicalPendulum(const SceneSurface *surface, double stepSize)
{
    const double length = 2 * coneHalf, origin[3] = {0, 0, 0};
    const double turning = sqrt(coneMass * SCENE_GRAVITY * coneHalf / (cos(coneAngle) * (coneAcross() - coneAlong())));
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(1, 1);
    if (!scene)
        return NULL;
    dBodyID bar =
        sceneAddBar(scene, coneMass, origin, (const double[3]){length * sin(coneAngle), 0, -length * cos(coneAngle)});
    sceneAddBall(scene, bar, NULL, origin);
    dBodySetLinearVel(bar, 0, turning * coneHalf * sin(coneAngle), 0);
    dBodySetAngularVel(bar, 0, 0, turning);
    return scene;
}

int driftConicalPendulumForce(const Scene *scene, int joint, DriftForce *out)
{
    const dReal *rotation = dBodyGetRotation(scene->body[0]), *w = dBodyGetAngularVel(scene->body[0]);
    const double along[3] = {rotation[0], rotation[4], rotation[8]}, spin = DOT3(w, along);
    const double across = coneAcross(), axial = coneAlong(), weight[3] = {0, 0, -coneMass * SCENE_GRAVITY};
    double r[3], torque[3], gyroscopic[3], angular[3], centripetal[3], acceleration[3], momentum[3];
    (void)joint;
    for (int k = 0; k < 3; k++) {
        r[k] = coneHalf * along[k];
        momentum[k] = across * w[k] + (axial - across) * spin * along[k];
    }
    CROSS3(torque, r, weight);
    CROSS3(gyroscopic, w, momentum);
    for (int k = 0; k < 3; k++)
        torque[k] -= gyroscopic[k];
    const double twist = DOT3(torque, along);
    for (int k = 0; k < 3; k++)
        angular[k] = torque[k] / across + twist * (1 / axial - 1 / across) * along[k];
    CROSS3(acceleration, angular, r);
    const double ww = DOT3(w, w), wr = DOT3(w, r);
    for (int k = 0; k < 3; k++)
        centripetal[k] = wr * w[k] - ww * r[k];
    setForce(out, scene->body[0], coneMass * (acceleration[0] + centripetal[0]),
             coneMass * (acceleration[1] + centripetal[1]),
             coneMass * (acceleration[2] + centripetal[2] + SCENE_GRAVITY));
    return 1;
}

/* --- chains */

enum { HANGING_LINKS = 20, SWINGING_LINKS = 10 };
static const double linkLength = 0.2, linkWidth = 0.04; /* of sceneChain; 1 kg */

Scene *driftHangingChain(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return sceneChain(HANGING_LINKS, SCENE_HANGING);
}

int driftHangingChainForce(const Scene *scene, int joint, DriftForce *out)
{
    setForce(out, scene->body[joint], 0, 0, (scene->bodyCount - joint) * SCENE_GRAVITY);
    return 1;
}

Scene *driftSwingingChain(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return sceneChain(SWINGING_LINKS, SCENE_FALLING);
}

/* a[k][i]: the displacement of the centre of link k by a unit of link i's direction. */
static double carries(int k, int i)
{
    return i < k ? linkLength : i == k ? 0.5 * linkLength : 0;
}

/* Solves A x = b by elimination; A is positive definite. */
static void solve(int n, double a[SWINGING_LINKS][SWINGING_LINKS], double b[SWINGING_LINKS])
{
    for (int i = 0; i < n; i++)
        for (int r = i + 1; r < n; r++) {
            const double factor = a[r][i] / a[i][i];
            for (int c = i; c < n; c++)
                a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
}

/* The links' angles p about y are free; link i points along (cos p, 0, -sin p):
 *
 *     sum_j A_ij cos(p_i - p_j) p_j'' + I p_i''
 *         = -sum_j A_ij sin(p_i - p_j) p_j'^2 + g cos p_i sum_k a_ki. */
static void chainAngular(const double *angle, const double *rate, double *angular)
{
    const int n = SWINGING_LINKS;
    const double inertia = (linkLength * linkLength + linkWidth * linkWidth) / 12;
    double a[SWINGING_LINKS][SWINGING_LINKS];
    for (int i = 0; i < n; i++) {
        angular[i] = 0;
        for (int k = 0; k < n; k++)
            angular[i] += SCENE_GRAVITY * cos(angle[i]) * carries(k, i);
        for (int j = 0; j < n; j++) {
            double both = 0;
            for (int k = 0; k < n; k++)
                both += carries(k, i) * carries(k, j);
            a[i][j] = both * cos(angle[i] - angle[j]) + (i == j ? inertia : 0);
            angular[i] -= both * sin(angle[i] - angle[j]) * rate[j] * rate[j];
        }
    }
    solve(n, a, angular);
}

int driftSwingingChainForce(const Scene *scene, int joint, DriftForce *out)
{
    double angle[SWINGING_LINKS], rate[SWINGING_LINKS], angular[SWINGING_LINKS], x = 0, z = 0;
    for (int i = 0; i < SWINGING_LINKS; i++) {
        const dReal *rotation = dBodyGetRotation(scene->body[i]);
        angle[i] = atan2(-rotation[8], rotation[0]);
        rate[i] = dBodyGetAngularVel(scene->body[i])[1];
    }
    chainAngular(angle, rate, angular);
    for (int k = joint; k < SWINGING_LINKS; k++) {
        z += SCENE_GRAVITY;
        for (int i = 0; i <= k; i++) {
            const double s = sin(angle[i]), c = cos(angle[i]), square = rate[i] * rate[i], arm = carries(k, i);
            x -= arm * (s * angular[i] + c * square);
            z -= arm * (c * angular[i] - s * square);
        }
    }
    setForce(out, scene->body[joint], x, 0, z);
    return 1;
}

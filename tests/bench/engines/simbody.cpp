/* simbody.cpp  Scenes in Simbody: adapters/simbody.h. Joints of the tree are mobilisers, the others
 * Constraint::Ball. */
#include "engines.h"

#include "adapters/simbody.h"

#include <exception>
#include <memory>

using namespace SimTK;

namespace {
enum { EULER, MERSON };

struct World {
    const EngineScene *scene;
    double stepSize;
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Force::UniformGravity gravity{forces, matter, Vec3(0, 0, -engineGravity)};
    Force::DiscreteForces applied{forces, matter};
    MobilizedBodyIndex body[ENGINE_BODIES];
    std::unique_ptr<Integrator> integrator;
    ksSimbody *adapter = nullptr;
};

Vec3 vector(const double v[3])
{
    return Vec3(v[0], v[1], v[2]);
}

Transform poseOf(const EngineBody &body)
{
    const double *q = body.quaternion;
    return Transform(Rotation(Quaternion(q[0], q[1], q[2], q[3])), vector(body.position));
}

/* A hinge turns about z, a slider slides along x, a universal joint turns about the parent's x and
 * the child's y. */
Transform frameOf(const EngineJoint &joint)
{
    const Vec3 at = vector(joint.anchor);
    switch (int(joint.type)) {
    case KS_JOINT_HINGE:
        return Transform(Rotation(UnitVec3(vector(joint.axis[0])), ZAxis), at);
    case KS_JOINT_SLIDER:
        return Transform(Rotation(UnitVec3(vector(joint.axis[0])), XAxis), at);
    case KS_JOINT_UNIVERSAL:
        return Transform(Rotation(UnitVec3(vector(joint.axis[1])), XAxis, vector(joint.axis[0]), YAxis), at);
    default:
        return Transform(at);
    }
}

MobilizedBody newBody(const EngineJoint *joint, MobilizedBody &parent, const Transform &in, const Body &body,
                      const Transform &out)
{
    switch (joint ? int(joint->type) : 0) {
    case KS_JOINT_HINGE:
        return MobilizedBody::Pin(parent, in, body, out);
    case KS_JOINT_SLIDER:
        return MobilizedBody::Slider(parent, in, body, out);
    case KS_JOINT_BALL:
        return MobilizedBody::Ball(parent, in, body, out);
    case KS_JOINT_UNIVERSAL:
        return MobilizedBody::Universal(parent, in, body, out);
    case KS_JOINT_FIXED:
        return MobilizedBody::Weld(parent, in, body, out);
    default:
        return MobilizedBody::Free(parent, in, body, out);
    }
}

MobilizedBody &bodyOf(World &w, int i)
{
    return i == WORLD ? w.matter.updGround() : w.matter.updMobilizedBody(w.body[i]);
}

void addBody(World &w, int i)
{
    const EngineBody &body = w.scene->body[i];
    const EngineJoint *joint = engineJointAbove(w.scene, i);
    const int above = joint ? joint->body[1] : WORLD;
    const Transform own = poseOf(body), parent = above == WORLD ? Transform() : poseOf(w.scene->body[above]);
    const Transform frame = joint ? frameOf(*joint) : own;
    const Body::Rigid rigid(
        MassProperties(body.mass, Vec3(0), Inertia(body.inertia[0], body.inertia[1], body.inertia[2])));
    w.body[i] = newBody(joint, bodyOf(w, above), ~parent * frame, rigid, ~own * frame).getMobilizedBodyIndex();
}

void closeLoop(World &w, const EngineJoint &joint)
{
    Vec3 at[2];
    for (int side = 0; side < 2; side++)
        at[side] =
            (joint.body[side] == WORLD ? Transform() : ~poseOf(w.scene->body[joint.body[side]])) * vector(joint.anchor);
    Constraint::Ball(bodyOf(w, joint.body[0]), at[0], bodyOf(w, joint.body[1]), at[1]);
}

void build(World &w, int setting)
{
    for (int i = 0; i < w.scene->bodyCount; i++)
        addBody(w, i);
    for (int i = 0; i < w.scene->jointCount; i++)
        if (w.scene->joint[i].closes)
            closeLoop(w, w.scene->joint[i]);
    w.system.realizeTopology();
    State state = w.system.getDefaultState();
    w.system.realize(state, Stage::Velocity);
    if (setting == MERSON)
        w.integrator.reset(new RungeKuttaMersonIntegrator(w.system));
    else
        w.integrator.reset(new SemiExplicitEulerIntegrator(w.system, w.stepSize));
    w.integrator->setFixedStepSize(w.stepSize);
    w.integrator->initialize(state);
}

/* Catches Simbody's exceptions. */
template <class Work> bool guarded(Work work)
{
    try {
        return work();
    } catch (const std::exception &) {
        return false;
    }
}

/* --- The engine --- */

void describe(char text[ENGINE_NAME])
{
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    snprintf(text, ENGINE_NAME,
             "%d.%d.%d, double precision; loops closed by Constraint::Ball, of Simbody's own tolerance", major, minor,
             build);
}

const char *lacks(const EngineScene *scene, int)
{
    return scene->hasGround ? "contacts of Simbody are forces of compliant materials, which the scene does not have"
                            : nullptr;
}

bool closeWorld(void *world)
{
    World *w = static_cast<World *>(world);
    const ksStatus status = ksSimbodyClose(w->adapter);
    if (status)
        fprintf(stderr, "engines: Simbody: %s\n", ksErrorMessage());
    delete w;
    return !status;
}

void *openWorld(const EngineScene *scene, int setting, double stepSize, const char *path)
{
    World *w = new World;
    w->scene = scene;
    w->stepSize = stepSize;
    const bool made = guarded([&] {
        build(*w, setting);
        const bool is = !path || !ksSimbodyCreate(w->system, w->matter, w->integrator->getState(), path, &w->adapter);
        if (!is)
            fprintf(stderr, "engines: Simbody: %s\n", ksErrorMessage());
        return is;
    });
    if (made)
        return w;
    fprintf(stderr, "engines: %s cannot be made in Simbody\n", scene->name);
    (void)closeWorld(w);
    return nullptr;
}

bool findState(const World &w, ksRecordedState *out)
{
    State now(w.integrator->getState());
    w.system.realize(now, Stage::Acceleration);
    for (int i = 0; i < w.scene->bodyCount; i++) {
        const MobilizedBody &body = w.matter.getMobilizedBody(w.body[i]);
        const Quaternion q = body.getBodyRotation(now).convertRotationToQuaternion();
        for (int k = 0; k < 4; k++)
            out[i].quaternion[k] = q[k];
        for (int k = 0; k < 3; k++) {
            out[i].position[k] = body.getBodyOriginLocation(now)[k];
            out[i].velocity[k] = body.getBodyOriginVelocity(now)[k];
            out[i].angularVelocity[k] = body.getBodyAngularVelocity(now)[k];
        }
    }
    return true;
}

/* A state that Simbody cannot compute ends the run. */
void state(void *world, ksRecordedState *out)
{
    const World &w = *static_cast<World *>(world);
    if (!guarded([&] { return findState(w, out); }))
        out[0].position[0] = NaN;
}

/* Loads are a part of the state, so the integrator restarts where there are any. */
void apply(World &w, const ksWrench *load)
{
    bool are = false;
    for (int i = 0; i < w.scene->jointCount; i++)
        are = are || w.scene->joint[i].stiffness != 0 || w.scene->joint[i].damping != 0 || w.scene->joint[i].drive != 0;
    if (!are)
        return;
    State &now = w.integrator->updAdvancedState();
    for (int i = 0; i < w.scene->bodyCount; i++)
        w.applied.setOneBodyForce(now, w.matter.getMobilizedBody(w.body[i]),
                                  SpatialVec(vector(load[i].torque), vector(load[i].force)));
    w.integrator->reinitialize(Stage::Dynamics, false);
}

bool step(void *world, const ksWrench *load)
{
    World &w = *static_cast<World *>(world);
    return guarded([&] {
        apply(w, load);
        const double end = w.integrator->getTime() + w.stepSize;
        ksStatus status = w.adapter ? ksSimbodyBegin(w.adapter, w.integrator->getState()) : KS_OK;
        // the first call after a restart only reports it
        while (!status && w.integrator->getTime() < end * (1 - SignificantReal))
            w.integrator->stepTo(end);
        status = !status && w.adapter ? ksSimbodyEnd(w.adapter, w.integrator->getState()) : status;
        // the table shows a state that Simbody cannot compute
        const bool isPast = status == KS_ERROR_ENGINE || status == KS_ERROR_NOT_FINITE;
        if (status && !isPast)
            fprintf(stderr, "engines: Simbody: %s\n", ksErrorMessage());
        return !status || isPast;
    });
}
bool reactions(void *world)
{
    const World &w = *static_cast<World *>(world);
    return guarded([&] {
        Vector_<SpatialVec> found;
        w.system.realize(w.integrator->getState(), Stage::Acceleration);
        w.matter.calcMobilizerReactionForces(w.integrator->getState(), found);
        return true;
    });
}
}  // namespace

const Engine engineSimbody = {"Simbody",
                              describe,
                              {"Euler", "Merson"},
                              {"SemiExplicitEulerIntegrator", "RungeKuttaMersonIntegrator, of the same fixed step"},
                              0,
                              lacks,
                              openWorld,
                              state,
                              step,
                              closeWorld,
                              reactions};

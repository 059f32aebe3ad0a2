/* simbody_kit.cpp  See simbody_kit.h. */
#include "tests/adapters/simbody_kit.h"

#include "adapters/simbody.h"

#include <cmath>

using namespace SimTK;

namespace {

const double step = 1e-3;

/* xorshift64*: the same everywhere. */
double drawn(uint64_t &seed, double low, double high)
{
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return low + (high - low) * static_cast<double>((seed * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

Vec3 drawnVector(uint64_t &seed, double size)
{
    const double x = drawn(seed, -size, size), y = drawn(seed, -size, size), z = drawn(seed, -size, size);
    return Vec3(x, y, z);
}

Transform drawnFrame(uint64_t &seed)
{
    const Vec3 angles = drawnVector(seed, 3), place = drawnVector(seed, 0.3);
    return Transform(Rotation(BodyRotationSequence, angles[0], XAxis, angles[1], YAxis, angles[2], ZAxis), place);
}

enum Kind { PIN, SLIDER, BALL, UNIVERSAL, WELD, FREE, PLANAR, KINDS };

struct World {
    MultibodySystem system;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    Kind kind[SIMBODY_BODIES + 1];
    ConstraintIndex ball; /* if there is one */
    World() : matter(system), forces(system) {}
};

MobilizedBody addBody(MobilizedBody &parent, Kind kind, const Body &body, const Transform &in, const Transform &out)
{
    switch (kind) {
    case PIN:
        return MobilizedBody::Pin(parent, in, body, out);
    case SLIDER:
        return MobilizedBody::Slider(parent, in, body, out);
    case BALL:
        return MobilizedBody::Ball(parent, in, body, out);
    case UNIVERSAL:
        return MobilizedBody::Universal(parent, in, body, out);
    case WELD:
        return MobilizedBody::Weld(parent, in, body, out);
    case FREE:
        return MobilizedBody::Free(parent, in, body, out);
    default:
        return MobilizedBody::Planar(parent, in, body, out);
    }
}

/* The position of the last body in the first pose. */
void addBall(World &world, SimbodyTree &tree)
{
    const Vec3 own(0.1, -0.05, 0.2);
    MobilizedBody &last = world.matter.updMobilizedBody(MobilizedBodyIndex(SIMBODY_BODIES));
    world.system.realizeTopology();
    State state = world.system.getDefaultState();
    world.system.realize(state, Stage::Position);
    const Vec3 at = last.findStationLocationInGround(state, own);
    world.ball = Constraint::Ball(world.matter.updGround(), at, last, own).getConstraintIndex();
    tree.joints++;
}

void build(World &world, SimbodyTree &tree)
{
    uint64_t seed = tree.seed * UINT64_C(0x9E3779B97F4A7C15);
    Force::UniformGravity(world.forces, world.matter, Vec3(0.3, -9.81, 0.2));
    for (int i = 1; i <= SIMBODY_BODIES; i++) {
        const int parentIndex = static_cast<int>(drawn(seed, i > 3 ? 1 : 0, i));
        MobilizedBody &parent = world.matter.updMobilizedBody(MobilizedBodyIndex(parentIndex));
        const Kind kind = static_cast<Kind>(drawn(seed, 0, KINDS));
        const double mass = drawn(seed, 0.3, 3), a = drawn(seed, 0.01, 0.02);
        const Vec3 centre = drawnVector(seed, 0.1);
        const Inertia about(a, drawn(seed, 0.01, 0.02), 0.018, 0.002, -0.001, 0.001);
        const Body::Rigid body(MassProperties(mass, centre, about.shiftFromMassCenter(centre, mass)));
        const Transform in = drawnFrame(seed), out = drawnFrame(seed);
        const MobilizedBody made = addBody(parent, kind, body, in, out);
        world.kind[i] = kind;
        tree.joints += kind != FREE && kind != PLANAR;
        tree.others += kind == PLANAR;
        Force::ConstantForce(world.forces, made, drawnVector(seed, 0.1), drawnVector(seed, 5));
        Force::ConstantTorque(world.forces, made, drawnVector(seed, 0.1));
        if (kind == PIN || kind == SLIDER || kind == UNIVERSAL || kind == PLANAR) {
            Force::MobilityLinearSpring(world.forces, made, MobilizerQIndex(0), drawn(seed, 0, 5), 0.1);
            Force::MobilityLinearDamper(world.forces, made, MobilizerUIndex(0), drawn(seed, 0, 0.1));
        }
    }
    if (tree.hasLoop) {
        MobilizedBody &first = world.matter.updMobilizedBody(MobilizedBodyIndex(SIMBODY_BODIES));
        MobilizedBody &other = world.matter.updMobilizedBody(MobilizedBodyIndex(SIMBODY_BODIES - 1));
        Constraint::Rod(first, Vec3(0.1, 0, 0), other, Vec3(0, 0.1, 0), 0.5);
    }
    if (tree.hasBall)
        addBall(world, tree);
}

/* All speeds are zero, because a loop may not allow others. */
State begin(const World &world, const SimbodyTree &tree)
{
    State state = world.system.getDefaultState();
    world.system.realize(state, Stage::Model);
    uint64_t seed = tree.seed + 77;
    for (int i = 0; i < state.getNU() && !tree.hasLoop && !tree.hasBall; i++)
        state.updU()[i] = drawn(seed, -1, 1);
    return state;
}

/* Removes the components along the freedoms from wrenches at the origin of the child's frame M. */
SpatialVec withoutFreedoms(const MobilizedBody &body, const State &state, Kind kind, const SpatialVec &whole)
{
    const Rotation M = body.getBodyRotation(state) * body.getOutboardFrame(state).R();
    const Rotation F = body.getParentMobilizedBody().getBodyRotation(state) * body.getInboardFrame(state).R();
    SpatialVec out = whole;
    if (kind == PIN)
        out[0] -= M.z() * dot(M.z(), whole[0]);
    if (kind == SLIDER)
        out[1] -= F.x() * dot(F.x(), whole[1]);
    if (kind == BALL)
        out[0] = Vec3(0);
    if (kind == UNIVERSAL) {
        const UnitVec3 across(F.x() % M.y());
        out[0] = across * dot(across, whole[0]);
    }
    return out;
}

/* Newton and Euler for each body, from the tips to the ground. */
void takeTruth(const World &world, const State &state, ksWrench *out)
{
    Vector_<SpatialVec> whole;
    int joint = 0;
    world.matter.calcMobilizerReactionForcesUsingFreebodyMethod(state, whole);
    for (MobilizedBodyIndex i(1); i <= SIMBODY_BODIES; ++i) {
        const Kind kind = world.kind[i];
        if (kind == FREE || kind == PLANAR)
            continue;
        const MobilizedBody &body = world.matter.getMobilizedBody(i);
        const SpatialVec own = withoutFreedoms(body, state, kind, whole[i]);
        const Vec3 arm = body.getBodyTransform(state) * body.getOutboardFrame(state).p() -
                         body.findMassCenterLocationInGround(state);
        const Vec3 torque = own[0] + arm % own[1];
        for (int k = 0; k < 3; k++) {
            out[joint].force[k] = own[1][k];
            out[joint].torque[k] = torque[k];
        }
        joint++;
    }
    if (!world.ball.isValid())
        return;
    // in the second body's axes, at its station; a multiplier has the sign of the body's force on
    // the ball
    const auto &ball = Constraint::Ball::downcast(world.matter.getConstraint(world.ball));
    const MobilizedBody &last = world.matter.getMobilizedBody(MobilizedBodyIndex(SIMBODY_BODIES));
    const Vec3 force = -(last.getBodyRotation(state) * ball.getBallReactionForceOnBody2(state));
    const Vec3 at = last.findStationLocationInGround(state, ball.getPointOnBody2(state));
    const Vec3 torque = (at - last.findMassCenterLocationInGround(state)) % force;
    for (int k = 0; k < 3; k++)
        out[joint].force[k] = force[k], out[joint].torque[k] = torque[k];
}

/* path NULL: without the adapter. */
ksStatus run(const World &world, SimbodyTree &tree, const char *path, State &last)
{
    SemiExplicitEulerIntegrator integrator(world.system, step);
    ksSimbody *adapter = nullptr;
    // the loop must not come apart, or it would be another mechanism
    integrator.setConstraintTolerance(1e-12);
    integrator.initialize(begin(world, tree));
    ksStatus status = path ? ksSimbodyCreate(world.system, world.matter, integrator.getState(), path, &adapter) : KS_OK;
    for (int i = 0; i < SIMBODY_STEPS && !status; i++) {
        if (path) {
            State now(integrator.getState());
            world.system.realize(now, Stage::Acceleration);
            takeTruth(world, now, tree.wrench[i]);
            status = ksSimbodyBegin(adapter, integrator.getState());
        }
        if (status)
            break;
        // the first call only reports the start of the interval
        while (integrator.getTime() < (i + 1) * step * (1 - SignificantReal))
            integrator.stepTo((i + 1) * step);
        if (path)
            status = ksSimbodyEnd(adapter, integrator.getState());
    }
    last = integrator.getState();
    const ksStatus closed = ksSimbodyClose(adapter);
    return status ? status : closed;
}

bool isSame(const Vector &a, const Vector &b)
{
    bool is = a.size() == b.size();
    for (int i = 0; is && i < a.size(); i++)
        is = a[i] == b[i];
    return is;
}

}  // namespace

ksStatus simbodyRecord(SimbodyTree *tree, const char *path)
{
    World world;
    State recorded, plain;
    build(world, *tree);
    world.system.realizeTopology();
    const ksStatus status = run(world, *tree, path, recorded);
    if (status)
        return status;
    (void)run(world, *tree, nullptr, plain);
    tree->isSame = isSame(recorded.getQ(), plain.getQ()) && isSame(recorded.getU(), plain.getU());
    return KS_OK;
}

int simbodyCalls(const char *path)
{
    World world;
    SimbodyTree tree = {};
    ksSimbody *adapter = nullptr;
    tree.seed = 1;
    build(world, tree);
    world.system.realizeTopology();
    State state = begin(world, tree);
    int call = 1;
    const auto isRefused = [&call](ksStatus status, ksStatus expected) { return status == expected && ++call; };
    if (ksSimbodyGetRecording(nullptr) ||
        !isRefused(ksSimbodyCreate(world.system, world.matter, state, path, nullptr), KS_ERROR_BAD_ARGUMENT) ||
        !isRefused(ksSimbodyBegin(nullptr, state), KS_ERROR_BAD_ARGUMENT) ||
        !isRefused(ksSimbodyEnd(nullptr, state), KS_ERROR_BAD_ARGUMENT) || !isRefused(ksSimbodyClose(nullptr), KS_OK) ||
        !isRefused(ksSimbodyCreate(world.system, world.matter, State(), path, &adapter), KS_ERROR_ENGINE) ||
        !isRefused(ksSimbodyCreate(world.system, world.matter, state, path, &adapter), KS_OK) ||
        !isRefused(ksSimbodyEnd(adapter, state), KS_ERROR_BRACKET) ||
        !isRefused(ksSimbodyBegin(adapter, State()), KS_ERROR_ENGINE) ||
        !isRefused(ksSimbodyBegin(adapter, state), KS_OK) ||
        !isRefused(ksSimbodyEnd(adapter, state), KS_ERROR_BAD_ARGUMENT))
        return call;
    (void)ksSimbodyBegin(adapter, state);
    state.updTime() = step;
    state.updU()[0] = NaN;
    if (!isRefused(ksSimbodyEnd(adapter, state), KS_ERROR_NOT_FINITE) || !isRefused(ksSimbodyClose(adapter), KS_OK))
        return call;
    return 0;
}

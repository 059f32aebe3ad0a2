// simbody.cpp  Simbody by its semi-explicit Euler steps: calcMobilizerReactionForces, and the
// multipliers of constraints that close loops.
#include "say.h"

#include <Simbody.h>
#include <functional>
#include <memory>
#include <string>

using namespace SimTK;

static const char *const name = "Simbody";

struct Scene {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Force::UniformGravity gravity{forces, matter, Vec3(0, 0, -kGravity)};
    std::vector<MobilizedBody> joint;
    std::vector<Vec3> anchor;
    std::unique_ptr<Constraint::Ball> ball;

    /* the frame of a Pin, whose axis is z */
    static Transform frame(const Vec3 &at, bool isUpright)
    {
        return Transform(isUpright ? Rotation() : Rotation(-Pi / 2, XAxis), at);
    }

    /* The child's frame is at its mass centre; poses are those at angle 0. */
    MobilizedBody pin(MobilizedBody &parent, const Vec3 &parentCentre, double mass, const Vec3 &centre,
                      const Vec3 &sides, const Vec3 &at, bool isUpright = false)
    {
        const Inertia inertia(mass / 12 * (sides[1] * sides[1] + sides[2] * sides[2]),
                              mass / 12 * (sides[0] * sides[0] + sides[2] * sides[2]),
                              mass / 12 * (sides[0] * sides[0] + sides[1] * sides[1]));
        MobilizedBody::Pin made(parent, frame(at - parentCentre, isUpright),
                                Body::Rigid(MassProperties(mass, Vec3(0), inertia)), frame(at - centre, isUpright));
        joint.push_back(made);
        anchor.push_back(at);
        return made;
    }

    void sayJoint(const char *scene, int number, int step, const SpatialVec &wrench, const Vec3 &at,
                  const double motion[2])
    {
        double vector[3][3];
        for (int k = 0; k < 3; k++)
            vector[0][k] = wrench[1][k], vector[1][k] = wrench[0][k], vector[2][k] = at[k];
        say(name, scene, number, step, vector[0], vector[1], vector[2], vector[2], motion);
    }

    void run(const char *scene, const std::function<void(State &)> &begin, int ballNumber = 0)
    {
        State state = system.realizeTopology();
        system.realizeModel(state);
        begin(state);
        system.realize(state, Stage::Velocity);
        SemiExplicitEulerIntegrator integrator(system, kStep);
        integrator.initialize(state);
        for (int step = 1; step <= STEPS; step++) {
            const State &now = integrator.getState();
            Vector_<SpatialVec> reaction;
            system.realize(now, Stage::Acceleration);
            matter.calcMobilizerReactionForces(now, reaction);
            const double motion[2] = {joint[0].getOneQ(now, 0), joint[0].getOneU(now, 0)};
            for (size_t j = 0; j < joint.size() && isSaid(step); j++) {
                const int number = (int)j + 1 + (ballNumber && (int)j + 1 >= ballNumber);
                sayJoint(scene, number, step, reaction[joint[j].getMobilizedBodyIndex()], anchor[j], motion);
            }
            if (ballNumber && isSaid(step)) {
                const Vec3 multipliers = ball->getMultipliers(now);
                // in the axes of the bodies' common ancestor
                const double force[3] = {multipliers[0], multipliers[1], multipliers[2]};
                say(name, scene, ballNumber, step, force, nullptr, nullptr, nullptr, motion);
            }
            while (integrator.getTime() < step * kStep * (1 - SignificantReal))
                integrator.stepTo(step * kStep);
        }
    }
};

static void rods()
{
    for (bool swings : {false, true}) {
        Scene s;
        s.pin(s.matter.updGround(), Vec3(0), 2, Vec3(0, 0, -0.5), Vec3(kRodSide, kRodSide, 1), Vec3(0));
        s.run(swings ? "swing" : "rest", [&](State &state) {
            s.joint[0].setOneQ(state, 0, swings ? 0.7 : 0);
            s.joint[0].setOneU(state, 0, swings ? 3 : 0);
        });
    }
}

static void arm()
{
    Scene s;
    MobilizedBody upper =
        s.pin(s.matter.updGround(), Vec3(0), 2, Vec3(0.5, 0, 0), Vec3(1, kRodSide, kRodSide), Vec3(0));
    s.pin(upper, Vec3(0.5, 0, 0), 1, Vec3(1.25, 0, 0), Vec3(0.5, kRodSide, kRodSide), Vec3(1, 0, 0));
    s.run("arm", [&](State &state) {
        for (auto &each : s.joint)
            each.lock(state);
    });
}

static void loop()
{
    Scene s;
    const Vec3 upright(kRodSide, kRodSide, 1), level(1, kRodSide, kRodSide);
    MobilizedBody first = s.pin(s.matter.updGround(), Vec3(0), 1, Vec3(0, 0, -0.5), upright, Vec3(0));
    MobilizedBody bar = s.pin(first, Vec3(0, 0, -0.5), 4, Vec3(0.5, 0, -1), level, Vec3(0, 0, -1));
    MobilizedBody second = s.pin(s.matter.updGround(), Vec3(0), 1, Vec3(1, 0, -0.5), upright, Vec3(1, 0, 0));
    s.ball = std::make_unique<Constraint::Ball>(bar, Vec3(0.5, 0, 0), second, Vec3(0, 0, -0.5));
    s.run(
        "loop", [](State &) {}, 3);
}

static void door()
{
    Scene s;
    MobilizedBody leaf =
        s.pin(s.matter.updGround(), Vec3(0), 20, Vec3(0.4, 0, 0), Vec3(0.8, 0.04, 2), Vec3(0, 0, -0.7), true);
    s.ball = std::make_unique<Constraint::Ball>(leaf, Vec3(-0.4, 0, 0.7), s.matter.updGround(), Vec3(0, 0, 0.7));
    s.run(
        "door", [](State &) {}, 2);
}

int main()
{
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    std::printf("engine|%s|%d.%d.%d|`calcMobilizerReactionForces`; multipliers of `Constraint::Ball`|child (+), body 1 "
                "(+)|world, anchor; torque first|N\n",
                name, major, minor, build);
    for (auto scene : {rods, arm, loop, door})
        try {
            scene();
        } catch (const std::exception &error) {
            std::fprintf(stderr, "Simbody gives up: %.40s...\n", error.what());
        }
}

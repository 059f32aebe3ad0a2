// box2d.cpp  Box2D's revolute joints: GetReactionForce. Its scenes are plane: its x, y are x, z
// here, and its torques and angles are about -y.
#include "say.h"

#include <box2d/box2d.h>
#include <cmath>
#include <cstdio>
#include <vector>

static const char *const name = "Box2D";

struct Scene {
    b2World world{{0, (float)-kGravity}};
    b2Body *ground;
    std::vector<b2RevoluteJoint *> joints;

    Scene()
    {
        const b2BodyDef def;
        ground = world.CreateBody(&def);
        world.SetAllowSleeping(false);
    }

    b2Body *box(double mass, double x, double z, double width, double height, double angle = 0, bool collides = false)
    {
        b2BodyDef def;
        b2PolygonShape shape;
        b2FixtureDef fixture;
        def.type = mass > 0 ? b2_dynamicBody : b2_staticBody;
        def.position.Set((float)x, (float)z);
        def.angle = (float)-angle;
        b2Body *body = world.CreateBody(&def);
        shape.SetAsBox((float)width / 2, (float)height / 2);
        fixture.shape = &shape;
        fixture.density = 1;
        fixture.friction = 1;
        fixture.filter.maskBits = collides ? 0xffff : 0;
        body->CreateFixture(&fixture);
        b2MassData data;
        data.mass = (float)mass;
        data.I = (float)(mass / 12 * (width * width + height * height));
        data.center.SetZero();
        body->SetMassData(&data);
        return body;
    }

    void hinge(b2Body *child, b2Body *parent, double x, double z, bool hasMotor = false)
    {
        b2RevoluteJointDef def;
        def.Initialize(parent ? parent : ground, child, {(float)x, (float)z});
        def.enableMotor = hasMotor;
        def.maxMotorTorque = 1000;
        joints.push_back(static_cast<b2RevoluteJoint *>(world.CreateJoint(&def)));
    }

    void run(const char *scene, const b2Body *first)
    {
        for (int step = 1; step <= STEPS; step++) {
            const double motion[2] = {-first->GetAngle(), -first->GetAngularVelocity()};
            world.Step((float)kStep, 8, 3);
            for (size_t j = 0; j < joints.size() && isSaid(step); j++) {
                const b2Vec2 found = joints[j]->GetReactionForce((float)(1 / kStep));
                const double force[3] = {found.x, 0, found.y}, none[3] = {0, 0, 0};
                const double torque[3] = {0, -joints[j]->GetReactionTorque((float)(1 / kStep)), 0};
                say(name, scene, (int)j + 1, step, force, torque, none, none, motion);
            }
        }
    }
};

static void rods()
{
    Scene rest, swing;
    b2Body *body = rest.box(2, 0, -0.5, kRodSide, 1);
    rest.hinge(body, nullptr, 0, 0);
    rest.run("rest", body);
    body = swing.box(2, -0.5 * std::sin(0.7), -0.5 * std::cos(0.7), kRodSide, 1, 0.7);
    swing.hinge(body, nullptr, 0, 0);
    body->SetAngularVelocity(-3);
    body->SetLinearVelocity({(float)(-1.5 * std::cos(0.7)), (float)(1.5 * std::sin(0.7))});
    swing.run("swing", body);
}

static void mechanisms()
{
    Scene arm, loop;
    b2Body *upper = arm.box(2, 0.5, 0, 1, kRodSide), *lower = arm.box(1, 1.25, 0, 0.5, kRodSide);
    arm.hinge(upper, nullptr, 0, 0, true);
    arm.hinge(lower, upper, 1, 0, true);
    arm.run("arm", upper);
    b2Body *first = loop.box(1, 0, -0.5, kRodSide, 1), *bar = loop.box(4, 0.5, -1, 1, kRodSide),
           *second = loop.box(1, 1, -0.5, kRodSide, 1);
    loop.hinge(first, nullptr, 0, 0);
    loop.hinge(bar, first, 0, -1);
    loop.hinge(bar, second, 1, -1);
    loop.hinge(second, nullptr, 1, 0);
    loop.run("loop", first);
}

static void bridge()
{
    Scene scene;
    double x = 0, z = 0;
    b2Body *first = nullptr, *body = nullptr;
    for (int i = 0; i < RODS; i++) {
        double along[2];
        alongRod(i, along);
        b2Body *before = body;
        body = scene.box(kRodMass, x + along[0] / 2, z + along[1] / 2, 1, kRodSide, -std::atan2(along[1], along[0]));
        scene.hinge(body, before, x, z);
        first = first ? first : body;
        x += along[0], z += along[1];
    }
    scene.hinge(body, nullptr, x, z);
    scene.run("bridge", first);
}

/* Sums the impulses of contact points, along the normal from body A to B, and across it. */
static void wall()
{
    Scene scene;
    const b2Body *still = scene.box(0, -0.5, 0, 1, 4, 0, true);
    b2Body *body = scene.box(1, 0.1, 0, 0.2, 0.2, 0, true);
    for (int step = 1; step <= STEPS; step++) {
        body->ApplyForceToCenter({-50, 0}, true);
        scene.world.Step((float)kStep, 8, 3);
        double sum[3] = {0, 0, 0};
        for (const b2Contact *contact = scene.world.GetContactList(); contact; contact = contact->GetNext()) {
            b2WorldManifold manifold;
            contact->GetWorldManifold(&manifold);
            const double sign = contact->GetFixtureA()->GetBody() == still ? 1 : -1;
            for (int i = 0; i < contact->GetManifold()->pointCount; i++) {
                const b2ManifoldPoint &point = contact->GetManifold()->points[i];
                const b2Vec2 across = b2Cross(manifold.normal, 1.0f);
                sum[0] += sign / kStep * (point.normalImpulse * manifold.normal.x + point.tangentImpulse * across.x);
                sum[2] += sign / kStep * (point.normalImpulse * manifold.normal.y + point.tangentImpulse * across.y);
            }
        }
        if (isSaid(step))
            say(name, "wall", 1, step, sum, nullptr, nullptr, nullptr, nullptr);
    }
}

int main()
{
    std::printf("engine|%s|%d.%d.%d|`GetReactionForce(1/h)`, `GetReactionTorque(1/h)`; contact points' impulses|body B "
                "(+)|world, anchor|N; contacts N s\n",
                name, b2_version.major, b2_version.minor, b2_version.revision);
    rods();
    mechanisms();
    bridge();
    wall();
}

/* bullet_host.cpp  A host's calls to its Bullet world. */
#include "tests/adapters/bullet_plan.h"

#include <cmath>
#include <limits>

using namespace bulletKit;

namespace {
void onTick(btDynamicsWorld *world, btScalar)
{
    static_cast<BulletScene *>(world->getWorldUserInfo())->ticks++;
}

/* The host pushes bodies in its own callback. */
void beforeTick(btDynamicsWorld *world, btScalar)
{
    const BulletScene &scene = *static_cast<BulletScene *>(world->getWorldUserInfo());
    for (size_t i = 0; i < scene.bodies.size() && i < scene.plan.parts.size(); i++)
        scene.bodies[i]->applyTorque(number(scene.plan.parts[i].torque));
}
}  // namespace

void bulletSetCallbacks(BulletScene *scene)
{
    scene->world->setInternalTickCallback(onTick, scene, false);
    scene->world->setInternalTickCallback(beforeTick, scene, true);
}

extern "C" {

void bulletStep(BulletScene *scene)
{
    const double h = scene->h;
    for (size_t i = 0; i < scene->plan.parts.size(); i++) {
        const Part &part = scene->plan.parts[i];
        const int link = int(i) - scene->hasBase;
        if (!scene->tree) {
            scene->bodies[i]->applyCentralForce(number(part.force));
        } else if (link < 0) {
            scene->tree->addBaseForce(number(part.force));
            scene->tree->addBaseTorque(number(part.torque));
        } else {
            scene->tree->addLinkForce(link, number(part.force));
            scene->tree->addLinkTorque(link, number(part.torque));
            if (scene->tree->getLink(link).m_dofCount == 1)
                scene->tree->addJointTorque(link, btScalar(scene->plan.trees.hasDrives ? 0.1 : scene->torque));
        }
    }
    if (scene->ground && scene->ticks > 0) {
        btTransform next;
        btTransformUtil::integrateTransform(scene->ground->getWorldTransform(), number(scene->plan.groundVelocity),
                                            number(scene->plan.groundSpin), btScalar(h), next);
        scene->ground->setWorldTransform(next);
    }
    scene->world->stepSimulation(btScalar(h), 0);
    for (int i = 0; i < scene->dispatcher.getNumManifolds(); i++)
        scene->contacts += scene->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
}

void bulletDestroy(BulletScene *scene)
{
    for (const auto &constraint : scene->constraints)
        scene->world->removeConstraint(constraint.get());
    for (const auto &body : scene->bodies)
        scene->world->removeRigidBody(body.get());
    for (const auto &collider : scene->colliders)
        scene->world->removeCollisionObject(collider.get());
    delete scene;
}

btDynamicsWorld *bulletWorld(BulletScene *scene)
{
    return scene->world.get();
}

const ksWrench *bulletTruth(BulletScene *scene)
{
    scene->plan.solveTruth();
    return scene->plan.truth.data() + (scene->plan.parts[0].kind == FREE);
}

double bulletLargestLoad(const BulletScene *scene)
{
    double most = 0;
    for (const Part &part : scene->plan.parts)
        most = std::max(most, (part.force + scene->plan.gravity * part.mass).length());
    return most;
}

int bulletJoints(const BulletScene *scene)
{
    return int(scene->tree ? size_t(scene->tree->getNumLinks()) : scene->constraints.size());
}

size_t bulletNumbers(const BulletScene *scene, double *out, size_t room)
{
    std::vector<double> all;
    const auto add = [&all](const btVector3 &v) {
        for (int k = 0; k < 3; k++)
            all.push_back(double(v[k]));
    };
    for (const auto &body : scene->bodies) {
        add(body->getWorldTransform().getOrigin());
        for (int k = 0; k < 3; k++)
            add(body->getWorldTransform().getBasis()[k]);
        add(body->getLinearVelocity());
        add(body->getAngularVelocity());
        add(body->getInterpolationLinearVelocity());
    }
    for (const auto &one : scene->feedback) {
        add(one->m_appliedForceBodyA), add(one->m_appliedTorqueBodyA);
        add(one->m_appliedForceBodyB), add(one->m_appliedTorqueBodyB);
    }
    if (scene->tree) {
        for (int i = 0; i < scene->tree->getNumDofs() + 6; i++)
            all.push_back(double(scene->tree->getVelocityVector()[i]));
        for (int i = 0; i < scene->tree->getNumLinks(); i++)
            for (int k = 0; k < scene->tree->getLink(i).m_posVarCount; k++)
                all.push_back(double(scene->tree->getJointPosMultiDof(i)[k]));
        for (const btMultiBodyJointFeedback &one : scene->linkFeedback)
            add(one.m_reactionForces.m_topVec), add(one.m_reactionForces.m_bottomVec);
    }
    for (size_t i = 0; i < all.size() && i < room; i++)
        out[i] = all[i];
    return all.size();
}

void bulletSpoil(BulletScene *scene, double factor)
{
    scene->solver.factor = btScalar(factor);
    scene->solver.spoilt = scene->constraints[0].get();
}

void bulletSleep(BulletScene *scene)
{
    for (const auto &body : scene->bodies)
        body->forceActivationState(ISLAND_SLEEPING);
}

void bulletSwitch(BulletScene *scene, int isOn)
{
    scene->constraints[0]->setEnabled(isOn);
}

void bulletBreak(BulletScene *scene)
{
    scene->bodies[0]->setLinearVelocity({std::numeric_limits<btScalar>::quiet_NaN(), 0, 0});
}

void bulletReplace(BulletScene *scene)
{
    bulletSetCallbacks(scene);
}

int bulletTicks(const BulletScene *scene)
{
    return scene->ticks;
}

double bulletStepSize(const BulletScene *scene)
{
    return scene->h;
}

int bulletContacts(const BulletScene *scene)
{
    return scene->contacts;
}

double bulletRounding(void)
{
    return sizeof(btScalar) == sizeof(double) ? std::ldexp(1, -53) : std::ldexp(1, -24);
}
}

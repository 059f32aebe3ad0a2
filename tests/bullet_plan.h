/* bullet_plan.h  A mechanism without loops as numbers: of it worlds of Bullet are made, and the true wrenches. */
#ifndef TESTS_BULLET_PLAN_H
#define TESTS_BULLET_PLAN_H

#include "tests/bullet_kit.h"

#include "adapters/bullet_inside.h"

namespace bulletKit {
using ksiBullet::Pose;
using ksiBullet::Vector;

/* Those of links first. */
enum Kind { BALL, HINGE, SLIDER, FIXED, LINK_KINDS, UNIVERSAL = LINK_KINDS, PISTON, KINDS, FREE };

struct Part {
    Kind kind = FREE;
    int parent = -1; /* -1: the ground */
    Pose pose;
    Vector anchor, axis[2]; /* the second: of a universal joint, on the part; else across */
    double mass = 1;
    Vector inertia;
    double slideRate = 0;
    Vector turnRate;                  /* of a ball in the world; else x and y */
    Vector velocity, spin;            /* by Plan::move */
    Vector force, torque;             /* applied */
    Vector drag, slowing, gyroscopic; /* what else the truth knows of */
    int slides() const;
    int turns() const;
};

struct Plan {
    BulletTrees trees = {};
    uint64_t seed = 0;
    std::vector<Part> parts;
    Vector gravity, groundVelocity, groundSpin;
    std::vector<ksWrench> truth;
    double draw(double low, double high);
    Vector drawVector(double size);
    Vector drawAxis();
    void addPart();
    void move();
    void solveTruth();
};
}  // namespace bulletKit
#endif

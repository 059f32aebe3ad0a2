/* bullet_kit.cpp  A tree of bodies as a plan. From it come Bullet's worlds, and the true wrenches:
 * M a = f + J^T lambda, J a = -dJ/dt v, as one dense system. */
#include "tests/adapters/bullet_plan.h"

#include <algorithm>
#include <cmath>

namespace bulletKit {
/* xorshift64*: the same everywhere. */
double Plan::draw(double low, double high)
{
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return low + (high - low) * double((seed * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

Vector Plan::drawVector(double size)
{
    const double x = draw(-size, size), y = draw(-size, size);
    return {x, y, draw(-size, size)};
}

Vector Plan::drawAxis()
{
    const Vector axis = drawVector(1) + Vector(0, 0, 1.5);
    return axis * (1 / axis.length());
}

/* The kinds that a multibody has as links come first. */
void Plan::addPart()
{
    Part part;
    const int index = int(parts.size());
    const bool isFree = index > 0 ? parts[0].kind == FREE : draw(0, 3) < 1 && !trees.hasFloor;
    part.parent = index == 0 || (!isFree && draw(0, 4) < 1) ? -1 : int(draw(0, index));
    part.kind = index == 0 && isFree ? FREE : Kind(int(draw(0, trees.areLinks ? LINK_KINDS : KINDS)));
    const Vector from = part.parent < 0 ? Vector(0, 0, 2) : parts[size_t(part.parent)].pose.origin;
    btQuaternion turned(btScalar(draw(-1, 1)), btScalar(draw(-1, 1)), btScalar(draw(-1, 1)), 1);
    part.pose = Pose(btTransform(turned.normalized()));
    part.pose.origin = from + drawVector(0.4);
    part.anchor = (from + part.pose.origin) * 0.5 + drawVector(0.1);
    part.axis[0] = drawAxis();
    const Vector across = drawVector(1) + Vector(1.5, 0, 0), side = across - part.axis[0] * part.axis[0].dot(across);
    part.axis[1] = side * (1 / side.length());
    part.mass = draw(0.3, 3);
    part.inertia = {draw(0.01, 0.02), draw(0.01, 0.02), draw(0.015, 0.02)};
    part.force = drawVector(2), part.torque = drawVector(0.1);
    part.slideRate = draw(-0.5, 0.5);
    part.turnRate = drawVector(2);
    parts.push_back(part);
}

int Part::slides() const
{
    return kind == SLIDER || kind == PISTON;
}

int Part::turns() const
{
    return kind == BALL ? 3 : kind == UNIVERSAL ? 2 : kind == HINGE || kind == PISTON;
}

/* Sets velocities that the joints allow. */
void Plan::move()
{
    for (Part &part : parts) {
        const Vector w = part.parent < 0 ? groundSpin : parts[size_t(part.parent)].spin;
        const Vector x = part.parent < 0 ? Vector() : parts[size_t(part.parent)].pose.origin;
        const Vector v = part.parent < 0 ? groundVelocity : parts[size_t(part.parent)].velocity;
        if (part.kind == FREE) {
            part.velocity = part.turnRate * 0.3, part.spin = part.turnRate;
            continue;
        }
        part.spin = w;
        for (int k = 0; k < part.turns() && part.turns() < 3; k++)
            part.spin = part.spin + part.axis[k] * (k ? part.turnRate.y : part.turnRate.x);
        if (part.turns() == 3)
            part.spin = part.spin + part.turnRate;
        part.velocity = v + w.cross(part.anchor - x) + part.spin.cross(part.pose.origin - part.anchor);
        if (part.slides())
            part.velocity = part.velocity + part.axis[0] * part.slideRate;
    }
}

/* --- The truth --- */

namespace {
/* The rows of a joint on both bodies, and  -dJ/dt v. */
struct Row {
    Vector force,
        arm[2]; /* a force on the child at arm[0] from its mass centre, and its opposite on the parent; or a torque */
    bool isTorque;
    double right;
};

void addRows(const Plan &plan, const Part &part, std::vector<Row> *rows)
{
    static const Vector units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Part *parent = part.parent < 0 ? nullptr : &plan.parts[size_t(part.parent)];
    const Vector x = parent ? parent->pose.origin : Vector(), v = parent ? parent->velocity : plan.groundVelocity;
    const Vector w = parent ? parent->spin : plan.groundSpin, turn = part.spin - w;
    const Vector arm = part.anchor - part.pose.origin, other = part.anchor - x;
    const Vector third = part.axis[0].cross(part.axis[1]);
    // of the child's point and of the parent's point at the same place
    const Vector centripetal = part.spin.cross(part.spin.cross(arm)) - w.cross(w.cross(other));
    const Vector sliding = part.velocity + part.spin.cross(arm) - v - w.cross(other);
    const Vector coriolis = part.slides() ? w.cross(sliding) * 2 : Vector();
    for (int k = 0; k < 3 && part.kind != FREE; k++) {
        const Vector u = !part.slides() ? units[k] : k == 0 ? part.axis[0] : k == 1 ? part.axis[1] : third;
        if (!part.slides() || k > 0)
            rows->push_back({u, {arm, other}, false, -u.dot(centripetal - coriolis)});
    }
    for (int k = 0; k < 3 && part.turns() < 3 && part.kind != FREE; k++) {
        const Vector u = part.turns() == 0 ? units[k] : k == 0 ? part.axis[0] : k == 1 ? part.axis[1] : third;
        if (k < part.turns())
            continue;
        // the axes move with the parent; the second axis of a universal joint moves with the child
        const Vector moved = part.turns() == 2 ? w.cross(part.axis[0]).cross(part.axis[1]) +
                                                     part.axis[0].cross(part.spin.cross(part.axis[1]))
                                               : w.cross(u);
        rows->push_back({u, {}, true, -turn.dot(moved)});
    }
}

/* Gauss elimination with pivots. */
void solve(std::vector<double> *a, std::vector<double> *b)
{
    const size_t n = b->size();
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            best = std::fabs((*a)[i * n + k]) > std::fabs((*a)[best * n + k]) ? i : best;
        for (size_t j = 0; j < n; j++)
            std::swap((*a)[k * n + j], (*a)[best * n + j]);
        std::swap((*b)[k], (*b)[best]);
        for (size_t i = k + 1; i < n; i++) {
            const double share = (*a)[i * n + k] / (*a)[k * n + k];
            for (size_t j = k; j < n; j++)
                (*a)[i * n + j] -= share * (*a)[k * n + j];
            (*b)[i] -= share * (*b)[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            (*b)[k] -= (*a)[k * n + j] * (*b)[j];
        (*b)[k] /= (*a)[k * n + k];
    }
}

/* The effect of a row on a body: force, and torque about the mass centre. */
void partOf(const Row &row, int side, double out[6])
{
    const double sign = side ? -1 : 1;
    for (int k = 0; k < 6; k++)
        out[k] = 0;
    if (row.isTorque) {
        row.force.addTo(out + 3, sign);
        return;
    }
    row.force.addTo(out, sign);
    row.arm[side].cross(row.force).addTo(out + 3, sign);
}
}  // namespace

void Plan::solveTruth()
{
    const size_t bodies = parts.size();
    std::vector<Row> rows;
    std::vector<size_t> begin;
    for (const Part &part : parts) {
        begin.push_back(rows.size());
        addRows(*this, part, &rows);
    }
    begin.push_back(rows.size());
    const size_t n = 6 * bodies + rows.size();
    std::vector<double> a(n * n), b(n);
    for (size_t i = 0; i < bodies; i++) {
        const Part &part = parts[i];
        const Vector units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        (part.force + part.drag + gravity * part.mass).putInto(&b[6 * i]);
        (part.torque + part.slowing + part.gyroscopic).putInto(&b[6 * i + 3]);
        for (size_t k = 0; k < 3; k++) {
            double column[3];
            a[(6 * i + k) * n + 6 * i + k] = part.mass;
            part.pose.scale(part.inertia, units[k]).putInto(column);
            for (size_t l = 0; l < 3; l++)
                a[(6 * i + 3 + l) * n + 6 * i + 3 + k] = column[l];
        }
        for (size_t r = begin[i]; r < begin[i + 1]; r++)
            for (int side = 0; side < 2; side++) {
                double on[6];
                partOf(rows[r], side, on);
                b[6 * bodies + r] = rows[r].right;
                for (size_t k = 0; k < 6 && (side == 0 || part.parent >= 0); k++) {
                    const size_t at = 6 * (side ? size_t(part.parent) : i) + k;
                    a[at * n + 6 * bodies + r] = -on[k];
                    a[(6 * bodies + r) * n + at] = on[k];
                }
            }
    }
    solve(&a, &b);
    truth.assign(bodies, ksWrench());
    for (size_t i = 0; i < bodies; i++)
        for (size_t r = begin[i]; r < begin[i + 1]; r++) {
            double on[6];
            partOf(rows[r], 0, on);
            for (int k = 0; k < 3; k++) {
                truth[i].force[k] += b[6 * bodies + r] * on[k];
                truth[i].torque[k] += b[6 * bodies + r] * on[k + 3];
            }
        }
}
}  // namespace bulletKit

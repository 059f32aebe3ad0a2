/* cpp_kit.hpp  Shared by the tests of kinetostat.hpp: a world, and a check. */
#ifndef TESTS_CPP_KIT_HPP
#define TESTS_CPP_KIT_HPP

#include <kinetostat/kinetostat.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace ks = kinetostat;

static int failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition);                          \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static const dReal h = 0.01;

/* Three links on hinges; the last one strikes a floor, for which the scene creates contacts. */
struct Scene {
    dWorldID world = dWorldCreate();
    dJointGroupID contacts = dJointGroupCreate(0);
    dBodyID body[3];
    dJointID hinge[3];

    Scene()
    {
        dRandSetSeed(1);
        dWorldSetGravity(world, 0, 0, -9.81);
        for (int i = 0; i < 3; i++) {
            dMass mass;
            dMassSetBoxTotal(&mass, 1 + i, 0.5, 0.1, 0.1);
            body[i] = dBodyCreate(world);
            dBodySetMass(body[i], &mass);
            dBodySetPosition(body[i], 0.25 + 0.5 * i, 0, 0);
            hinge[i] = dJointCreateHinge(world, nullptr);
            dJointAttach(hinge[i], body[i], i ? body[i - 1] : nullptr);
            dJointSetHingeAnchor(hinge[i], 0.5 * i, 0, 0);
            dJointSetHingeAxis(hinge[i], 0, 1, 0);
        }
    }
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;
    ~Scene() { destroy(); }
    void destroy()
    {
        if (world) {
            dJointGroupDestroy(contacts);
            dWorldDestroy(world);
        }
        world = nullptr;
    }
    void touch()
    {
        dContact contact{};
        contact.geom.depth = 1e-4;
        contact.geom.normal[2] = 1;
        std::memcpy(contact.geom.pos, dBodyGetPosition(body[2]), 3 * sizeof(dReal));
        dJointGroupEmpty(contacts);
        dJointAttach(dJointCreateContact(world, contacts, &contact), body[2], nullptr);
    }
    /* the whole state that the engine moves */
    std::vector<dReal> state() const
    {
        std::vector<dReal> all;
        for (dBodyID b : body) {
            for (const dReal *part :
                 {dBodyGetPosition(b), dBodyGetQuaternion(b), dBodyGetLinearVel(b), dBodyGetAngularVel(b)})
                all.insert(all.end(), part, part + (part == dBodyGetQuaternion(b) ? 4 : 3));
        }
        return all;
    }
};

template <class Call> static ksStatus statusOf(Call call)
{
    try {
        call();
    } catch (const ks::Error &error) {
        CHECK(error.code() == error.status());
        CHECK(std::string(error.what()).find(ksErrorMessage()) == 0);
        CHECK(std::string(error.what()).find(ksStatusName(error.status())) != std::string::npos);
        return error.status();
    }
    return KS_OK;
}

/* Counts the destructions of a captured object. */
struct Held {
    std::shared_ptr<int> of;
    explicit Held(std::shared_ptr<int> count) : of(std::move(count)) {}
    ~Held() { ++*of; }
};

struct Counter {
    std::shared_ptr<int> count = std::make_shared<int>(0);
    std::shared_ptr<Held> held() const { return std::make_shared<Held>(count); }
};

static inline int sayFailures()
{
    dCloseODE();
    std::printf("%d failures\n", failures);
    return failures != 0;
}

#endif

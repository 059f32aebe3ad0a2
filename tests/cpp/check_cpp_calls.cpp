/* check_cpp_calls.cpp  Callbacks of kinetostat.hpp: the lifetime of their functions, and the
 * exceptions that they throw. Built and run by cpp.sh. */
#include "cpp_kit.hpp"

#include <pthread.h>
#include <thread>

enum Kind { REACTION, EVERY_REACTION, CONTACT, ALERT, THRESHOLD, TOUCH, STEP, ENGINE_STEP, KINDS };

static ks::Subscription subscribe(ks::Inspector &inspector, const Scene &scene, Kind kind, std::function<void()> call)
{
    const auto any = [call](const auto &) { call(); };
    ks::Threshold limits;
    limits.forceMagnitude = 1e-6;
    switch (kind) {
    case REACTION:
        return inspector.onReaction(scene.hinge[0], any);
    case EVERY_REACTION:
        return inspector.onReaction(nullptr, any);
    case CONTACT:
        return inspector.onContact(scene.body[2], nullptr, any);
    case ALERT:
        return inspector.onAlert(any);
    case THRESHOLD:
        return inspector.onThreshold(scene.hinge[0], limits, any);
    case TOUCH:
        return inspector.onTouch(scene.body[2], nullptr, 0, any);
    case STEP:
        return inspector.onStep(any);
    default:
        return inspector.onEngineStep(any);
    }
}

/* Callbacks throw at any time, in any way of stepping: the motion is the engine's own, and each
 * exception is caught once. */
static void exceptionsComeOutOfTheStep(Kind kind, ksLatency latency, bool isBracket)
{
    const int steps = 12;
    Scene plain, scene;
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        plain.touch();
        dWorldQuickStep(plain.world, h);
    }
    dRandSetSeed(1);
    ks::Options options;
    options.latency = latency;
    options.alertMask = ~0u;  // contacts enter the mask in each step
    ks::Inspector inspector(scene.world, options);
    int thrown = 0, caught = 0, calls = 0, after = 0;
    subscribe(inspector, scene, kind, [&] {
        calls++;
        if (thrown < 3)
            throw ++thrown;
    });
    inspector.onStep([&](const ksStepReport &) { after++; });
    for (int i = 0; i < steps; i++) {
        try {
            // while the contacts still exist
            if (kind == CONTACT || kind == ALERT)
                inspector.flush();
        } catch (int) {
            caught++;
        }
        scene.touch();
        try {
            if (isBracket)
                inspector.bracket(KS_QUICK_STEP, h, [&] { dWorldQuickStep(scene.world, h); });
            else
                inspector.quickStep(h);
        } catch (int which) {
            caught++;
            CHECK(which == caught && which == thrown);
        }
        if (latency == KS_SAME_STEP)
            CHECK(inspector.report().step == static_cast<unsigned long>(i) && inspector.report().inspected);
    }
    try {
        inspector.flush();
    } catch (int) {
        caught++;
    }
    CHECK(plain.state() == scene.state());
    // a threshold that stays above its limit calls once
    CHECK(thrown == (kind == THRESHOLD ? 1 : 3) && caught == thrown);
    CHECK(kind == THRESHOLD || calls > thrown);
    // the remaining calls were not made; for a call within the engine's step, the pending calls
    // belong to the step before
    CHECK(after == (kind == ENGINE_STEP && latency == KS_NEXT_STEP ? steps : steps - caught));
}

static void exceptionsOfAStepOfCWait()
{
    Scene scene;
    ks::Inspector inspector(scene.world);
    int calls = 0;
    inspector.onStep([&](const ksStepReport &) {
        if (!calls++)
            throw std::runtime_error("first");
    });
    CHECK(ksInspectorQuickStep(inspector.get(), h) == KS_OK);
    try {
        inspector.quickStep(h);
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(!std::strcmp(error.what(), "first"));
    }
    inspector.quickStep(h);
    CHECK(calls == 2 && inspector.report().step == 2);
}

/* The mean force of the ground on the last link: the same in C++ and C; it may outlive its
 * inspector. */
static void meansAreRead()
{
    const double window = 5 * h;
    Scene scene;
    ks::Mean sole, all, none;
    {
        ks::Inspector inspector(scene.world);
        ksSubscription plain = 0;
        sole = inspector.pair(scene.body[2], nullptr, window);
        CHECK(ksInspectorPair(inspector.get(), scene.body[2], nullptr, window, &plain) == KS_OK);
        all = inspector.mean({{nullptr, scene.body[2], nullptr, {}}, {scene.hinge[2], scene.body[2], nullptr, {}}},
                             window);
        CHECK(statusOf([&] { sole.read(); }) == KS_ERROR_UNAVAILABLE);
        const std::vector<ksPair> pairs = inspector.pairs();
        CHECK(pairs.size() == 2 && pairs[0].a == scene.body[2] && !pairs[0].b && pairs[0].window == window &&
              pairs[1].subscription == plain);
        ks::Threshold limits;
        limits.value = KS_MEAN;
        limits.frame = KS_FRAME_WORLD;
        limits.point = KS_POINT_MASS_CENTRE;
        limits.flags = KS_THRESHOLD_UNCHECKED;
        limits.forceMagnitude = 1e-3;
        int entered = 0;
        inspector.onPairThreshold(sole, limits, [&](const ksThresholdEvent &event) {
            entered += event.phase == KS_THRESHOLD_ENTERED && event.load > 1e-3;
        });
        const auto heard = [](const ksThresholdEvent &) {};
        CHECK(statusOf([&] { inspector.onPairThreshold(all, limits, heard); }) == KS_ERROR_BAD_ARGUMENT);
        CHECK(statusOf([&] { inspector.onPairThreshold(none, limits, heard); }) == KS_ERROR_BAD_ARGUMENT);
        CHECK(statusOf([&] { inspector.pair(nullptr, nullptr, window); }) == KS_ERROR_BAD_ARGUMENT);
        std::error_code ec;
        CHECK(!inspector.mean({}, window, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, ec).end() &&
              ec == KS_ERROR_BAD_ARGUMENT);
        dReal before = 0;
        for (int i = 0; i < 6; i++) {
            if (i == 1)
                before = dBodyGetLinearVel(scene.body[2])[2];
            scene.touch();
            inspector.quickStep(h);
        }
        CHECK(entered == 1);
        ksMean expected{};
        CHECK(ksInspectorGetMean(inspector.get(), plain, &expected) == KS_OK);
        const ksMean read = sole.read();
        CHECK(!std::memcmp(&read.wrench, &expected.wrench, sizeof read.wrench) && read.stepCount == 5);
        const double gained = 3 * (dBodyGetLinearVel(scene.body[2])[2] - before) / window + 3 * 9.81;
        CHECK(std::fabs(all.read().wrench.force[2] - gained) < 1e-9);
        CHECK(all.end() && !all.end() && !none.end());
        CHECK(statusOf([&] { all.read(); }) == KS_ERROR_ENDED);
    }
    CHECK(statusOf([&] { sole.read(); }) == KS_ERROR_ENDED && !sole.end());
}

static void functionsAreDestroyedOnce(Kind kind)
{
    Counter ended, kept, refused;
    Scene scene;
    {
        ks::Inspector inspector(scene.world);
        ks::Subscription first = subscribe(inspector, scene, kind, [held = ended.held()] {});
        subscribe(inspector, scene, kind, [held = kept.held()] {});
        std::error_code ec;
        inspector.onContact(
            nullptr, nullptr, [held = refused.held()](const ksReaction &) {}, ec);
        CHECK(ec && *refused.count == 1);
        CHECK(first.end() && *ended.count == 1 && !first.end() && *ended.count == 1);
        scene.touch();
        inspector.quickStep(h);
        CHECK(*kept.count == 0);
        ks::Inspector moved(std::move(inspector));
        moved.quickStep(h);
        inspector = std::move(moved);
        inspector = std::move(*&inspector);  // to itself
        CHECK(*kept.count == 0 && inspector.get() && !moved.get());
    }
    CHECK(*ended.count == 1 && *kept.count == 1);
}

static void jointsMayGoInCallbacks()
{
    Counter ofReaction, ofThreshold;
    Scene scene;
    ks::Inspector inspector(scene.world);
    int calls = 0, lastCalls = 0;
    inspector.onReaction(scene.hinge[2], [&, held = ofReaction.held()](const ksReaction &r) {
        calls++;
        lastCalls += r.reasons == KS_REASON_JOINT_GONE;
        if (calls == 2)
            dJointDestroy(r.joint);
    });
    ks::Threshold limits;
    limits.forceMagnitude = 1e9;
    ks::Subscription threshold =
        inspector.onThreshold(scene.hinge[2], limits, [&, held = ofThreshold.held()](const ksThresholdEvent &event) {
            CHECK(event.phase == KS_THRESHOLD_ENDED);
            lastCalls++;
            throw std::runtime_error("of the last call");
        });
    for (int i = 0; i < 2; i++)
        inspector.quickStep(h);
    CHECK(calls == 2 && !*ofReaction.count);
    CHECK(statusOf([&] { (void)inspector.reaction(scene.hinge[2]); }) == KS_OK);  // it existed when
                                                                                  // the step began
    bool isThrown = false;
    try {
        inspector.quickStep(h);
    } catch (const std::runtime_error &) {
        isThrown = true;
    }
    CHECK(isThrown && calls == 3 && lastCalls == 2 && *ofReaction.count == 1 && *ofThreshold.count == 1);
    CHECK(!threshold.end());
    inspector.quickStep(h);
    CHECK(calls == 3);
}

static void subscriptionsMayEndThemselves()
{
    Counter first, second;
    Scene scene;
    ks::Inspector inspector(scene.world);
    int calls = 0, others = 0;
    ks::Subscription own;
    own = inspector.onReaction(nullptr, [&, held = first.held()](const ksReaction &) {
        calls++;
        CHECK(own.end() && !own.end());
        CHECK(!*first.count);  // while it runs
    });
    ks::ScopedSubscription scoped;
    scoped = inspector.onReaction(nullptr, [&, held = second.held()](const ksReaction &) {
        others++;
        scoped = ks::ScopedSubscription();
        throw 1;
    });
    try {
        inspector.quickStep(h);
    } catch (int) {
    }
    CHECK(calls == 1 && others == 1 && *first.count == 1 && *second.count == 1);
    inspector.quickStep(h);
    CHECK(calls == 1 && others == 1);
    {
        ks::ScopedSubscription short_ = inspector.onStep([&](const ksStepReport &) { calls++; });
        ks::ScopedSubscription moved = std::move(short_);
        inspector.quickStep(h);
    }
    inspector.quickStep(h);
    CHECK(calls == 2);
    ks::ScopedSubscription(inspector.onStep([&](const ksStepReport &) { calls++; })).release();
    inspector.quickStep(h);
    CHECK(calls == 3);
}

static void inspectorsMayGoAtAnyTime(bool isThrowing)
{
    Counter counter;
    Scene scene;
    std::optional<ks::Inspector> inspector(std::in_place, scene.world);
    ks::Subscription step = inspector->onStep([&](const ksStepReport &) { CHECK(false); });
    int calls = 0, caught = 0;
    inspector->onReaction(nullptr, [&, held = counter.held()](const ksReaction &) {
        calls++;
        inspector.reset();
        scene.destroy();
        CHECK(!*counter.count);
        if (isThrowing)
            throw 2;
    });
    try {
        inspector->quickStep(h);
    } catch (int) {
        caught++;
    }
    CHECK(calls == 1 && caught == isThrowing && *counter.count == 1 && !step.end());

    // a step of C holds nothing: the library does
    Scene another;
    ks::Inspector second(another.world);
    second.onEngineStep([&, held = counter.held()](const ksEngineStep &) { second.reset(); });
    second.onEngineStep([&, held = counter.held()](const ksEngineStep &) { calls++; });
    CHECK(ksInspectorQuickStep(second.get(), h) == KS_OK && *counter.count == 3 && !second.get());

    Scene third;
    ks::Inspector after(third.world);
    after.onStep([held = counter.held()](const ksStepReport &) {});
    after.quickStep(h);
    third.destroy();
    after.reset();
    CHECK(*counter.count == 4);
    CHECK(statusOf([&] { after.quickStep(h); }) == KS_ERROR_BAD_ARGUMENT && after.reactions().empty());
}

/* A function's captures can end subscriptions, also of its own inspector, when they are
 * destroyed. */
static void functionsMayHoldSubscriptions()
{
    Counter counter;
    Scene scene;
    ks::Inspector inspector(scene.world);
    auto held =
        std::make_shared<ks::ScopedSubscription>(inspector.onStep([of = counter.held()](const ksStepReport &) {}));
    ks::Subscription holder = inspector.onStep([held](const ksStepReport &) {});
    held.reset();
    CHECK(!*counter.count && holder.end() && *counter.count == 1);
    held = std::make_shared<ks::ScopedSubscription>(inspector.onStep([of = counter.held()](const ksStepReport &) {}));
    inspector.onStep([held](const ksStepReport &) {});
    held.reset();
    // in the other order, too
    held = std::make_shared<ks::ScopedSubscription>();
    inspector.onStep([held](const ksStepReport &) {});
    *held = inspector.onStep([of = counter.held()](const ksStepReport &) {});
    held.reset();
    inspector.quickStep(h);
    inspector.reset();
    CHECK(*counter.count == 3);
}

static ks::Inspector *stepping;
static std::error_code within;

static void flushWithin(dBodyID)
{
    stepping->flush(within);
}

/* Exceptions do not pass through the engine's frames. */
static void callsWithinCallsAreRefused()
{
    Scene scene;
    ks::Inspector inspector(scene.world);
    stepping = &inspector;
    dBodySetMovedCallback(scene.body[0], flushWithin);
    inspector.onEngineStep([](const ksEngineStep &) { throw 3; });
    int caught = 0;
    try {
        inspector.quickStep(h);
    } catch (int) {
        caught++;
    }
    CHECK(within == KS_ERROR_REENTRY && caught == 1 && inspector.report().stepped);
}

/* For that, each world of the engine needs threading of its own. */
static void threadsHaveInspectorsOfTheirOwn()
{
    Scene scene[2];
    ks::Inspector inspector[2];
    dThreadingImplementationID own[2];
    int caught[2] = {0, 0};
    for (int n = 0; n < 2; n++) {
        own[n] = dThreadingAllocateSelfThreadedImplementation();
        dWorldSetStepThreadingImplementation(scene[n].world, dThreadingImplementationGetFunctions(own[n]), own[n]);
        inspector[n] = ks::Inspector(scene[n].world);
        inspector[n].onStep([](const ksStepReport &report) {
            if (report.step % 2)
                throw report.step;
        });
    }
    const auto run = [&](int n) {
        dAllocateODEDataForThread(unsigned(dAllocateMaskAll));
        for (int i = 0; i < 100; i++) {
            try {
                inspector[n].step(h);
            } catch (unsigned long step) {
                caught[n] += step == inspector[n].report().step;
            }
            std::error_code ec;
            inspector[n].step(-1 - i, ec);
            caught[n] += ec != KS_ERROR_BAD_ARGUMENT;
        }
    };
    std::thread other(run, 0);
    run(1);
    other.join();
    CHECK(caught[0] == 50 && caught[1] == 50);
    for (int n = 0; n < 2; n++) {
        scene[n].destroy();
        dThreadingFreeImplementation(own[n]);
    }
}

/* This is no C++ exception, so it is not kept: it ends the thread, and the inspector continues with
 * another one. */
static void threadsMayEndInCallbacks()
{
    Scene scene;
    ks::Inspector inspector(scene.world);
    Counter unwound;
    inspector.onStep([&](const ksStepReport &report) {
        const auto held = unwound.held();
        if (report.step == 0)
            pthread_exit(nullptr);
    });
    std::thread([&] {
        dAllocateODEDataForThread(unsigned(dAllocateMaskAll));
        inspector.quickStep(h);
    }).join();
    CHECK(*unwound.count == 1);
    inspector.quickStep(h);
    CHECK(inspector.report().step == 1);
}

int main()
{
    dInitODE2(0);
    dAllocateODEDataForThread(unsigned(dAllocateMaskAll));
    for (int kind = 0; kind < KINDS; kind++) {
        for (ksLatency latency : {KS_SAME_STEP, KS_NEXT_STEP}) {
            for (bool isBracket : {false, true})
                exceptionsComeOutOfTheStep(static_cast<Kind>(kind), latency, isBracket);
        }
        functionsAreDestroyedOnce(static_cast<Kind>(kind));
    }
    exceptionsOfAStepOfCWait();
    meansAreRead();
    jointsMayGoInCallbacks();
    subscriptionsMayEndThemselves();
    for (bool isThrowing : {false, true})
        inspectorsMayGoAtAnyTime(isThrowing);
    functionsMayHoldSubscriptions();
    callsWithinCallsAreRefused();
    threadsHaveInspectorsOfTheirOwn();
    threadsMayEndInCallbacks();
    return sayFailures();
}

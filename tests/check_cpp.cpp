/* check_cpp.cpp  kinetostat.hpp: who owns what and for how long, what is thrown and where it comes out, and that nothing else differs
 * from C. Built and run by cpp.sh. */
#include <kinetostat/kinetostat.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <thread>

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

/* Three links on hinges, the last of which strikes a floor of contacts that are made here. */
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
    /* all that the engine moves */
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

static void errorsSayWhatCSays()
{
    Scene scene;
    ks::Inspector inspector(scene.world);
    CHECK(statusOf([&] { inspector.step(-1); }) == KS_ERROR_BAD_ARGUMENT);
    CHECK(std::string(ksErrorMessage()).find("ksInspectorStep: stepSize is -1") == 0);
    CHECK(statusOf([&] { ks::Inspector none(nullptr); }) == KS_ERROR_BAD_ARGUMENT);
    CHECK(statusOf([&] { inspector.onStep(nullptr); }) == KS_ERROR_BAD_ARGUMENT);
    CHECK(statusOf([&] { (void)inspector.report(); }) == KS_ERROR_UNAVAILABLE);
    CHECK(statusOf([&] { (void)inspector.reaction(scene.hinge[0]); }) == KS_ERROR_UNAVAILABLE);
    CHECK(statusOf([&] { inspector.setName(scene.hinge[0], ""); }) == KS_ERROR_BAD_ARGUMENT);

    std::error_code ec = std::make_error_code(std::errc::io_error);
    ks::Inspector none(nullptr, ks::Options(), ec);
    CHECK(ec == KS_ERROR_BAD_ARGUMENT && !none.get());
    CHECK(ec.category() == ks::category() && ec.message() == "KS_ERROR_BAD_ARGUMENT");
    CHECK(ks::category().message(999) == "KS_STATUS_UNKNOWN");
    CHECK(!inspector.onStep(nullptr, ec).end() && ec == KS_ERROR_BAD_ARGUMENT);
    inspector.quickStep(h, ec);
    CHECK(!ec && inspector.report().step == 0);
    inspector.quickStep(std::nan(""), ec);
    CHECK(ec == KS_ERROR_BAD_ARGUMENT);
    CHECK(!ks::throws());  // is never written
    CHECK(statusOf([&] { ks::wrench(inspector.reaction(scene.hinge[0]), KS_PHYSICAL, 7); }) == KS_ERROR_BAD_ARGUMENT);
}

/* Reaction by reaction what an inspector of C finds in the same world. */
static void valuesAreThoseOfC()
{
    std::vector<ksReaction> found;
    const int steps = 30;
    {
        Scene scene;
        ksInspector *inspector;
        ks::check(ksInspectorCreate(scene.world, nullptr, &inspector));
        for (int i = 0; i < steps; i++) {
            size_t count;
            scene.touch();
            ks::check(ksInspectorQuickStep(inspector, h));
            const ksReaction *all = ksInspectorGetReactions(inspector, &count);
            found.insert(found.end(), all, all + count);
        }
        ksInspectorDestroy(inspector);
    }
    Scene scene;
    ks::Inspector inspector(scene.world);
    std::size_t at = 0;
    for (int i = 0; i < steps; i++) {
        scene.touch();
        inspector.quickStep(h);
        for (const ksReaction &r : inspector.reactions()) {
            CHECK(at < found.size() && r.verdict == found[at].verdict && r.reasons == found[at].reasons);
            CHECK(!std::memcmp(r.engine, found[at].engine, 3 * sizeof r.engine));  // and converged, and physical
            ksWrench wanted;
            const ksStatus status = ksReactionGetWrench(&r, KS_PHYSICAL, 1, KS_FRAME_JOINT, KS_POINT_ANCHOR, &wanted);
            const auto wrench = ks::wrench(r, KS_PHYSICAL, 1, KS_FRAME_JOINT, KS_POINT_ANCHOR);
            CHECK(wrench.has_value() == (status == KS_OK));
            CHECK(!wrench || !std::memcmp(&*wrench, &wanted, sizeof wanted));
            CHECK(ks::rows(r).data() == r.row && ks::rows(r).size() == static_cast<std::size_t>(r.rowCount));
            CHECK(ks::name(r.verdict) == ksVerdictName(r.verdict));
            CHECK(&inspector.reaction(r.joint) == &r);
            at++;
        }
        CHECK(&inspector.report() == ksInspectorGetStepReport(inspector.get()));
    }
    CHECK(at == found.size());
    inspector.step(h);
    CHECK(inspector.report().stepper == KS_WORLD_STEP);
    inspector.exactStep(h);
    CHECK(inspector.report().stepper == KS_EXACT_STEP);
    const ksReasons both = KS_REASON_ADOPTED | KS_REASON_REDUNDANT;
    CHECK((ks::names(both) == std::vector<std::string_view>{"KS_REASON_REDUNDANT", "KS_REASON_ADOPTED"}));
    CHECK(ks::names(0).empty());
    inspector.setName(scene.hinge[1], "middle");
    CHECK(inspector.name(scene.hinge[1]) == "middle" && inspector.name(scene.hinge[0]).empty());
}

enum Kind { REACTION, EVERY_REACTION, CONTACT, ALERT, THRESHOLD, STEP, ENGINE_STEP, KINDS };

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
    case STEP:
        return inspector.onStep(any);
    default:
        return inspector.onEngineStep(any);
    }
}

/* Steps with what is thrown at any time, in any way of stepping: the motion is the engine's own, and each is caught once. */
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
    options.alertMask = ~0u;  // contacts enter it each time
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
            // before the contacts go of which they are
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
    // the rest of the calls was not made; to a call in the engine's step those of the step before are none of these
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

/* How often what it holds was destroyed. */
struct Held {
    std::shared_ptr<int> of;
    explicit Held(std::shared_ptr<int> count) : of(std::move(count)) {}
    ~Held() { ++*of; }
};

struct Counter {
    std::shared_ptr<int> count = std::make_shared<int>(0);
    std::shared_ptr<Held> held() const { return std::make_shared<Held>(count); }
};

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
    CHECK(statusOf([&] { (void)inspector.reaction(scene.hinge[2]); }) == KS_OK);  // it was there when the step began
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

/* What a function holds may end subscriptions, of its own inspector as well, when it is destroyed. */
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

/* Through the engine's frames nothing is thrown either. */
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

static void whatIsUnknownIsNothing()
{
    Scene scene;
    ks::Options options;
    options.values = KS_COMPUTE_CONVERGED;
    ks::Inspector inspector(scene.world, options);
    inspector.quickStep(h);
    const ksReaction &r = inspector.reaction(scene.hinge[0]);
    CHECK(!ks::wrench(r) && ks::wrench(r, KS_CONVERGED));
}

static void bracketsAreClosed()
{
    Scene scene;
    ks::Inspector inspector(scene.world);
    int steps = 0;
    const auto engine = [&] { steps += dWorldQuickStep(scene.world, h); };
    inspector.bracket(KS_QUICK_STEP, h, engine);
    bool isThrown = false;
    ks::ScopedSubscription thrower = inspector.onStep([](const ksStepReport &) { throw 1; });
    try {
        inspector.bracket(KS_QUICK_STEP, h, [&] {
            engine();
            CHECK(statusOf([&] { inspector.bracket(KS_QUICK_STEP, h, engine); }) == KS_ERROR_BRACKET);
            throw std::logic_error("of the step");
        });
    } catch (const std::logic_error &) {
        isThrown = true;
    }
    thrower.end();
    inspector.quickStep(h);
    CHECK(isThrown && steps == 2 && inspector.report().step == 2);
    CHECK(statusOf([&] { inspector.bracket(KS_QUICK_STEP, -1, engine); }) == KS_ERROR_BAD_ARGUMENT && steps == 2);
    dBodySetLinearVel(scene.body[1], std::nan(""), 0, 0);
    std::error_code ec;
    inspector.bracket(KS_QUICK_STEP, h, engine, ec);
    CHECK(ec == KS_ERROR_NOT_FINITE && steps == 2);
    dBodySetLinearVel(scene.body[1], 0, 0, 0);
    inspector.bracket(KS_QUICK_STEP, h, engine);
    CHECK(steps == 3);
}

/* Of the engine each world needs threading of its own for that. */
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

/* No exception of C++, and so not kept: it ends the thread, and the inspector goes on with another. */
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

static void ownersFreeWhatTheyOwn()
{
    const auto system = ks::make<ks::System>(ksSystemCreate);
    CHECK(system &&
          statusOf([] { (void)ks::make<ks::Coordinates>(ksCoordinatesCreate, nullptr); }) == KS_ERROR_BAD_ARGUMENT);
#ifdef CHECK_REPORTS
    Scene scene;
    ks::Inspector inspector(scene.world);
    ks::ReportOptions options;
    options.joints = "middle";
    const auto report = ks::make<ks::Report>(ksReportCreate, &options);
    ks::check(ksReportWatch(report.get(), inspector.get(), "chain"));
    auto trace = ks::make<ks::Trace>(ksTraceCreate, "trace.csv", nullptr);
    ks::check(ksTraceWatch(trace.get(), inspector.get(), nullptr));
    inspector.quickStep(h);
    ks::check(ksTraceClose(trace.release()));
    trace = ks::make<ks::Trace>(ksTraceCreate, "trace.csv", nullptr);
    CHECK(statusOf([] { (void)ks::make<ks::Trace>(ksTraceCreate, "/nowhere/trace.csv", nullptr); }) == KS_ERROR_FILE);
#endif
}

int main()
{
    dInitODE2(0);
    dAllocateODEDataForThread(unsigned(dAllocateMaskAll));
    errorsSayWhatCSays();
    valuesAreThoseOfC();
    for (int kind = 0; kind < KINDS; kind++) {
        for (ksLatency latency : {KS_SAME_STEP, KS_NEXT_STEP}) {
            for (bool isBracket : {false, true})
                exceptionsComeOutOfTheStep(static_cast<Kind>(kind), latency, isBracket);
        }
        functionsAreDestroyedOnce(static_cast<Kind>(kind));
    }
    exceptionsOfAStepOfCWait();
    jointsMayGoInCallbacks();
    subscriptionsMayEndThemselves();
    for (bool isThrowing : {false, true})
        inspectorsMayGoAtAnyTime(isThrowing);
    functionsMayHoldSubscriptions();
    callsWithinCallsAreRefused();
    whatIsUnknownIsNothing();
    bracketsAreClosed();
    threadsHaveInspectorsOfTheirOwn();
    threadsMayEndInCallbacks();
    ownersFreeWhatTheyOwn();
    dCloseODE();
    std::printf("%d failures\n", failures);
    return failures != 0;
}

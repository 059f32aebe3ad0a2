/* check_cpp.cpp  kinetostat.hpp: values and errors are the same as in C, brackets are closed, owners
 * free their resources. Built and run by cpp.sh. */
#include "cpp_kit.hpp"

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
    CHECK(!ks::throws());  // the shared value behind it is never written
    CHECK(statusOf([&] { ks::wrench(inspector.reaction(scene.hinge[0]), KS_PHYSICAL, 7); }) == KS_ERROR_BAD_ARGUMENT);
}

/* Each reaction equals the same reaction of a C inspector in an identical world. */
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
            CHECK(!std::memcmp(r.engine, found[at].engine, 3 * sizeof r.engine));  // also converged
                                                                                   // and physical
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
    ks::View view;
    const ksStatus seen = statusOf([&] { view = ks::make<ks::View>(ksViewCreate, report.get()); });
    int mayStep = 0;
    if (view)
        ks::check(ksViewPoll(view.get(), 0, &mayStep));
    CHECK(view ? seen == KS_OK && mayStep == 1 : seen == KS_ERROR_UNAVAILABLE);
    CHECK(statusOf([] { (void)ks::make<ks::View>(ksViewCreate, nullptr); }) == KS_ERROR_BAD_ARGUMENT);
#endif
}

int main()
{
    dInitODE2(0);
    errorsSayWhatCSays();
    valuesAreThoseOfC();
    whatIsUnknownIsNothing();
    bracketsAreClosed();
    ownersFreeWhatTheyOwn();
    return sayFailures();
}

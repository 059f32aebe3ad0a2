/** @file kinetostat.hpp  The same in C++17: owners that free what they own, any function as a
 *  callback, exceptions or std::error_code. Header only: it needs the C library alone.
 *
 *      kinetostat::Inspector inspector(world);
 *      inspector.onReaction(elbow, [&](const ksReaction &r) { worst = std::max(worst, r.error); });
 *      inspector.quickStep(0.005);                              // instead of dWorldQuickStep(world, 0.005)
 *      for (const ksReaction &r : inspector.reactions())
 *          if (auto w = kinetostat::wrench(r))                  // nothing: the value is not known
 *              std::printf("%g N\n", w->force[2]);
 *
 *  Structs, enumerations and all functions that are not here are those of C:
 *  ksReportWatch(report.get(), inspector.get(), "arm"). kinetostat::check makes an exception of
 *  what they return. Frames, units and lifetimes are theirs, too.
 *
 *  Errors. A call whose last argument is `ec` throws kinetostat::Error where the C function fails.
 *  Given a std::error_code it sets that instead, to KS_OK or to the status, and answers something
 *  empty. If operator new fails, in memory of this header itself, both forms throw std::bad_alloc;
 *  ksAllocator provides only the library's memory. A value that is not known is no error: it is an
 *  empty std::optional.
 *
 *  Callbacks. What a callback throws does not cross the library. It is kept, the other callbacks of
 *  this call are not made, the step is, and then the call that steps or flushes throws it, with or
 *  without `ec`. The inspector goes on, and the next step is as if nothing was thrown. With
 *  KS_NEXT_STEP callbacks come in the next step, and so does what they throw. Of callbacks in a
 *  step by the function of C it is thrown by the next call here that steps or flushes. A callback
 *  may end any subscription, its own included, and destroy joints, its inspector, and after that
 *  the world. A function is destroyed after the end of its subscription, but never while it runs.
 *  If a body of a contact is gone, its function is destroyed with the inspector.
 *
 *  Threads: as in C. One at a time uses an inspector with its subscriptions.
 */
#ifndef KINETOSTAT_KINETOSTAT_HPP
#define KINETOSTAT_KINETOSTAT_HPP

#if __cplusplus < 201703L
#error "kinetostat.hpp needs C++17: -std=c++17"
#endif

#include <kinetostat/coordinates.h>
#include <kinetostat/kinetostat.h>
#if __has_include(<kinetostat/report.h>)
#include <kinetostat/recording.h>
#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#include <kinetostat/view.h>
#endif

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace kinetostat {

/** The category of statuses in a std::error_code; the message of one is its name. */
KS_API inline const std::error_category &category() noexcept
{
    struct Category final : std::error_category {
        const char *name() const noexcept override { return "kinetostat"; }
        std::string message(int status) const override
        {
            // in C++ an enumeration holds no other numbers than those of its bits
            return status < 0 || status > 31 ? "KS_STATUS_UNKNOWN" : ksStatusName(static_cast<ksStatus>(status));
        }
    };
    static const Category only;
    return only;
}

}  // namespace kinetostat

/* So that a ksStatus is a std::error_code: `if (ec == KS_ERROR_NO_MEMORY)`. */
namespace std {
template <> struct is_error_code_enum<ksStatus> : true_type {
};
}  // namespace std
inline std::error_code make_error_code(ksStatus status) noexcept
{
    return {static_cast<int>(status), kinetostat::category()};
}

namespace kinetostat {

/** A call that failed: its status, and in what() the words of ksErrorMessage. */
class Error : public std::system_error {
public:
    Error(ksStatus status, const char *words) : std::system_error(make_error_code(status), words) {}
    ksStatus status() const noexcept { return static_cast<ksStatus>(code().value()); }
};

/** As the argument `ec`: throw an Error. Only its address matters; it is never written. */
KS_API inline std::error_code &throws() noexcept
{
    static std::error_code nowhere;
    return nowhere;
}

/** For functions of C: throws an Error unless the status is KS_OK, or sets ec. Call it at once, on
 *  the same thread. */
inline void check(ksStatus status, std::error_code &ec = throws())
{
    if (&ec != &throws())
        ec = status;
    else if (status != KS_OK)
        throw Error(status, ksErrorMessage());
}

/** A struct of C with its defaults: `Threshold limits; limits.forceMagnitude = 500;`. */
template <class Struct, void (*init)(Struct *)> struct WithDefaults : Struct {
    WithDefaults() noexcept { init(this); }
};
using Options = WithDefaults<ksInspectorOptions, ksInspectorOptionsInit>;
using Threshold = WithDefaults<ksThreshold, ksThresholdInit>;
using Sensor = WithDefaults<ksSensor, ksSensorInit>;

/** Some structs of C in a row, as the library owns them: see where it comes from for how long. */
template <class Struct> class Range {
public:
    constexpr Range() noexcept = default;
    constexpr Range(const Struct *at, std::size_t length) noexcept : first(at), count(at ? length : 0) {}
    constexpr const Struct *begin() const noexcept { return first; }
    constexpr const Struct *end() const noexcept { return first + count; }
    constexpr const Struct *data() const noexcept { return first; }
    constexpr std::size_t size() const noexcept { return count; }
    constexpr bool empty() const noexcept { return count == 0; }
    constexpr const Struct &operator[](std::size_t index) const noexcept { return first[index]; }

private:
    const Struct *first = nullptr;
    std::size_t count = 0;
};

/** A reaction's constraint rows, valid until the next step; not of a copy that is older. */
inline Range<ksRow> rows(const ksReaction &reaction) noexcept
{
    return {reaction.row, static_cast<std::size_t>(reaction.rowCount)};
}

/** The enumerator's own name, "KS_VALID". Static storage. */
inline std::string_view name(ksVerdict verdict) noexcept
{
    return ksVerdictName(verdict);
}

/** Names of all bits that are set, "KS_REASON_BOUND", the lowest first. Static storage. */
inline std::vector<std::string_view> names(ksReasons reasons)
{
    std::vector<std::string_view> names;
    for (; reasons; reasons &= reasons - 1)
        names.emplace_back(ksReasonName(reasons & (~reasons + 1)));
    return names;
}

/** A reaction's wrench on one of its bodies; N, N.m. See ksReactionGetWrench.
 *  @param reaction  may be a copy, and its joint gone
 *  @param body      0 or 1: index into reaction.body
 *  @return nothing: the value is not known. Throws Error: KS_ERROR_BAD_ARGUMENT,
 *          KS_ERROR_NO_ANCHOR */
inline std::optional<ksWrench> wrench(const ksReaction &reaction, ksValue value = KS_PHYSICAL, int body = 0,
                                      ksFrame frame = KS_FRAME_WORLD, ksPoint point = KS_POINT_MASS_CENTRE)
{
    ksWrench out{};
    const ksStatus status = ksReactionGetWrench(&reaction, value, body, frame, point, &out);
    if (status == KS_ERROR_UNAVAILABLE)
        return std::nullopt;
    check(status);
    return out;
}

/** A callback: a function, a lambda, an object; empty it is KS_ERROR_BAD_ARGUMENT. What it refers
 *  to has to outlive the subscription. */
template <class Argument> using Function = std::function<void(const Argument &)>;

namespace detail {

struct State;

/* A subscription's function. The inspector's state owns it; while it is called, the call does,
 * too. */
struct Callback : std::enable_shared_from_this<Callback> {
    State *state = nullptr; /* NULL: it has ended */
    ksSubscription id = 0;
    std::list<std::shared_ptr<Callback>>::iterator place;
    Callback() = default;
    Callback(const Callback &) = delete;
    Callback &operator=(const Callback &) = delete;
    virtual ~Callback() = default;
    inline bool end() noexcept;
};

/* What belongs to an inspector of C. It lives as long as that, which holds it by `self`, or as long
 * as a call that needs it. */
struct State {
    ksInspector *inspector = nullptr; /* NULL: it is gone */
    std::shared_ptr<State> self;
    std::list<std::shared_ptr<Callback>> callbacks;
    std::exception_ptr thrown; /* by a callback, and not yet by the call that steps */

    static void destroyed(void *user) noexcept
    {
        const std::shared_ptr<State> state = std::move(static_cast<State *>(user)->self);
        state->inspector = nullptr;
        for (const std::shared_ptr<Callback> &callback : state->callbacks)
            callback->state = nullptr;
    }
};

inline bool Callback::end() noexcept
{
    State *const of = std::exchange(state, nullptr);
    if (!of)
        return false;
    const bool isEnded = ksInspectorUnsubscribe(of->inspector, id) == KS_OK;
    // destroyed when the list is whole again: what the function holds may end other subscriptions
    const std::shared_ptr<Callback> kept = std::move(*place);
    of->callbacks.erase(place);
    return isEnded;
}

/* The one that says that the joint is gone, and the subscription with it. */
template <class Argument> bool isLast(const Argument &argument) noexcept
{
    if constexpr (std::is_same_v<Argument, ksReaction>)
        return argument.reasons & KS_REASON_JOINT_GONE;
    else if constexpr (std::is_same_v<Argument, ksThresholdEvent>)
        return argument.phase == KS_THRESHOLD_ENDED;
    return false;
}

template <class Argument> struct CallbackOf final : Callback {
    Function<Argument> function;
    explicit CallbackOf(Function<Argument> of) : function(std::move(of)) {}

    /* The callback of C. */
    static void call(const Argument *argument, void *user)
    {
        CallbackOf *const callback = static_cast<CallbackOf *>(user);
        const std::shared_ptr<Callback> kept = callback->shared_from_this();
        State *const state = callback->state;
        const bool last = isLast(*argument);
        try {
            if (!state->thrown)
                callback->function(*argument);
        } catch (...) {
            state->thrown = std::current_exception();
            if (!state->thrown)
                throw;  // what is no exception of C++: the thread ends here
        }
        if (last)
            callback->end();
    }
};

}  // namespace detail

/** Which subscription, as a handle that may be copied and dropped: the subscription stays, and its
 *  function belongs to the inspector. It may outlive the inspector. */
class Subscription {
public:
    Subscription() noexcept = default;

    /** Ends it: there is no further call, not even in this step. Within callbacks, too.
     *  @return false: it had ended before, also with its joint, its body or its inspector; or there
     *          is none */
    bool end() noexcept
    {
        const std::shared_ptr<detail::Callback> ended = callback.lock();
        return ended && ended->end();
    }

private:
    friend class Inspector;
    explicit Subscription(const std::shared_ptr<detail::Callback> &of) noexcept : callback(of) {}
    std::weak_ptr<detail::Callback> callback;
};

/** A subscription that ends with its owner: `ScopedSubscription mine = inspector.onStep(...);`. */
class [[nodiscard]] ScopedSubscription {
public:
    ScopedSubscription() noexcept = default;
    ScopedSubscription(Subscription owned) noexcept : subscription(std::move(owned)) {}
    ScopedSubscription(ScopedSubscription &&other) noexcept : subscription(other.release()) {}
    ScopedSubscription &operator=(ScopedSubscription other) noexcept
    {
        std::swap(subscription, other.subscription);
        return *this;
    }
    ~ScopedSubscription() { subscription.end(); }
    bool end() noexcept { return subscription.end(); }
    /** Lets it go on without an owner. */
    Subscription release() noexcept { return std::exchange(subscription, Subscription()); }

private:
    Subscription subscription;
};

/** A window over the forces of a pair, a joint or a sum, as a handle that may be copied and
 *  dropped: it stays the inspector's, which it may outlive. */
class Mean {
public:
    Mean() noexcept = default;

    /** What it holds after the last step; see ksInspectorGetMean. Throws Error: KS_ERROR_ENDED,
     *  KS_ERROR_UNAVAILABLE. */
    ksMean read(std::error_code &ec = throws()) const
    {
        ksMean out{};
        const std::shared_ptr<detail::State> of = state.lock();
        check(of && of->inspector ? ksInspectorGetMean(of->inspector, id, &out)
                                  : ksErrorSet(KS_ERROR_ENDED, "Mean::read", "the inspector is gone"),
              ec);
        return out;
    }

    /** @return false: it had ended before, also with its body, its joint or its inspector; or there
     *          is none */
    bool end() noexcept
    {
        const std::shared_ptr<detail::State> of = state.lock();
        return of && of->inspector && ksInspectorUnsubscribe(of->inspector, id) == KS_OK;
    }

private:
    friend class Inspector;
    Mean(const std::shared_ptr<detail::State> &of, ksSubscription made) noexcept : state(of), id(made) {}
    std::weak_ptr<detail::State> state;
    ksSubscription id = 0;
};

/** An inspector of a world, and the functions that it calls; as ksInspector. May be moved, also in
 *  its own callbacks. Destroyed there, it is gone when the call that steps returns. Calls on one
 *  that was moved from are KS_ERROR_BAD_ARGUMENT. */
class Inspector {
public:
    /** None, until one is moved here. */
    Inspector() noexcept = default;

    /** See ksInspectorCreate.
     *  @param world    a living world, not in a step; it may be destroyed before the inspector
     *  @param options  copied */
    explicit Inspector(dWorldID world, const ksInspectorOptions &options = Options(), std::error_code &ec = throws())
    {
        const auto made = std::make_shared<detail::State>();
        ksInspector *inspector = nullptr;
        ksStatus status = ksInspectorCreate(world, &options, &inspector);
        if (status == KS_OK)
            status = ksInspectorOnDestroy(inspector, detail::State::destroyed, made.get());
        if (status != KS_OK) {
            ksInspectorDestroy(inspector);
        } else {
            made->inspector = inspector;
            state = made->self = made;
        }
        check(status, ec);
    }
    Inspector(Inspector &&) noexcept = default;
    Inspector &operator=(Inspector other) noexcept
    {
        state.swap(other.state);
        return *this;
    }
    ~Inspector() { reset(); }

    /** Destroys the inspector now. */
    void reset() noexcept
    {
        const std::shared_ptr<detail::State> kept = std::move(state);
        if (kept)
            ksInspectorDestroy(kept->inspector);
    }

    /** For functions of C; stays this object's. NULL: none. */
    ksInspector *get() const noexcept { return state ? state->inspector : nullptr; }

    /** dWorldStep, dWorldQuickStep, an exact step: see ksInspectorStep, ksInspectorQuickStep,
     *  ksInspectorExactStep. They throw what a callback has thrown, else Error. After
     *  KS_ERROR_NO_MEMORY, and in callbacks, the step has been made: see ksStepReport::stepped.
     *  @param stepSize  s, > 0 */
    void step(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorStep, stepSize); }
    void quickStep(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorQuickStep, stepSize); }
    void exactStep(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorExactStep, stepSize); }

    /** With KS_NEXT_STEP: waits for the last step and makes its callbacks; see ksInspectorFlush.
     *  Throws as a step. */
    void flush(std::error_code &ec = throws()) { run(ec, ksInspectorFlush); }

    /** A step of the host's own, in a bracket; see ksInspectorBeginStep. Throws as a step.
     *  @param engineStep  makes the step, by `stepper` and of this size. It is not called where the
     *                     bracket does not open, or a body is not finite. What it throws goes on,
     *                     after the bracket has been closed */
    template <class EngineStep>
    void bracket(ksStepper stepper, dReal stepSize, EngineStep &&engineStep, std::error_code &ec = throws())
    {
        const std::shared_ptr<detail::State> kept = state;
        ksStatus status = ksInspectorBeginStep(get(), stepper, stepSize);
        if (status == KS_OK || status == KS_ERROR_NO_MEMORY || status == KS_ERROR_NOT_FINITE) {
            try {
                if (status != KS_ERROR_NOT_FINITE)
                    std::forward<EngineStep>(engineStep)();
            } catch (...) {
                (void)!ksInspectorEndStep(kept->inspector);
                kept->thrown = nullptr;
                throw;
            }
            status = ksInspectorEndStep(kept->inspector);
        }
        finish(kept, status, ec);
    }

    /** After each step, the reaction of this joint. The rules of all subscriptions, and when they
     *  end: ksInspectorOnReaction.
     *  @param joint     of this world; nullptr: every joint
     *  @param function  its argument is valid during the call, and may be copied */
    Subscription onReaction(dJointID joint, Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnReaction, joint);
    }

    /** The contacts between two bodies; see ksInspectorOnContact. @param b  nullptr: any partner,
     *  the world included */
    Subscription onContact(dBodyID a, dBodyID b, Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnContact, a, b);
    }

    /** When a verdict enters or leaves ksInspectorOptions::alertMask; see ksInspectorOnAlert. */
    Subscription onAlert(Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnAlert);
    }

    /** When the load in a joint enters or leaves a limit; see ksInspectorOnThreshold. @param limits
     *  copied */
    Subscription onThreshold(dJointID joint, const ksThreshold &limits, Function<ksThresholdEvent> function,
                             std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnThreshold, joint, &limits);
    }

    /** ... in several joints together; see ksInspectorOnSumThreshold. @param terms  copied */
    Subscription onSumThreshold(const std::vector<ksWrenchTerm> &terms, const ksThreshold &limits,
                                Function<ksThresholdEvent> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnSumThreshold, terms.data(), terms.size(), &limits);
    }

    /** ... in the force of a pair; see ksInspectorOnPairThreshold. @param pair  of this inspector.
     *  @param limits  copied */
    Subscription onPairThreshold(const Mean &pair, const ksThreshold &limits, Function<ksThresholdEvent> function,
                                 std::error_code &ec = throws())
    {
        const ksSubscription id = pair.state.lock() == state ? pair.id : 0;
        return subscribe(ec, std::move(function), ksInspectorOnPairThreshold, id, &limits);
    }

    /** When two bodies begin to touch, strike again, and part; see ksInspectorOnTouch. @param b
     *  nullptr: any partner, the world included */
    Subscription onTouch(dBodyID a, dBodyID b, double leastImpulse, Function<ksTouch> function,
                         std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnTouch, a, b, leastImpulse);
    }

    /** The net force of the contacts of b, or with nullptr the world, on a, in the mean over a
     *  window; see ksInspectorPair.
     *  @param window  s */
    Mean pair(dBodyID a, dBodyID b, double window, std::error_code &ec = throws())
    {
        return watch(ec, ksInspectorPair, a, b, window);
    }

    /** The pairs that have not ended, in the order of their subscriptions; see
     *  ksInspectorGetNextPair. */
    std::vector<ksPair> pairs() const
    {
        std::vector<ksPair> found;
        for (ksPair pair{}; ksInspectorGetNextPair(get(), pair.subscription, &pair);)
            found.push_back(pair);
        return found;
    }

    /** ... of what joints and contacts do together; see ksInspectorMean. @param terms  copied */
    Mean mean(const std::vector<ksWrenchTerm> &terms, double window, ksFrame frame = KS_FRAME_WORLD,
              ksPoint point = KS_POINT_MASS_CENTRE, std::error_code &ec = throws())
    {
        return watch(ec, ksInspectorMean, terms.data(), terms.size(), window, frame, point);
    }

    /** Once after each step; see ksInspectorOnStep. */
    Subscription onStep(Function<ksStepReport> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnStep);
    }

    /** Right before and right after the engine's own step; see ksInspectorOnEngineStep. */
    Subscription onEngineStep(Function<ksEngineStep> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnEngineStep);
    }

    /** All reactions of the last step, in the order of the world's joint list. The inspector's,
     *  valid until the next step. */
    Range<ksReaction> reactions() const noexcept
    {
        std::size_t count = 0;
        const ksReaction *const first = ksInspectorGetReactions(get(), &count);
        return {first, count};
    }

    /** A joint's reaction in the last step. The inspector's, valid until the next step. Throws
     *  Error: KS_ERROR_UNAVAILABLE where the joint was not in the world when the step began;
     *  ksInspectorGetReaction answers NULL. */
    const ksReaction &reaction(dJointID joint) const
    {
        return there(ksInspectorGetReaction(get(), joint), "Inspector::reaction", "the joint was in no inspected step");
    }

    /** The last step's report. The inspector's, valid until the next step. Throws Error:
     *  KS_ERROR_UNAVAILABLE before the first. */
    const ksStepReport &report() const
    {
        return there(ksInspectorGetStepReport(get()), "Inspector::report", "there was no step");
    }

    /** Names a joint, in reports and traces; see ksInspectorSetName. @param name  copied */
    void setName(dJointID joint, const std::string &name, std::error_code &ec = throws())
    {
        check(ksInspectorSetName(get(), joint, name.c_str()), ec);
    }

    /** The name that a joint was given, or "". The inspector's, valid until a joint is named or a
     *  joint that has a name is gone. */
    std::string_view name(dJointID joint) const noexcept
    {
        const char *const name = ksInspectorGetName(get(), joint);
        return name ? name : "";
    }

private:
    /* A callback may move or destroy this object. */
    template <class Call, class... Arguments> void run(std::error_code &ec, Call call, Arguments... arguments)
    {
        const std::shared_ptr<detail::State> kept = state;
        finish(kept, call(get(), arguments...), ec);
    }

    /* A call within another one, KS_ERROR_REENTRY, leaves to that what callbacks have thrown. */
    static void finish(const std::shared_ptr<detail::State> &kept, ksStatus status, std::error_code &ec)
    {
        if (kept && kept->thrown && status != KS_ERROR_REENTRY)
            std::rethrow_exception(std::exchange(kept->thrown, nullptr));
        check(status, ec);
    }

    template <class Argument, class Call, class... Arguments>
    Subscription subscribe(std::error_code &ec, Function<Argument> function, Call call, Arguments... arguments)
    {
        using Made = detail::CallbackOf<Argument>;
        const auto fn = function ? Made::call : nullptr;
        const auto made = std::make_shared<Made>(std::move(function));
        std::list<std::shared_ptr<detail::Callback>> one(1, made);
        const ksStatus status = call(get(), arguments..., fn, made.get());
        check(status, ec);
        if (status != KS_OK)
            return Subscription();
        made->id = ksInspectorGetLastSubscription(get());
        made->state = state.get();
        made->place = one.begin();
        state->callbacks.splice(state->callbacks.end(), one);
        return Subscription(made);
    }

    template <class Call, class... Arguments> Mean watch(std::error_code &ec, Call call, Arguments... arguments)
    {
        ksSubscription id = 0;
        const ksStatus status = call(get(), arguments..., &id);
        check(status, ec);
        return status == KS_OK ? Mean(state, id) : Mean();
    }

    template <class Struct> static const Struct &there(const Struct *found, const char *function, const char *words)
    {
        if (!found)
            check(ksErrorSet(KS_ERROR_UNAVAILABLE, function, words));
        return *found;
    }

    std::shared_ptr<detail::State> state;
};

/** For owners of other objects of C: frees by its function. */
template <auto destroy> struct Free {
    template <class Object> void operator()(Object *object) const noexcept { destroy(object); }
};

/** One of the objects below, by its function of C; the calls on it are those of C, too.
 *
 *      auto report = make<Report>(ksReportCreate, &options);
 *
 *  @param create     throws Error where it fails
 *  @param arguments  its arguments but for the last one */
template <class Owner, class Create, class... Arguments> Owner make(Create create, Arguments... arguments)
{
    typename Owner::pointer made = nullptr;
    check(create(arguments..., &made));
    return Owner(made);
}

using System = std::unique_ptr<ksSystem, Free<ksSystemDestroy>>;
using Coordinates = std::unique_ptr<ksCoordinates, Free<ksCoordinatesDestroy>>;
#if __has_include(<kinetostat/report.h>)
using Report = std::unique_ptr<ksReport, Free<ksReportDestroy>>;
/** Its report has to live longer: is to be declared before it. */
using View = std::unique_ptr<ksView, Free<ksViewDestroy>>;
/** Closes without a word: `check(ksTraceClose(trace.release()));` throws where the file could not
 *  be written. */
using Trace = std::unique_ptr<ksTrace, Free<ksTraceClose>>;
/** As Trace: `check(ksRecordingClose(recording.release()));`. */
using Recording = std::unique_ptr<ksRecording, Free<ksRecordingClose>>;
using ReportOptions = WithDefaults<ksReportOptions, ksReportOptionsInit>;
using ReportLimit = WithDefaults<ksReportLimit, ksReportLimitInit>;
using TraceOptions = WithDefaults<ksTraceOptions, ksTraceOptionsInit>;
using RecordingOptions = WithDefaults<ksRecordingOptions, ksRecordingOptionsInit>;
#endif

}  // namespace kinetostat

#ifdef __cpp_lib_ranges
/** What a range gives outlives it. */
template <class Struct> inline constexpr bool std::ranges::enable_borrowed_range<kinetostat::Range<Struct>> = true;
#endif

#endif

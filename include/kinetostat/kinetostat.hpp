/** @file kinetostat.hpp  The C++17 interface: classes that own the objects of C, callbacks of any
 *  function type, exceptions or std::error_code. It is a single header on top of the C library.
 *
 *      kinetostat::Inspector inspector(world);
 *      inspector.onReaction(elbow, [&](const ksReaction &r) { worst = std::max(worst, r.error); });
 *      inspector.quickStep(0.005);                              // instead of dWorldQuickStep(world, 0.005)
 *      for (const ksReaction &r : inspector.reactions())
 *          if (auto w = kinetostat::wrench(r))                  // empty: the value is unknown
 *              std::printf("%g N\n", w->force[2]);
 *
 *  Structs and enumerations are those of C. Call C functions that have no counterpart here
 *  directly: ksReportWatch(report.get(), inspector.get(), "arm"). kinetostat::check turns a status
 *  into an exception. Frames, units and lifetimes are as in C.
 *
 *  Errors. A call whose last argument is `ec` throws kinetostat::Error where the C function fails.
 *  If you pass a std::error_code, the call sets it to the status (KS_OK on success) instead, and
 *  returns an empty object on failure. This header allocates its own memory by operator new: both
 *  forms throw std::bad_alloc if that fails. ksAllocator provides only the library's memory. An
 *  unknown value is not an error but an empty std::optional.
 *
 *  Callbacks. An exception of a callback does not cross the library. It is stored, the step is
 *  completed without its other callbacks, and the call that steps or flushes then throws the
 *  exception, with or without `ec`. The inspector remains usable, and the next step is unaffected.
 *  With KS_NEXT_STEP the callbacks run in the next step, and their exceptions are thrown there. If
 *  the host steps by a C function, the next call of this class that steps or flushes throws the
 *  exception. A callback may end any subscription, including its own, and destroy joints, its
 *  inspector, and after that the world. A function is destroyed after its subscription has ended,
 *  but never while it runs. If one body of a contact subscription has been destroyed, the function
 *  is destroyed with the inspector.
 *
 *  Threads: as in C. Use an inspector and its subscriptions from one thread at a time.
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

/** The error category of ksStatus. The message of a status is its name. */
KS_API inline const std::error_category &category() noexcept
{
    struct Category final : std::error_category {
        const char *name() const noexcept override { return "kinetostat"; }
        std::string message(int status) const override
        {
            // other numbers are undefined behaviour as values of this enumeration
            return status < 0 || status > 31 ? "KS_STATUS_UNKNOWN" : ksStatusName(static_cast<ksStatus>(status));
        }
    };
    static const Category only;
    return only;
}

}  // namespace kinetostat

/* Makes ksStatus convert to std::error_code: `if (ec == KS_ERROR_NO_MEMORY)`. */
namespace std {
template <> struct is_error_code_enum<ksStatus> : true_type {
};
}  // namespace std
inline std::error_code make_error_code(ksStatus status) noexcept
{
    return {static_cast<int>(status), kinetostat::category()};
}

namespace kinetostat {

/** The exception of a failed call: its status, and ksErrorMessage() as what(). */
class Error : public std::system_error {
public:
    Error(ksStatus status, const char *words) : std::system_error(make_error_code(status), words) {}
    ksStatus status() const noexcept { return static_cast<ksStatus>(code().value()); }
};

/** The default of `ec`: throw an Error. Only its address matters; it is never written. */
KS_API inline std::error_code &throws() noexcept
{
    static std::error_code nowhere;
    return nowhere;
}

/** Checks the status of a C function: sets ec, or by default throws an Error unless the status is
 *  KS_OK. Call it right after the function, on the same thread: Error reads ksErrorMessage. */
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

/** An array of C structs that the library owns. The function that returns it says how long it is
 *  valid. */
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

/** A reaction's constraint rows, valid until the next step. The rows of an older copy are
 *  invalid. */
inline Range<ksRow> rows(const ksReaction &reaction) noexcept
{
    return {reaction.row, static_cast<std::size_t>(reaction.rowCount)};
}

/** The enumerator's own name, "KS_VALID". Static storage. */
inline std::string_view name(ksVerdict verdict) noexcept
{
    return ksVerdictName(verdict);
}

/** The names of all reasons that are set, such as "KS_REASON_BOUND", lowest bit first. Static
 *  storage. */
inline std::vector<std::string_view> names(ksReasons reasons)
{
    std::vector<std::string_view> names;
    for (; reasons; reasons &= reasons - 1)
        names.emplace_back(ksReasonName(reasons & (~reasons + 1)));
    return names;
}

/** A reaction's wrench on one of its bodies; N, N.m. See ksReactionGetWrench.
 *  @param reaction  may be a copy, also of a reaction whose joint is gone
 *  @param body      0 or 1: index into reaction.body
 *  @return empty if the value is unknown. Throws Error: KS_ERROR_BAD_ARGUMENT,
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

/** A callback: a function, a lambda or a function object; an empty one is KS_ERROR_BAD_ARGUMENT.
 *  Objects that it captures by reference must outlive the subscription. */
template <class Argument> using Function = std::function<void(const Argument &)>;

namespace detail {

struct State;

/* A subscription's function. The inspector's state owns it, and a running call shares the
 * ownership. */
struct Callback : std::enable_shared_from_this<Callback> {
    State *state = nullptr; /* NULL: the subscription has ended */
    ksSubscription id = 0;
    std::list<std::shared_ptr<Callback>>::iterator place;
    Callback() = default;
    Callback(const Callback &) = delete;
    Callback &operator=(const Callback &) = delete;
    virtual ~Callback() = default;
    inline bool end() noexcept;
};

/* The state of an inspector. `self` keeps it alive as long as the C inspector, and a running call
 * may keep it alive longer. */
struct State {
    ksInspector *inspector = nullptr; /* NULL: destroyed */
    std::shared_ptr<State> self;
    std::list<std::shared_ptr<Callback>> callbacks;
    std::exception_ptr thrown; /* by a callback; the call that steps has yet to throw it */

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
    // destroyed after the list is consistent: destructors of captured objects may end subscriptions
    const std::shared_ptr<Callback> kept = std::move(*place);
    of->callbacks.erase(place);
    return isEnded;
}

/* Is this the last call, which reports that the joint and the subscription are gone? */
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

    /* The callback for C. */
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
                throw;  // not a C++ exception but the cancellation of the thread
        }
        if (last)
            callback->end();
    }
};

}  // namespace detail

/** A handle of a subscription. It may be copied and dropped: the inspector owns the subscription
 *  and its function. A handle may outlive the inspector. */
class Subscription {
public:
    Subscription() noexcept = default;

    /** Ends the subscription: its function is not called again, not even in this step. Callbacks
     *  may call this, too.
     *  @return false: it had already ended, perhaps with its joint, body or inspector; or the
     *          handle is empty */
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
    /** Gives up ownership: the subscription continues. */
    Subscription release() noexcept { return std::exchange(subscription, Subscription()); }

private:
    Subscription subscription;
};

/** A handle of a mean over a window: of a pair, a joint or a sum. It may be copied and dropped: the
 *  inspector owns the window. A handle may outlive the inspector. */
class Mean {
public:
    Mean() noexcept = default;

    /** The mean after the last step; see ksInspectorGetMean. Throws Error: KS_ERROR_ENDED,
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

/** An inspector of a world, with its callback functions; see ksInspector. A callback may move or
 *  destroy it; in the latter case destruction takes effect when the call that steps returns. Calls
 *  on a moved-from object fail with KS_ERROR_BAD_ARGUMENT. */
class Inspector {
public:
    /** An empty object; move an inspector into it. */
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

    /** The C inspector, which this object continues to own. NULL if there is none. */
    ksInspector *get() const noexcept { return state ? state->inspector : nullptr; }

    /** dWorldStep, dWorldQuickStep, an exact step: see ksInspectorStep, ksInspectorQuickStep,
     *  ksInspectorExactStep. They throw the exception of a callback, or else Error. The engine has
     *  stepped despite a callback's exception or KS_ERROR_NO_MEMORY: see ksStepReport::stepped.
     *  @param stepSize  s, > 0 */
    void step(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorStep, stepSize); }
    void quickStep(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorQuickStep, stepSize); }
    void exactStep(dReal stepSize, std::error_code &ec = throws()) { run(ec, ksInspectorExactStep, stepSize); }

    /** With KS_NEXT_STEP: waits for the last step and runs its callbacks; see ksInspectorFlush.
     *  Throws as a step. */
    void flush(std::error_code &ec = throws()) { run(ec, ksInspectorFlush); }

    /** Inspects a step that the host makes by itself; see ksInspectorBeginStep. Throws as a step.
     *  @param engineStep  makes the step, by `stepper` and of this size. It is not called if the
     *                     bracket does not open or a body is not finite. If it throws, the bracket
     *                     is closed before the exception continues */
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

    /** Calls the function with the joint's reaction after each step. ksInspectorOnReaction has the
     *  rules of all subscriptions, and says when they end.
     *  @param joint     of this world; nullptr: every joint
     *  @param function  its argument is valid during the call and may be copied */
    Subscription onReaction(dJointID joint, Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnReaction, joint);
    }

    /** Calls the function with each contact between two bodies; see ksInspectorOnContact. @param b
     *  nullptr: any partner, including the world */
    Subscription onContact(dBodyID a, dBodyID b, Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnContact, a, b);
    }

    /** Calls the function when a verdict enters or leaves ksInspectorOptions::alertMask; see
     *  ksInspectorOnAlert. */
    Subscription onAlert(Function<ksReaction> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnAlert);
    }

    /** Calls the function when the load of a joint enters or leaves a limit; see
     *  ksInspectorOnThreshold. @param limits  copied */
    Subscription onThreshold(dJointID joint, const ksThreshold &limits, Function<ksThresholdEvent> function,
                             std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnThreshold, joint, &limits);
    }

    /** Likewise for the total load of several joints; see ksInspectorOnSumThreshold. @param terms
     *  copied */
    Subscription onSumThreshold(const std::vector<ksWrenchTerm> &terms, const ksThreshold &limits,
                                Function<ksThresholdEvent> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnSumThreshold, terms.data(), terms.size(), &limits);
    }

    /** Likewise for the force of a pair; see ksInspectorOnPairThreshold. @param pair  of this
     *  inspector.
     *  @param limits  copied */
    Subscription onPairThreshold(const Mean &pair, const ksThreshold &limits, Function<ksThresholdEvent> function,
                                 std::error_code &ec = throws())
    {
        const ksSubscription id = pair.state.lock() == state ? pair.id : 0;
        return subscribe(ec, std::move(function), ksInspectorOnPairThreshold, id, &limits);
    }

    /** Calls the function when two bodies begin to touch, strike again, or part; see
     *  ksInspectorOnTouch. @param b  nullptr: any partner, including the world */
    Subscription onTouch(dBodyID a, dBodyID b, double leastImpulse, Function<ksTouch> function,
                         std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnTouch, a, b, leastImpulse);
    }

    /** The mean net contact force of b on a over a window, where nullptr is the world; see
     *  ksInspectorPair.
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

    /** The mean of a sum of joint and contact wrenches over a window; see ksInspectorMean. @param
     *  terms copied */
    Mean mean(const std::vector<ksWrenchTerm> &terms, double window, ksFrame frame = KS_FRAME_WORLD,
              ksPoint point = KS_POINT_MASS_CENTRE, std::error_code &ec = throws())
    {
        return watch(ec, ksInspectorMean, terms.data(), terms.size(), window, frame, point);
    }

    /** Calls the function once after each step; see ksInspectorOnStep. */
    Subscription onStep(Function<ksStepReport> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnStep);
    }

    /** Calls the function right before and right after the engine's own step; see
     *  ksInspectorOnEngineStep. */
    Subscription onEngineStep(Function<ksEngineStep> function, std::error_code &ec = throws())
    {
        return subscribe(ec, std::move(function), ksInspectorOnEngineStep);
    }

    /** All reactions of the last step, in the order of the world's joint list. The inspector owns
     *  them; valid until the next step. */
    Range<ksReaction> reactions() const noexcept
    {
        std::size_t count = 0;
        const ksReaction *const first = ksInspectorGetReactions(get(), &count);
        return {first, count};
    }

    /** A joint's reaction in the last step. The inspector owns it; valid until the next step.
     *  Throws Error: KS_ERROR_UNAVAILABLE if the joint was not in the world at the start of the
     *  step; ksInspectorGetReaction returns NULL instead. */
    const ksReaction &reaction(dJointID joint) const
    {
        return there(ksInspectorGetReaction(get(), joint), "Inspector::reaction", "the joint was in no inspected step");
    }

    /** The report of the last step. The inspector owns it; valid until the next step. Throws Error:
     *  KS_ERROR_UNAVAILABLE before the first step. */
    const ksStepReport &report() const
    {
        return there(ksInspectorGetStepReport(get()), "Inspector::report", "there was no step");
    }

    /** Names a joint for reports and traces; see ksInspectorSetName. @param name  copied */
    void setName(dJointID joint, const std::string &name, std::error_code &ec = throws())
    {
        check(ksInspectorSetName(get(), joint, name.c_str()), ec);
    }

    /** The name of a joint from setName, or "". The inspector owns it; valid until another joint is
     *  named or a named joint is gone. */
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

    /* A nested call fails with KS_ERROR_REENTRY: the outer call throws the callbacks' exception. */
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

/** The deleter of the owners below: calls the object's own C function. */
template <auto destroy> struct Free {
    template <class Object> void operator()(Object *object) const noexcept { destroy(object); }
};

/** Creates one of the objects below by its C function. Use it with the functions of C.
 *
 *      auto report = make<Report>(ksReportCreate, &options);
 *
 *  @param create     the C function; throws Error if it fails
 *  @param arguments  all its arguments except the last one */
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
/** The report must outlive its view: declare it first. */
using View = std::unique_ptr<ksView, Free<ksViewDestroy>>;
/** The destructor closes the file and ignores errors: `check(ksTraceClose(trace.release()));`
 *  throws if the file could not be written. */
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
/** Iterators may outlive the range. */
template <class Struct> inline constexpr bool std::ranges::enable_borrowed_range<kinetostat::Range<Struct>> = true;
#endif

#endif

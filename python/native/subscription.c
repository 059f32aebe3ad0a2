/* subscription.c  Calls back into Python. A callback takes the interpreter lock, which the step has
 * released. */
#include "native.h"

#include <stdlib.h>

#include <string.h>

typedef struct Subscription {
    PyObject_HEAD kspInspector *inspector; /* borrowed; NULL: the subscription has ended */
    ksSubscription number;
    PyObject *key;         /* the number as an object, made early so that the end of the
                              subscription needs no memory */
    PyObject *call, *left; /* call: NULL for a mean, which has no callback; left: for a threshold,
                              or NULL */
} Subscription;

static PyTypeObject *subscriptionType;

/* --- life */

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Subscription *)self)->call);
    Py_VISIT(((Subscription *)self)->left);
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((Subscription *)self)->key);
    Py_CLEAR(((Subscription *)self)->call);
    Py_CLEAR(((Subscription *)self)->left);
    return 0;
}

static void dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    clear(self);
    kspFree(self);
}

/* Removes the subscription from its inspector, which may free the subscription. */
static void ended(Subscription *self)
{
    kspInspector *inspector = self->inspector;
    self->inspector = NULL;
    PyObject *key = Py_XNewRef(self->key);
    if (inspector && PyDict_DelItem(inspector->subscriptions, key))
        PyErr_Clear();
    Py_XDECREF(key);
}

void kspSubscriptionsEnd(kspInspector *self)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(self->subscriptions, &at, &key, &value))
        ((Subscription *)value)->inspector = NULL;
    PyDict_Clear(self->subscriptions);
    PyObject *watchers = self->watchers;
    self->watchers = NULL;
    Py_XDECREF(watchers);
}

static Subscription *new (PyObject *call, PyObject *left)
{
    if ((call && !PyCallable_Check(call)) || (left && !PyCallable_Check(left))) {
        PyErr_Format(PyExc_TypeError, "%R cannot be called", !call || PyCallable_Check(call) ? left : call);
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(subscriptionType, Py_tp_alloc);
    Subscription *self = (Subscription *)alloc(subscriptionType, 0);
    if (self) {
        self->call = Py_XNewRef(call);
        self->left = Py_XNewRef(left);
    }
    return self;
}

/* The result of a call that subscribes: on success, `self` gets the number of the inspector's last
 * subscription. Takes over the reference to the subscription. */
static PyObject *made(kspInspector *inspector, Subscription *self, ksStatus status)
{
    if (status) {
        Py_DECREF((PyObject *)self);
        return kspRaise(status);
    }
    self->number = ksInspectorGetLastSubscription(inspector->handle);
    self->inspector = inspector;
    self->key = PyLong_FromUnsignedLongLong(self->number);
    if (!self->key || PyDict_SetItem(inspector->subscriptions, self->key, (PyObject *)self)) {
        self->inspector = NULL;
        const ksStatus undone = ksInspectorUnsubscribe(inspector->handle, self->number);
        (void)undone;  // it was made a moment ago
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static PyObject *end(PyObject *object, PyObject *unused)
{
    Subscription *self = (Subscription *)object;
    (void)unused;
    if (!self->inspector)
        Py_RETURN_NONE;
    kspInspector *inspector = self->inspector;
    if (!kspInspectorCheck(inspector))
        return NULL;
    const ksStatus status = ksInspectorUnsubscribe(inspector->handle, self->number);
    Py_INCREF((PyObject *)self);
    ended(self);
    Py_DECREF((PyObject *)self);
    return status == KS_ERROR_ENDED ? Py_NewRef(Py_None) : kspAnswer(status);
}

static PyObject *mean(PyObject *object, PyObject *unused)
{
    Subscription *self = (Subscription *)object;
    ksMean out;
    (void)unused;
    if (!self->inspector)
        return kspRaiseWords(KS_ERROR_ENDED, "the subscription has ended");
    if (!kspInspectorCheck(self->inspector))
        return NULL;
    const ksStatus status = ksInspectorGetMean(self->inspector->handle, self->number, &out);
    if (!status)
        return (PyObject *)kspRecordNew(&kspMeanLayout, &out);
    PyObject *raised = kspRaise(status);
    if (status != KS_ERROR_ENDED)
        return raised;
    Py_INCREF(object);
    ended(self);
    Py_DECREF(object);
    return raised;
}

static PyObject *getActive(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((Subscription *)self)->inspector != NULL);
}

/* --- calls. They take ownership of `event`; NULL: it could not be created */

static void call(Subscription *self, PyObject *function, PyObject *event)
{
    // held meanwhile: the call may end this subscription, and close the inspector
    kspInspector *inspector = (kspInspector *)Py_NewRef((PyObject *)self->inspector);
    Py_INCREF((PyObject *)self);
    Py_INCREF(function);
    PyObject *result = event ? PyObject_CallFunctionObjArgs(function, event, NULL) : NULL;
    if (!result)
        PyErr_Fetch(&inspector->raised[0], &inspector->raised[1], &inspector->raised[2]);
    Py_XDECREF(result);
    Py_XDECREF(event);
    Py_DECREF(function);
    Py_DECREF((PyObject *)self);
    Py_DECREF((PyObject *)inspector);
}

/* no calls after an exception, or after the end */
static int isSilent(const Subscription *self)
{
    return !self->inspector || !self->inspector->handle || self->inspector->raised[0];
}

static PyObject *reactionEvent(const ksReaction *reaction)
{
    kspRecord *event = kspRecordNew(&kspReactionLayout, reaction);
    if (event) {
        ((ksReaction *)(void *)event->u.data)->row = NULL;
        if (!(reaction->reasons & KS_REASON_JOINT_GONE))
            event->joint = kspObject(reaction->joint, KSP_JOINT);
    }
    return (PyObject *)event;
}

static void onReaction(const ksReaction *reaction, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    // a subscription to every joint also reports a vanished joint, and continues
    if (!isSilent(self))
        call(self, self->call, reactionEvent(reaction));
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

/* For a subscription to one joint, which ends with the joint. */
static void onJoint(const ksReaction *reaction, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    if (!isSilent(self))
        call(self, self->call, reactionEvent(reaction));
    if (reaction->reasons & KS_REASON_JOINT_GONE)
        ended(self);
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

static void onStep(const ksStepReport *report, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    if (!isSilent(self))
        call(self, self->call, (PyObject *)kspReportRecord(self->inspector, report));
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

static void onEngineStep(const ksEngineStep *step, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    if (!isSilent(self))
        call(self, self->call, (PyObject *)kspRecordNew(&kspEngineStepLayout, step));
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

static kspRecord *thresholdEvent(const ksThresholdEvent *threshold)
{
    kspRecord *event = kspRecordNew(&kspThresholdEventLayout, threshold);
    if (!event)
        return NULL;
    const ksReaction *reaction = threshold->reaction;
    event->reaction = reaction ? reactionEvent(reaction) : Py_NewRef(Py_None);
    PyObject *joint = reaction && event->reaction ? ((kspRecord *)event->reaction)->joint : Py_None;
    event->joint = joint ? Py_NewRef(joint) : PyLong_FromVoidPtr(reaction->joint);
    event->contacts = PyTuple_New((Py_ssize_t)threshold->contactCount);
    for (size_t i = 0; event->contacts && i < threshold->contactCount; i++) {
        PyObject *address = PyLong_FromVoidPtr(threshold->contact[i]);
        if (!address || PyTuple_SetItem(event->contacts, (Py_ssize_t)i, address))
            Py_CLEAR(event->contacts);
    }
    if (!event->reaction || !event->joint || !event->contacts)
        Py_CLEAR(event);
    return event;
}

static void onThreshold(const ksThresholdEvent *threshold, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    PyObject *function = threshold->phase == KS_THRESHOLD_ENTERED ? self->call
                         : threshold->phase == KS_THRESHOLD_LEFT  ? self->left
                                                                  : NULL;
    if (function && !isSilent(self)) {
        kspRecord *event = thresholdEvent(threshold);
        call(self, function, (PyObject *)event);
    }
    if (threshold->phase == KS_THRESHOLD_ENDED)
        ended(self);
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

static void onTouch(const ksTouch *touch, void *user)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    Subscription *self = (Subscription *)Py_NewRef(user);
    if (!isSilent(self))
        call(self, self->call, (PyObject *)kspRecordNew(&kspTouchLayout, touch));
    Py_DECREF((PyObject *)self);
    PyGILState_Release(state);
}

/* --- subscribing */

PyObject *kspOnReaction(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"call", "joint", NULL};
    PyObject *function, *joint = Py_None;
    void *handle;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|O:on_reaction", names, &function, &joint) ||
        !kspHandle(joint, KSP_JOINT, 1, &handle))
        return NULL;
    Subscription *subscription = new (function, NULL);
    return subscription ? made(self, subscription,
                               ksInspectorOnReaction(self->handle, handle, handle ? onJoint : onReaction, subscription))
                        : NULL;
}

PyObject *kspOnContact(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"call", "a", "b", NULL};
    PyObject *function, *a, *b = Py_None;
    void *bodyA, *bodyB;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:on_contact", names, &function, &a, &b) ||
        !kspHandle(a, KSP_BODY, 0, &bodyA) || !kspHandle(b, KSP_BODY, 1, &bodyB))
        return NULL;
    Subscription *subscription = new (function, NULL);
    return subscription
               ? made(self, subscription, ksInspectorOnContact(self->handle, bodyA, bodyB, onReaction, subscription))
               : NULL;
}

PyObject *kspOnTouch(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"call", "a", "b", "least_impulse", NULL};
    PyObject *function, *a, *b = Py_None;
    void *bodyA, *bodyB;
    double least = 0;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "OO|Od:on_touch", names, &function, &a, &b, &least) ||
        !kspHandle(a, KSP_BODY, 0, &bodyA) || !kspHandle(b, KSP_BODY, 1, &bodyB))
        return NULL;
    Subscription *subscription = new (function, NULL);
    return subscription
               ? made(self, subscription, ksInspectorOnTouch(self->handle, bodyA, bodyB, least, onTouch, subscription))
               : NULL;
}

PyObject *kspPair(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"a", "b", "window", NULL};
    PyObject *a, *b = Py_None;
    void *bodyA, *bodyB;
    double window = 0.15;
    ksSubscription pair;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|Od:pair", names, &a, &b, &window) ||
        !kspHandle(a, KSP_BODY, 0, &bodyA) || !kspHandle(b, KSP_BODY, 1, &bodyB))
        return NULL;
    Subscription *subscription = new (NULL, NULL);
    return subscription ? made(self, subscription, ksInspectorPair(self->handle, bodyA, bodyB, window, &pair)) : NULL;
}

PyObject *kspMean(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"terms", "window", "frame", "point", NULL};
    PyObject *terms;
    double window = 0.15;
    int frame = KS_FRAME_WORLD, point = KS_POINT_MASS_CENTRE;
    size_t count;
    ksSubscription number;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTupleAndKeywords(args, keywords, "O|dii:mean", names, &terms, &window, &frame, &point))
        return NULL;
    ksWrenchTerm *term = kspGather(terms, &kspWrenchTermLayout, &count);
    // the code that returned the terms may have closed the inspector, or let another thread step
    Subscription *subscription = term && kspInspectorCheck(self) ? new (NULL, NULL) : NULL;
    PyObject *answer = NULL;
    if (subscription)
        answer = made(self, subscription,
                      ksInspectorMean(self->handle, term, count, window, (ksFrame)frame, (ksPoint)point, &number));
    free(term);
    return answer;
}

PyObject *kspOnStep(PyObject *object, PyObject *function)
{
    kspInspector *self = kspInspectorOf(object);
    Subscription *subscription = self ? new (function, NULL) : NULL;
    return subscription ? made(self, subscription, ksInspectorOnStep(self->handle, onStep, subscription)) : NULL;
}

PyObject *kspOnEngineStep(PyObject *object, PyObject *function)
{
    kspInspector *self = kspInspectorOf(object);
    Subscription *subscription = self ? new (function, NULL) : NULL;
    return subscription ? made(self, subscription, ksInspectorOnEngineStep(self->handle, onEngineStep, subscription))
                        : NULL;
}

PyObject *kspOnAlert(PyObject *object, PyObject *function)
{
    kspInspector *self = kspInspectorOf(object);
    Subscription *subscription = self ? new (function, NULL) : NULL;
    return subscription ? made(self, subscription, ksInspectorOnAlert(self->handle, onReaction, subscription)) : NULL;
}

/* the value of a keyword; borrowed, or NULL. Needs no memory, unlike PyDict_GetItemString, which
 * reports a key as missing when memory runs out */
static PyObject *given(PyObject *keywords, const char *name)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(keywords, &at, &key, &value))
        if (PyUnicode_CompareWithASCIIString(key, name) == 0)
            return value;
    return NULL;
}

/* force=500 is a magnitude, force=(1, 2, 3) are components */
static int takeMagnitude(PyObject *limits, const char *name, double *magnitude)
{
    PyObject *value = given(limits, name);
    if (value && (PyUnicode_Check(value) || !(PySequence_Check(value) || PyNumber_Check(value)))) {
        PyErr_Format(PyExc_TypeError, "%s: one number, or three, are expected, not %R", name, value);
        return 0;
    }
    if (!value || PySequence_Check(value))
        return 1;
    *magnitude = PyFloat_AsDouble(value);
    return !PyErr_Occurred() && PyDict_DelItemString(limits, name) == 0;
}

/* takes an argument out of the keywords; a new reference, or NULL */
static PyObject *take(PyObject *keywords, const char *name)
{
    PyObject *value = Py_XNewRef(given(keywords, name));
    if (value && PyDict_DelItemString(keywords, name))
        Py_CLEAR(value);
    return value;
}

/* A threshold without limits would never call, since Python has no call for the end of the joint.
 * An explicit limit of inf is accepted. */
static int hasLimit(PyObject *limits)
{
    return given(limits, "force") || given(limits, "torque") || given(limits, "force_magnitude") ||
           given(limits, "torque_magnitude");
}

/* Creates the subscription, and reads the limits from the keywords. */
static Subscription *watch(kspInspector *self, const char *name, PyObject *function, PyObject *left, PyObject *keywords,
                           ksThreshold *threshold)
{
    ksThresholdInit(threshold);
    PyObject *limits = keywords ? PyDict_Copy(keywords) : PyDict_New();
    if (!limits)
        return NULL;
    PyObject *called = function ? Py_NewRef(function) : take(limits, "call");
    PyObject *calledLeft = left ? Py_NewRef(left) : take(limits, "left");
    if (calledLeft == Py_None)
        Py_CLEAR(calledLeft);
    Subscription *subscription = NULL;
    const int isLimited = hasLimit(limits);
    if (!called && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s() needs a function: call=", name);
    else if (takeMagnitude(limits, "force", &threshold->forceMagnitude) &&
             takeMagnitude(limits, "torque", &threshold->torqueMagnitude) &&
             kspFieldsWrite(name, &kspThresholdLayout, threshold, limits)) {
        if (isLimited)
            subscription = new (called, calledLeft);
        else
            PyErr_Format(PyExc_TypeError, "%s() needs a limit, force= or torque=: see help(kinetostat.%s)", name, name);
    }
    Py_XDECREF(called);
    Py_XDECREF(calledLeft);
    Py_DECREF(limits);
    // the code that returned the limits may have closed the inspector, or let another thread step
    if (subscription && !kspInspectorCheck(self))
        Py_CLEAR(subscription);
    return subscription;
}

PyObject *kspOnThreshold(PyObject *object, PyObject *args, PyObject *keywords)
{
    PyObject *joint, *function = NULL, *left = NULL;
    void *handle;
    ksThreshold threshold;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTuple(args, "O|OO:on_threshold", &joint, &function, &left) ||
        !kspHandle(joint, KSP_JOINT, 0, &handle))
        return NULL;
    Subscription *subscription = watch(self, "Inspector.on_threshold", function, left, keywords, &threshold);
    if (!subscription)
        return NULL;
    return made(self, subscription,
                ksInspectorOnThreshold(self->handle, handle, &threshold, onThreshold, subscription));
}

PyObject *kspOnSumThreshold(PyObject *object, PyObject *args, PyObject *keywords)
{
    PyObject *terms, *function = NULL, *left = NULL;
    size_t count;
    ksThreshold threshold;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTuple(args, "O|OO:on_sum_threshold", &terms, &function, &left))
        return NULL;
    ksWrenchTerm *term = kspGather(terms, &kspWrenchTermLayout, &count);
    Subscription *subscription =
        term ? watch(self, "Inspector.on_sum_threshold", function, left, keywords, &threshold) : NULL;
    PyObject *answer = NULL;
    if (subscription)
        answer = made(self, subscription,
                      ksInspectorOnSumThreshold(self->handle, term, count, &threshold, onThreshold, subscription));
    free(term);
    return answer;
}

PyObject *kspOnPairThreshold(PyObject *object, PyObject *args, PyObject *keywords)
{
    PyObject *of, *function = NULL, *left = NULL;
    ksThreshold threshold;
    kspInspector *self = kspInspectorOf(object);
    if (!self || !PyArg_ParseTuple(args, "O|OO:on_pair_threshold", &of, &function, &left))
        return NULL;
    if (!PyObject_TypeCheck(of, subscriptionType)) {
        PyErr_Format(PyExc_TypeError, "on_pair_threshold() needs a Subscription of pair(), not %R", of);
        return NULL;
    }
    Subscription *subscription = watch(self, "Inspector.on_pair_threshold", function, left, keywords, &threshold);
    if (!subscription)
        return NULL;
    // 0, which the library refuses: `of` has ended, or belongs to another inspector
    const Subscription *pair = (Subscription *)of;
    return made(self, subscription,
                ksInspectorOnPairThreshold(self->handle, pair->inspector == self ? pair->number : 0, &threshold,
                                           onThreshold, subscription));
}

static PyMethodDef methods[] = {
    {"end", end, METH_NOARGS, "end()\n\nEnds the subscription: no further call, not even in this step."},
    {"mean", mean, METH_NOARGS,
     "mean() -> Mean\n\nThe mean after the last step, for subscriptions of Inspector.pair and Inspector.mean."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef attributes[] = {
    {"active", getActive, NULL, "False: end() was called, or the joint or the inspector is gone", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int kspAddSubscription(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, dealloc},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_methods, methods},
        {Py_tp_getset, attributes},
        {Py_tp_doc,
         "A subscription, returned by Inspector.on_..., pair and mean. It continues if the program drops this object."},
        {0, NULL}};
    PyType_Spec spec = {"kinetostat.Subscription", sizeof(Subscription), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    subscriptionType = kspAddType(module, &spec);
    return subscriptionType ? 0 : -1;
}

/* inspector.c  Inspector: creation, steps, destruction.
 *
 * Inspection runs without the interpreter lock; callbacks take it. An exception of a callback waits
 * in `raised` until the step is over. The remaining callbacks of the step are skipped, as after an
 * exception in C++. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *inspectorType;

kspInspector *kspInspectorOf(PyObject *object)
{
    if (!PyObject_TypeCheck(object, inspectorType)) {
        PyErr_Format(PyExc_TypeError, "a kinetostat.Inspector is expected, not %R", object);
        return NULL;
    }
    return kspInspectorCheck((kspInspector *)object) ? (kspInspector *)object : NULL;
}

/* Called after the engine's own step. */
static void release(const ksEngineStep *step, void *user)
{
    kspInspector *self = user;
    if (step->isDone && !self->released)
        self->released = PyEval_SaveThread();
}

/* --- life */

PyObject *kspInspectorClose(PyObject *object, PyObject *unused)
{
    kspInspector *self = (kspInspector *)object;
    (void)unused;
    if (!self->handle)
        Py_RETURN_NONE;
    if (kspBracketIsOuter(self))
        return kspRaiseWords(KS_ERROR_BRACKET,
                             "kinetostat: a bracket that began within this inspector's is still open");
    if (!kspInspectorEnter(self))
        return NULL;
    ksInspector *handle = self->handle;
    self->handle = NULL;
    kspBracketEnd(self);
    // waits for the inspection of the last step
    kspInspectorRelease(self, 0);
    ksInspectorDestroy(handle);
    kspInspectorAcquire(self);
    Py_CLEAR(self->reactions);
    return kspInspectorLeave(self, KS_OK);
}

static int traverse(PyObject *object, visitproc visit, void *arg)
{
    kspInspector *self = (kspInspector *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->world);
    Py_VISIT(self->subscriptions);
    Py_VISIT(self->names);
    Py_VISIT(self->report);
    Py_VISIT(self->watchers);
    for (int i = 0; i < 3; i++)
        Py_VISIT(self->raised[i]);
    return 0;
}

static int clear(PyObject *object)
{
    kspInspector *self = (kspInspector *)object;
    ksInspectorDestroy(self->handle);
    self->handle = NULL;
    if (self->subscriptions)
        kspSubscriptionsEnd(self);
    Py_CLEAR(self->subscriptions);
    Py_CLEAR(self->names);
    Py_CLEAR(self->report);
    Py_CLEAR(self->watchers);
    Py_CLEAR(self->reactions);
    for (int i = 0; i < 3; i++)
        Py_CLEAR(self->raised[i]);
    // last: pyode destroys the world with the last reference
    Py_CLEAR(self->world);
    return 0;
}

static void dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    kspInspectorForget((kspInspector *)object);
    clear(object);
    kspFree(object);
}

/* Removes a keyword that is not an option, such as report=True. @return its value, or `otherwise`;
 * -1 with an exception */
static int takeFlag(PyObject *options, const char *name, int otherwise)
{
    PyObject *value = PyDict_GetItemString(options, name);
    if (!value)
        return otherwise;
    const int flag = PyObject_IsTrue(value);
    return flag >= 0 && PyDict_DelItemString(options, name) == 0 ? flag : -1;
}

PyObject *kspInspectorNew(PyTypeObject *type, PyObject *world, kspObserve *observe, void *from, PyObject *keywords)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    PyObject *given = keywords ? PyDict_Copy(keywords) : PyDict_New();
    if (!given)
        return NULL;
    const int wantsReport = takeFlag(given, "report", 1);
    const int isRead = wantsReport >= 0 && kspFieldsWrite("Inspector", &kspOptionsLayout, &options, given);
    Py_DECREF(given);
    type = type ? type : inspectorType;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    kspInspector *self = isRead ? (kspInspector *)alloc(type, 0) : NULL;
    if (!self)
        return NULL;
    kspInspectorKnow(self);
    self->world = Py_NewRef(world);
    self->isDeferred = options.latency != KS_SAME_STEP;
    self->subscriptions = PyDict_New();
    self->names = PyDict_New();
    self->watchers = PyList_New(0);
    self->report = Py_NewRef(Py_None);
    if (self->subscriptions && self->names && self->watchers) {
        const ksStatus status = observe(from, &options, self);
        if (status) {
            kspRaise(status);
            Py_CLEAR(self);
            return NULL;
        }
    }
    if (self->handle && wantsReport) {
        Py_DECREF(self->report);
        self->report = kspReportOf(self);
    }
    if (!self->handle || !self->report)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static ksStatus observeWorld(void *world, const ksInspectorOptions *options, kspInspector *self)
{
    self->isHeld = kspHasPyode();
    ksStatus status = self->isHeld < 0 ? KS_OK : ksInspectorCreate(world, options, &self->handle);
    if (!status && self->isHeld > 0)
        status = ksInspectorOnEngineStep(self->handle, release, self);
    return status;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *world;
    void *handle;
    if (!PyArg_ParseTuple(args, "O:Inspector", &world) || !kspHandle(world, KSP_WORLD, 0, &handle))
        return NULL;
    return kspInspectorNew(type, world, observeWorld, handle, keywords);
}

/* --- steps */

typedef ksStatus Step(ksInspector *inspector, dReal stepSize);

static PyObject *make(PyObject *object, PyObject *size, Step *step)
{
    kspInspector *self = (kspInspector *)object;
    const double stepSize = PyFloat_AsDouble(size);
    if (PyErr_Occurred() || !kspInspectorEnter(self))
        return NULL;
    kspInspectorRelease(self, 1);
    const ksStatus status = step(self->handle, stepSize);
    kspInspectorAcquire(self);
    return kspInspectorLeave(self, status);
}

static PyObject *worldStep(PyObject *self, PyObject *size)
{
    return make(self, size, ksInspectorStep);
}

static PyObject *quickStep(PyObject *self, PyObject *size)
{
    return make(self, size, ksInspectorQuickStep);
}

static PyObject *exactStep(PyObject *self, PyObject *size)
{
    return make(self, size, ksInspectorExactStep);
}

static PyObject *flush(PyObject *object, PyObject *unused)
{
    kspInspector *self = (kspInspector *)object;
    (void)unused;
    if (!kspInspectorEnter(self))
        return NULL;
    kspInspectorRelease(self, 0);
    const ksStatus status = ksInspectorFlush(self->handle);
    kspInspectorAcquire(self);
    return kspInspectorLeave(self, status);
}

/* --- attributes */

static PyObject *getWorld(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *world = ((kspInspector *)self)->world;
    return Py_NewRef(world ? world : Py_None);  // NULL during a garbage collection
}

static PyObject *getClosed(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(!((kspInspector *)self)->handle);
}

static PyObject *getStepSize(PyObject *self, void *closure)
{
    (void)closure;
    return kspInspectorCheck((kspInspector *)self)
               ? PyFloat_FromDouble(ksInspectorGetStepSize(((kspInspector *)self)->handle))
               : NULL;
}

static PyObject *enterBlock(PyObject *self, PyObject *unused)
{
    (void)unused;
    return kspInspectorCheck((kspInspector *)self) ? Py_NewRef(self) : NULL;
}

static PyObject *leaveBlock(PyObject *self, PyObject *args)
{
    (void)args;
    return kspInspectorClose(self, NULL);
}

static PyObject *writeReport(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *report = ((kspInspector *)self)->report;
    if (!report || report == Py_None) {
        PyErr_SetString(PyExc_ValueError, "this inspector has no report of its own: Inspector(world, report=True)");
        return NULL;
    }
    return kspReportWriteTo(report, args, keywords);
}

static PyMethodDef methods[] = {
    {"quick_step", quickStep, METH_O, "quick_step(h)\n\nInstead of world.quickStep(h), inspected. h in s."},
    {"step", worldStep, METH_O, "step(h)\n\nInstead of world.step(h), inspected. h in s."},
    {"exact_step", exactStep, METH_O,
     "exact_step(h)\n\nMakes a step that is as exact as world.step(h), and inspects it. Its cost is proportional\n"
     "to the number of joints. h in s."},
    {"bracket", kspBracket, METH_VARARGS,
     "bracket(stepper, h)\n\nwith arm.bracket(QUICK_STEP, h): world.quickStep(h)\n\nFor hosts that call the engine "
     "themselves. The block makes\n"
     "one step, with this stepper (WORLD_STEP, QUICK_STEP, FOREIGN_STEP) and this size, s."},
    {"flush", flush, METH_NOARGS, "flush()\n\nWith NEXT_STEP: waits for the last step, and makes its callbacks."},
    {"close", kspInspectorClose, METH_NOARGS,
     "close()\n\nEnds the inspector; also within a callback, and when the world is gone. `with ks.Inspector(world) as "
     "arm:` closes, too."},
    {"on_reaction", (PyCFunction)(void (*)(void))kspOnReaction, METH_VARARGS | METH_KEYWORDS,
     "on_reaction(call, joint=None) -> Subscription\n\ncall(Reaction) after each step; None: for every joint. After "
     "the "
     "joint is gone, a last\n"
     "call has NOT_SOLVED and REASON_JOINT_GONE."},
    {"on_contact", (PyCFunction)(void (*)(void))kspOnContact, METH_VARARGS | METH_KEYWORDS,
     "on_contact(call, a, b=None) -> Subscription\n\ncall(Reaction) for each contact between these bodies; None: with "
     "any body."},
    {"on_alert", kspOnAlert, METH_O,
     "on_alert(call) -> Subscription\n\ncall(Reaction) when a joint's verdict enters or leaves alert_mask."},
    {"on_step", kspOnStep, METH_O, "on_step(call) -> Subscription\n\ncall(StepReport) once after each step."},
    {"on_engine_step", kspOnEngineStep, METH_O,
     "on_engine_step(call) -> Subscription\n\ncall(EngineStep) right before and right after the engine's own step. The "
     "function must not\n"
     "change the world."},
    {"on_threshold", (PyCFunction)(void (*)(void))kspOnThreshold, METH_VARARGS | METH_KEYWORDS, NULL},
    {"on_sum_threshold", (PyCFunction)(void (*)(void))kspOnSumThreshold, METH_VARARGS | METH_KEYWORDS,
     "on_sum_threshold(terms, call, left=None, **limits) -> Subscription\n\nAs on_threshold, for the sum of the "
     "wrenches of several "
     "joints, each a WrenchTerm: both balls of a plank's edge."},
    {"on_pair_threshold", (PyCFunction)(void (*)(void))kspOnPairThreshold, METH_VARARGS | METH_KEYWORDS,
     "on_pair_threshold(pair, call, left=None, **limits) -> Subscription\n\nAs on_threshold, for the force of a "
     "pair, a\n"
     "Subscription of pair(): value MEAN or, with Options.contact_physical, PHYSICAL."},
    {"on_touch", (PyCFunction)(void (*)(void))kspOnTouch, METH_VARARGS | METH_KEYWORDS,
     "on_touch(call, a, b=None, least_impulse=0) -> Subscription\n\ncall(Touch) when these bodies begin to touch, when "
     "a "
     "lasting touch\n"
     "has a larger impulse, N.s (inf: never), and when they part; None: with any body."},
    {"pair", (PyCFunction)(void (*)(void))kspPair, METH_VARARGS | METH_KEYWORDS,
     "pair(a, b=None, window=0.15) -> Subscription\n\nIts mean() is the net force of the contacts of b, or the world, "
     "on a, averaged over a window of seconds."},
    {"mean", (PyCFunction)(void (*)(void))kspMean, METH_VARARGS | METH_KEYWORDS,
     "mean(terms, window=0.15, frame=FRAME_WORLD, point=POINT_MASS_CENTRE) -> Subscription\n\nIts mean() is the sum of "
     "the wrenches of joints and contacts, each a WrenchTerm, averaged over a window."},
    {"name", kspName, METH_VARARGS,
     "name(joint, text)\n\nNames a joint, in reports and traces, and for arm[text]; None removes the name."},
    {"set_compliance", (PyCFunction)(void (*)(void))kspSetCompliance, METH_VARARGS | METH_KEYWORDS,
     "set_compliance(joint, linear, angular=0)\n\nSets the compliance of the joint under a load that it shares with "
     "others, m/N and\nrad/(N.m). joint None: for all joints that have no value of their own. angular 0: "
     "follows from linear and\nthe radius of gyration of the lighter body."},
    {"name_of", kspNameOf, METH_O, "name_of(joint) -> str | None\n\nThe joint may be gone."},
    {"reaction", kspReaction, METH_O,
     "reaction(joint) -> Reaction\n\nThe reaction in the last step, by the joint or its name. A copy."},
    {"mass", kspMass, METH_O,
     "mass(body) -> (mass, inverse)\n\nThe mass of a body at the start of the last step, kg, and the nine numbers of "
     "the inverse of "
     "its\ninertia tensor, world axes, 1/(kg.m^2)."},
    {"rows", kspRows, METH_O, "rows(joint) -> Array of Row\n\nThe joint's constraint rows in the last step. A copy."},
    {"wrench", (PyCFunction)(void (*)(void))kspWrench, METH_VARARGS | METH_KEYWORDS,
     "wrench(joint, value=PHYSICAL, body=0, frame=FRAME_WORLD, point=...) -> Wrench\n\n"
     "The wrench on the joint's body 0 or 1 in the last step; N, N.m. joint: the joint or its name. point: by default\n"
     "POINT_MASS_CENTRE; for value=MEAN the joint's anchor, if it has one."},
    {"friction_use", (PyCFunction)(void (*)(void))kspFrictionUse, METH_VARARGS | METH_KEYWORDS,
     "friction_use(contact, value=PHYSICAL) -> (by_bound, by_normal)\n\nThe friction of a contact as a share of the "
     "largest possible: by the active bounds, and by the\ncoefficient times the normal force."},
    {"sum_wrenches", (PyCFunction)(void (*)(void))kspSumWrenches, METH_VARARGS | METH_KEYWORDS,
     "sum_wrenches(terms, value=PHYSICAL, about=None) -> WrenchSum\n\nThe sum of wrenches of joints and contacts, "
     "each a WrenchTerm.\n"
     "about: m, world; None: the mass centre of the first term's body."},
    {"recompute", (PyCFunction)(void (*)(void))kspRecompute, METH_VARARGS | METH_KEYWORDS,
     "recompute(wrenches, tolerance=0.01, sweeps=1000)\n\nSolves the step again, by sweeps over all rows of the "
     "islands, and fills the NetWrenches."},
    {"mobility", (PyCFunction)(void (*)(void))kspMobility, METH_VARARGS | METH_KEYWORDS,
     "mobility(at, by) -> float\n\nThe velocity at one BodyProbe per unit impulse by another."},
    {"solve_impulse", kspSolveImpulse, METH_O,
     "solve_impulse(blows) -> (Impact, Array of JointImpact, Array of BodyImpact)\n\nThe impulses and velocities that "
     "Blows cause in one mechanism."},
    {"recompute_after", kspRecomputeAfter, METH_O,
     "recompute_after(joints) -> Array of JointAfter\n\nThe loads of the last step as if these joints were removed: on "
     "the other joints of their mechanisms."},
    {"relax_joint", kspRelaxJoint, METH_O,
     "relax_joint(joint) -> Array of Relaxation\n\nThe converged multipliers of one joint alone; by the joint or its "
     "name."},
    {"write_report", (PyCFunction)(void (*)(void))writeReport, METH_VARARGS | METH_KEYWORDS,
     "write_report(path, format=None)\n\nWrites the report on all steps so far, as Report.write."},
    {"__enter__", enterBlock, METH_NOARGS, NULL},
    {"__exit__", leaveBlock, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"reactions", kspGetReactions, NULL,
     "Array of Reaction: all joints in the last step, in the order of the world's list. A copy.", NULL},
    {"report", kspGetReport, NULL, "StepReport of the last step, or None. A copy.", NULL},
    {"pairs", kspGetPairs, NULL, "a Pair for each pair() that has not ended, in the order of the calls", NULL},
    {"bodies", kspGetBodies, NULL, "addresses of the bodies of the last step, the newest first", NULL},
    {"world", getWorld, NULL, "the world that is inspected", NULL},
    {"step_size", getStepSize, NULL, "size of the last step, s; 0 before the first step", NULL},
    {"closed", getClosed, NULL, "True after close()", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int kspAddInspector(PyObject *module)
{
    char *doc = kspDescribe("Inspector(world, report=True, **options)\n\n"
                            "Inspects the joint forces of a world, a World of pyode or the address of a "
                            "dWorldID, in every step that it makes. The\n"
                            "trajectory is bitwise the same without it. arm[joint], arm[name]: index of a joint "
                            "in arm.reactions. report=False: no\n"
                            "statistics for write_report().\n\nOptions, the default first:",
                            &kspOptionsLayout);
    const char *threshold = kspDescribe("on_threshold(joint, call, left=None, **limits) -> Subscription\n\n"
                                        "call(ThresholdEvent) when a load exceeds a limit; left(ThresholdEvent) when "
                                        "it is below again. Ends with the joint.\n\n"
                                        "Limits, the default first:",
                                        &kspThresholdLayout);
    if (!doc || !threshold) {
        PyErr_NoMemory();
        return -1;
    }
    for (PyMethodDef *method = methods; method->ml_name; method++)
        if (!strcmp(method->ml_name, "on_threshold"))
            method->ml_doc = threshold;
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},    {Py_tp_traverse, traverse}, {Py_tp_clear, clear},
                           {Py_tp_new, create},         {Py_tp_methods, methods},   {Py_tp_getset, attributes},
                           {Py_mp_subscript, kspIndex}, {Py_tp_doc, (void *)doc},   {0, NULL}};
    PyType_Spec spec = {"kinetostat.Inspector", sizeof(kspInspector), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    inspectorType = kspAddType(module, &spec);
    free(doc);  // copied
    return inspectorType ? 0 : -1;
}

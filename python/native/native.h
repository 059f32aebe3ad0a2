/* native.h  What the files of the extension share. The extension uses Python's limited API, so that
 * one binary serves all versions of Python from 3.11 on. */
#ifndef PYTHON_NATIVE_NATIVE_H
#define PYTHON_NATIVE_NATIVE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include "layout.h"

#include <kinetostat/kinetostat.h>

/* --- module.c */

/** The module; borrowed. */
PyObject *kspModule(void);
/** Adds a type of this module, and returns it; NULL with an exception. */
PyTypeObject *kspAddType(PyObject *module, PyType_Spec *spec);
/** Raises an exception with ksErrorMessage of the failed call. @return NULL */
PyObject *kspRaise(ksStatus status);
/** Raises an Error of our own. @return NULL */
PyObject *kspRaiseWords(ksStatus status, const char *words);
/** Returns None, or raises the exception of this status. */
PyObject *kspAnswer(ksStatus status);
/** Frees an object of a type of this module, after its members were freed. */
void kspFree(PyObject *self);

/* --- pyode.c */

typedef enum kspKind { KSP_WORLD, KSP_BODY, KSP_JOINT, KSP_KINDS } kspKind;

/** Finds the engine's object from a World, Body or Joint of pyode, an address, or a ctypes
 *  pointer.
 *  @param isOptional  1: None is NULL
 *  @return 1; 0 with an exception */
int kspHandle(PyObject *object, kspKind kind, int isOptional, void **handle);
/** pyode's own object of a living joint or body, if this module has seen it before. @return a new
 *  reference; NULL without an exception: it was not seen */
PyObject *kspObject(void *handle, kspKind kind);
/** The object itself, if it is one of pyode's.
 *  @return a new reference; NULL without an exception: an address, a pointer, or something else */
PyObject *kspOwnObject(PyObject *object, kspKind kind);
/** Like kspObject, for a joint or body that may no longer exist: searches only the objects of
 *  Python, which takes a millisecond. @return a new reference: pyode's object; an integer, the address, if
 *  there is none; None for NULL. NULL with an exception */
PyObject *kspObjectPerhapsGone(void *handle, kspKind kind);
/** @return 1: the program has loaded pyode; 0: it has not; -1 with an exception */
int kspHasPyode(void);
PyObject *kspAddress(PyObject *module, PyObject *object);
PyObject *kspDisable(PyObject *module, PyObject *joint);
PyObject *kspEnable(PyObject *module, PyObject *joint);

/* --- constants.c */

/** Adds the enumerations, and their members without KS_. */
int kspAddConstants(PyObject *module);
/** The name of an enumeration's class; NULL for KSP_NO_ENUM. */
const char *kspEnumName(kspEnum which);
/** The member of an enumeration, or the number itself if no member has it. */
PyObject *kspMember(kspEnum which, long long number);

/* --- record.c */

/** One structure of the library as an object: its fields are attributes, and the object is a
 *  buffer. */
typedef struct kspRecord {
    PyObject_HEAD PyObject *joint; /* pyode's joint, found while it existed; in a StepReport, the
                                      name of the worst joint; or NULL */
    PyObject *reaction, *contacts; /* members of a ThresholdEvent; else NULL */
    union {
        double alignment;
        char data[1];
    } u;
} kspRecord;

int kspAddRecords(PyObject *module);
/** For tests and stubs: {name: (is given, [(field, kind, shape, enumeration, structure)])}. */
PyObject *kspLayouts(PyObject *module, PyObject *unused);
/** A record with a copy of a structure; data NULL: with the defaults. */
kspRecord *kspRecordNew(const kspLayout *layout, const void *data);
/** The structure in an object, if the object has this layout; else NULL with an exception. */
void *kspRecordData(PyObject *object, const kspLayout *layout);

/** Sets the fields of any layout from keywords. function: its name in the module, for messages.
 *  @return 1; 0 with an exception */
int kspFieldsWrite(const char *function, const kspLayout *layout, void *data, PyObject *keywords);
/** The text as UTF-8, valid as long as its object exists; NULL with an exception: the object is not
 *  a text, or contains a null character. */
const char *kspText(PyObject *object);
int kspFieldWrite(const kspField *field, void *data, PyObject *value);
const kspField *kspFieldFind(const kspLayout *layout, const char *name);

/* --- array.c */

/** An array of structures or numbers, for memoryview, and for numpy without a copy. */
typedef struct kspArray kspArray;

int kspAddArray(PyObject *module);
/** Copies `count` items; data NULL: zeros. Write kspArrayData before anybody else sees the
 *  object. */
kspArray *kspArrayNew(const kspLayout *layout, size_t count, const void *data);
void *kspArrayData(kspArray *array);
/** @return 1, and the element with this index in *item, if the object is an array of this layout
 *  that has it */
int kspArrayItem(PyObject *object, const kspLayout *layout, Py_ssize_t index, void **item);

/* --- doubles.c */

/** Reads exactly `count` numbers from a buffer or from (nested) sequences; `what` is for the
 *  message.
 *  @return 1; 0 with an exception */
int kspDoublesRead(PyObject *object, double *out, size_t count, const char *what);
/** Reads `rows` lines of `columns` numbers from an array or a sequence of lines. @return 1; 0
 *  with an exception */
int kspLinesRead(PyObject *object, double *out, size_t rows, size_t columns, const char *what);
PyObject *kspProbeForceFunction(PyObject *module, PyObject *args);
PyObject *kspProbeCoupleFunction(PyObject *module, PyObject *axis);

/* --- calls.c, inspector.c */

typedef struct kspInspector {
    PyObject_HEAD ksInspector *handle; /* NULL: closed */
    PyObject *world;
    PyObject *subscriptions; /* number: Subscription */
    PyObject *names;         /* name: address of its joint */
    PyObject *report;        /* the inspector's own report, or None */
    PyObject *watchers;      /* reports and traces, which must not be freed within a callback */
    kspArray *reactions;     /* of the last requested step, or NULL */
    unsigned long reactionsStep;
    int isDeferred;
    int isHeld;                    /* the engine's own step holds the interpreter lock:
                                      kspInspectorRelease */
    PyThreadState *released;       /* the thread's state while it has released the interpreter lock;
                                      else NULL */
    int depth;                     /* number of running calls */
    struct kspInspector *alsoUsed; /* another inspector with running calls */
    struct kspInspector *next;     /* the next in the list of all inspectors */
    unsigned long thread;          /* the thread of the running calls */
    PyObject *raised[3];           /* a callback's exception: type, value, traceback */
} kspInspector;

int kspAddInspector(PyObject *module);
/** Creates the inspector's handle, and sets the fields that depend on the stepper of its world.
 *  KS_OK without a handle: an exception is set. */
typedef ksStatus kspObserve(void *from, const ksInspectorOptions *options, kspInspector *self);
/** A new inspector. type NULL: Inspector; world: the value of its attribute `world`; keywords:
 *  options, and report. */
PyObject *kspInspectorNew(PyTypeObject *type, PyObject *world, kspObserve *observe, void *from, PyObject *keywords);
/** The method close() of an inspector. */
PyObject *kspInspectorClose(PyObject *object, PyObject *unused);
/** The inspector of an object; NULL with an exception, also if the inspector is closed or another
 *  thread steps it. */
kspInspector *kspInspectorOf(PyObject *object);
/** @return 1; 0 with an exception: the inspector is closed, or another thread steps it */
int kspInspectorCheck(kspInspector *self);
/** Begins a call that may call back. @return as kspInspectorCheck */
int kspInspectorEnter(kspInspector *self);
/** Ends such a call. @return None; NULL with the exception of the callback or of the status */
PyObject *kspInspectorLeave(kspInspector *self, ksStatus status);
/** Ends such a call without a result: a callback's exception stays in `raised`. */
void kspInspectorEnd(kspInspector *self);
/** While a report is read, its worlds must not be stepped. @return 1; 0 with an exception: another
 *  thread uses an inspector that this report watches */
int kspInspectorsCheckReport(PyObject *report);
/** Before a call that reads a report without the interpreter lock: reserves its inspectors for this
 *  thread, and keeps them alive. @return the inspectors, for kspInspectorsLeave; NULL with an
 *  exception, as kspInspectorsCheckReport */
PyObject *kspInspectorsEnter(PyObject *report);
void kspInspectorsLeave(PyObject *entered);
/** kspInspectorKnow adds an inspector to the list of all inspectors; kspInspectorForget removes it
 *  before it is freed. */
void kspInspectorKnow(kspInspector *self);
void kspInspectorForget(kspInspector *self);
/** Releases the interpreter lock, within kspInspectorEnter. If pyode is loaded, the lock is
 *  released only after the engine's own step, for the inspection, since pyode's moved callbacks
 *  (Body.setMovedCallback) do not take it. */
void kspInspectorRelease(kspInspector *self, int hasStep);
void kspInspectorAcquire(kspInspector *self);
/** Waits for the last step without the interpreter lock. */
const ksStepReport *kspInspectorWait(kspInspector *self);

/* --- bracket.c */

int kspAddBracket(PyObject *module);
PyObject *kspBracket(PyObject *self, PyObject *args);
/** 1: another bracket of the same world is open within the inspector's bracket */
int kspBracketIsOuter(const kspInspector *inspector);
/** Forgets the inspector's bracket, if there is one, without ending the step. */
void kspBracketEnd(kspInspector *inspector);

/* --- subscription.c */

int kspAddSubscription(PyObject *module);
/** For an inspector without a handle: marks its subscriptions as ended, and drops the references to
 *  the reports and traces that watched it. */
void kspSubscriptionsEnd(kspInspector *self);
PyObject *kspOnReaction(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspOnContact(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspOnStep(PyObject *self, PyObject *call);
PyObject *kspOnEngineStep(PyObject *self, PyObject *call);
PyObject *kspOnAlert(PyObject *self, PyObject *call);
PyObject *kspOnThreshold(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspOnSumThreshold(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspOnTouch(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspOnPairThreshold(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspPair(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspMean(PyObject *self, PyObject *args, PyObject *keywords);

/* --- results.c: the results of the last step */

PyObject *kspGetReactions(PyObject *self, void *closure);
PyObject *kspGetReport(PyObject *self, void *closure);
/** The report as a record, with the worst joint's name, if it has one. */
kspRecord *kspReportRecord(const kspInspector *self, const ksStepReport *report);
PyObject *kspGetPairs(PyObject *self, void *closure);
PyObject *kspGetBodies(PyObject *self, void *closure);
PyObject *kspMass(PyObject *self, PyObject *body);
PyObject *kspRows(PyObject *self, PyObject *joint);
PyObject *kspIndex(PyObject *self, PyObject *key);
PyObject *kspName(PyObject *self, PyObject *args);
PyObject *kspEnd(PyObject *module, PyObject *unused); /* calls.c */
PyObject *kspSetCompliance(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspNameOf(PyObject *self, PyObject *joint);
PyObject *kspReaction(PyObject *self, PyObject *joint);
PyObject *kspWrench(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspFrictionUse(PyObject *self, PyObject *args, PyObject *keywords);
/** The joint's reaction in the last step, by the joint or its name; NULL with an exception. */
const ksReaction *kspReactionOf(kspInspector *self, PyObject *key);

/* --- loads.c: sums, sensors, blows */

PyObject *kspSumWrenches(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspRecompute(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspMobility(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *kspSolveImpulse(PyObject *self, PyObject *blows);
/* Copies the structures out of a sequence of records. @return allocated, also for an empty
 * sequence; NULL with an exception */
void *kspGather(PyObject *sequence, const kspLayout *layout, size_t *count);
PyObject *kspRecomputeAfter(PyObject *self, PyObject *joints);
PyObject *kspRelaxJoint(PyObject *self, PyObject *joint);
PyObject *kspSensorReadMethod(PyObject *self, PyObject *args);
PyObject *kspSensorTareMethod(PyObject *self, PyObject *args);

/* --- system.c, recording.c, report.c, trace.c, view.c */

int kspAddSystem(PyObject *module);
int kspAddRecording(PyObject *module);
int kspAddReport(PyObject *module);
int kspAddTrace(PyObject *module);
int kspAddView(PyObject *module);
/** A new report that watches this inspector; None if the extension was built without reports. */
PyObject *kspReportOf(kspInspector *self);
PyObject *kspReportWriteTo(PyObject *report, PyObject *args, PyObject *keywords);
/** The report of an object; NULL with an exception. */
struct ksReport *kspReportHandle(PyObject *object);
/** Before a call that reads a report without the interpreter lock: excludes other threads from the
 *  report and from the inspectors that it watches. @return the argument of kspReportLeave; NULL
 *  with an exception: another thread uses the report or one of these inspectors */
PyObject *kspReportEnter(PyObject *report);
void kspReportLeave(PyObject *report, PyObject *entered);

#endif

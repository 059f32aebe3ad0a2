/* bracket.c  The context manager in `with arm.bracket(QUICK_STEP, h): world.quickStep(h)`. */
#include "native.h"

#include <stdlib.h>

/* The open brackets, newest first. Each holds a reference to its inspector. Of two brackets on one
 * world, the inner one must end first. */
typedef struct Open {
    kspInspector *inspector;
    dWorldID world;
    struct Open *before;
} Open;

static Open *last;

int kspBracketIsOuter(const kspInspector *inspector)
{
    const Open *own = last;
    while (own && own->inspector != inspector)
        own = own->before;
    for (const Open *inner = last; own && inner != own; inner = inner->before)
        if (inner->world == own->world)
            return 1;
    return 0;
}

void kspBracketEnd(kspInspector *inspector)
{
    Open **at = &last;
    while (*at && (*at)->inspector != inspector)
        at = &(*at)->before;
    Open *own = *at;
    if (!own)
        return;
    *at = own->before;
    free(own);
    Py_DECREF((PyObject *)inspector);
}

typedef struct Bracket {
    PyObject_HEAD kspInspector *inspector;
    ksStepper stepper;
    double stepSize;
} Bracket;

static PyTypeObject *bracketType;

PyObject *kspBracket(PyObject *self, PyObject *args)
{
    int stepper;
    double stepSize;
    if (!PyArg_ParseTuple(args, "id:bracket", &stepper, &stepSize) || !kspInspectorCheck((kspInspector *)self))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(bracketType, Py_tp_alloc);
    Bracket *bracket = (Bracket *)alloc(bracketType, 0);
    if (!bracket)
        return NULL;
    bracket->inspector = (kspInspector *)Py_NewRef(self);
    bracket->stepper = (ksStepper)stepper;
    bracket->stepSize = stepSize;
    return (PyObject *)bracket;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    const Bracket *bracket = (Bracket *)self;
    kspInspector *inspector = bracket->inspector;
    (void)unused;
    if (!kspInspectorEnter(inspector))
        return NULL;
    ksInspector *handle = inspector->handle;
    Open *open = malloc(sizeof *open);
    if (!open) {
        kspInspectorEnd(inspector);
        return PyErr_NoMemory();
    }
    *open = (Open){inspector, ksInspectorGetWorld(handle), NULL};
    kspInspectorRelease(inspector, 1);
    const ksStatus status = ksInspectorBeginStep(handle, bracket->stepper, bracket->stepSize);
    kspInspectorAcquire(inspector);
    if (!status) {
        // the end of this step raises exceptions of the last step's callbacks, as quick_step does
        kspInspectorEnd(inspector);
        open->before = last;
        last = open;
        Py_INCREF((PyObject *)inspector);
        Py_RETURN_NONE;
    }
    free(open);
    // after these two statuses the bracket is open, and no block would end it
    if (status != KS_ERROR_NO_MEMORY && status != KS_ERROR_NOT_FINITE)
        return kspInspectorLeave(inspector, status);
    kspInspectorRelease(inspector, 1);
    const ksStatus ended = ksInspectorEndStep(handle);
    kspInspectorAcquire(inspector);
    return kspInspectorLeave(inspector, ended ? ended : status);
}

/* Ends the step even if the block has raised an exception, which then continues. An exception of a
 * callback takes precedence. */
static PyObject *leave(PyObject *self, PyObject *args)
{
    kspInspector *inspector = ((Bracket *)self)->inspector;
    (void)args;
    if (!inspector->handle)
        Py_RETURN_NONE;  // the block has closed the inspector
    if (!kspInspectorEnter(inspector))
        return NULL;
    ksInspector *handle = inspector->handle;
    kspInspectorRelease(inspector, 1);
    const ksStatus status = ksInspectorEndStep(handle);
    kspInspectorAcquire(inspector);
    if (status != KS_ERROR_BRACKET)
        kspBracketEnd(inspector);
    return kspInspectorLeave(inspector, status);
}

static void dealloc(PyObject *self)
{
    Py_CLEAR(((Bracket *)self)->inspector);
    kspFree(self);
}

static PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, NULL}, {"__exit__", leave, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

int kspAddBracket(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, "One step that the host makes by the engine's own call: Inspector.bracket."},
                           {0, NULL}};
    PyType_Spec spec = {"kinetostat.Bracket", sizeof(Bracket), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    bracketType = kspAddType(module, &spec);
    return bracketType ? 0 : -1;
}

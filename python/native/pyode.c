/* pyode.c  Finds the engine's objects that belong to objects of pyode or ctypes, or to addresses.
 *
 * pyode does not publish the handles of its objects. A handle lies directly after the head of the
 * Python object. Before it uses a handle, this file proves that place with a test world, body and
 * joint: through their handles, the engine reads the values that pyode has set.
 *
 * An object of pyode owns the engine's object, and destroys it when its own last reference is gone.
 * So this module holds no references: they would keep the engine's objects alive, and the program
 * would move differently than without an inspector. Instead, dJointSetData and dBodySetData store
 * the address of the Python object in the joint or body. The object exists as long as they do. */
#include "native.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const kindName[KSP_KINDS] = {"World", "Body", "Joint"};
enum { LEAST_ADDRESS = 4096 };
static PyObject *type[KSP_KINDS]; /* pyode's types; NULL until isProved succeeds */

/* The data of joints and bodies that this module has set, since a host may have set other data. A
 * hash table with one place for each hash: a later handle replaces an earlier one. When the object
 * of the earlier handle is needed, it is searched for and stored again. */
enum { PLACES = 1 << 14 };
static struct {
    const void *handle, *object;
} noted[PLACES];

static void *handleIn(PyObject *object)
{
    void *handle;
    memcpy(&handle, (char *)object + sizeof(PyObject), sizeof handle);
    return handle;
}

/* Are LEAST_BYTES readable from this address on? The smallest object of the engine has as many
 * bytes, and may be the last one in the heap. So a wrong handle is refused without reading an
 * object. */
static int isReadable(const void *at)
{
    enum { LEAST_BYTES = 256 };
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)at / page * page;
    unsigned char vector[2];
    return at && (uintptr_t)at % sizeof(void *) == 0 &&
           mincore((void *)first, (uintptr_t)at + LEAST_BYTES - first, vector) == 0;
}

/* A new object of pyode whose handle can be read; NULL, perhaps with an exception. */
static PyObject *sample(PyObject *module, const char *name, PyObject *world)
{
    PyObject *class = PyObject_GetAttrString(module, name);
    PyObject *size = class ? PyObject_GetAttrString(class, "__basicsize__") : NULL;
    const long bytes = size ? PyLong_AsLong(size) : 0;
    PyObject *object = NULL;
    // a world contains only its handle
    if (bytes >= (long)(sizeof(PyObject) + sizeof(void *)) &&
        (world || bytes == (long)(sizeof(PyObject) + sizeof(void *))))
        object = PyObject_CallFunctionObjArgs(class, world, NULL);
    if (object && !isReadable(handleIn(object)))
        Py_CLEAR(object);
    Py_XDECREF(class);
    Py_XDECREF(size);
    return object;
}

static int called(PyObject *result)
{
    Py_XDECREF(result);
    return result != NULL;
}

/* 1: pyode's objects have their handles at the expected place */
static int isProved(PyObject *module)
{
    int proved = 0;
    PyObject *world = sample(module, "World", NULL);
    PyObject *body = world ? sample(module, "Body", world) : NULL;
    PyObject *joint = world ? sample(module, "HingeJoint", world) : NULL;
    if (body && joint && called(PyObject_CallMethod(world, "setERP", "d", 0.3125)) &&
        called(PyObject_CallMethod(body, "setPosition", "((ddd))", 1.5, -2.5, 3.5)) &&
        called(PyObject_CallMethod(joint, "attach", "OO", body, Py_None))) {
        proved = dWorldGetERP(handleIn(world)) == 0.3125 && dBodyGetWorld(handleIn(body)) == handleIn(world) &&
                 dBodyGetPosition(handleIn(body))[1] == -2.5 && dJointGetType(handleIn(joint)) == dJointTypeHinge &&
                 dJointGetBody(handleIn(joint), 0) == handleIn(body);
    }
    Py_XDECREF(joint);
    Py_XDECREF(body);
    Py_XDECREF(world);
    PyErr_Clear();
    return proved;
}

int kspHasPyode(void)
{
    PyObject *name = PyUnicode_FromString("ode");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(module);
    return module ? 1 : PyErr_Occurred() ? -1 : 0;
}

/* Finds pyode, if the program has loaded it. @return 1: pyode is known, or not loaded; 0 with an
 * exception: another version is loaded */
static int findPyode(void)
{
    if (type[KSP_WORLD])
        return 1;
    PyObject *name = PyUnicode_FromString("ode");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    if (!module)
        return PyErr_Occurred() ? 0 : 1;
    if (!isProved(module)) {
        kspRaiseWords(
            KS_ERROR_UNSUPPORTED_ENGINE,
            "kinetostat: this pyode does not hold the engine's handles where others do, or is for an ODE of another "
            "precision; pass addresses (integers, or ctypes pointers) of dWorldID, dBodyID and dJointID");
        Py_DECREF(module);
        return 0;
    }
    for (int i = KSP_KINDS - 1; i >= 0; i--)
        type[i] = PyObject_GetAttrString(module, kindName[i]);
    Py_DECREF(module);
    return type[KSP_WORLD] && type[KSP_BODY] && type[KSP_JOINT];
}

static int isOf(PyObject *object, kspKind kind)
{
    return type[kind] && PyObject_TypeCheck(object, (PyTypeObject *)type[kind]);
}

static void *noteOf(void *handle, kspKind kind)
{
    return kind == KSP_JOINT ? dJointGetData(handle) : dBodyGetData(handle);
}

/* engine objects are allocated in steps of 16 bytes */
static size_t placeOf(const void *handle)
{
    return ((uintptr_t)handle >> 4 ^ (uintptr_t)handle >> 18) % PLACES;
}

/* Stores the object of a joint or body in its data, unless the host has set other data. */
static void note(void *handle, kspKind kind, PyObject *object)
{
    const void *data = kind == KSP_WORLD ? NULL : noteOf(handle, kind);
    if (kind == KSP_WORLD || (data && data != object))
        return;
    const size_t place = placeOf(handle);
    noted[place].handle = handle;
    noted[place].object = object;
    if (kind == KSP_JOINT)
        dJointSetData(handle, object);
    else
        dBodySetData(handle, object);
}

/* Reads the pointer that an object of ctypes holds. 0: the object holds none. */
static int readPointer(PyObject *object, void **handle)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(object) || PyObject_GetBuffer(object, &view, PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    const char *format = view.format ? view.format : "";
    format += *format == '<' || *format == '>';
    const int isPointer = view.len == sizeof *handle && (*format == 'P' || *format == '&');
    if (isPointer)
        memcpy(handle, view.buf, sizeof *handle);
    PyBuffer_Release(&view);
    return isPointer;
}

int kspHandle(PyObject *object, kspKind kind, int isOptional, void **handle)
{
    *handle = NULL;
    if (object == Py_None && isOptional)
        return 1;
    if (!isOf(object, kind)) {
        if (PyIndex_Check(object)) {
            PyObject *number = PyNumber_Index(object);
            *handle = number ? PyLong_AsVoidPtr(number) : NULL;
            // an index or a flag is not an address
            if ((uintptr_t)*handle % sizeof(void *) != 0 || (intptr_t)*handle < LEAST_ADDRESS)
                *handle = NULL;
            Py_XDECREF(number);
        } else if (!readPointer(object, handle) && !findPyode()) {
            return 0;
        }
    }
    if (!*handle && isOf(object, kind)) {
        *handle = handleIn(object);
        if (*handle)
            note(*handle, kind, object);
    }
    if (PyErr_Occurred())
        return 0;
    if (!*handle) {
        PyErr_Format(isOf(object, kind) || PyIndex_Check(object) ? PyExc_ValueError : PyExc_TypeError,
                     "a living %s of pyode, its address, or a ctypes pointer is expected, not %R", kindName[kind],
                     object);
        return 0;
    }
    return 1;
}

/* the object in the data of a joint or body; borrowed, or NULL */
static PyObject *notedObject(void *handle, kspKind kind)
{
    PyObject *object = noteOf(handle, kind);
    const size_t place = placeOf(handle);
    return object && noted[place].handle == handle && noted[place].object == object ? object : NULL;
}

PyObject *kspObject(void *handle, kspKind kind)
{
    return Py_XNewRef(handle ? notedObject(handle, kind) : NULL);
}

PyObject *kspOwnObject(PyObject *object, kspKind kind)
{
    return isOf(object, kind) ? Py_NewRef(object) : NULL;
}

PyObject *kspObjectPerhapsGone(void *handle, kspKind kind)
{
    if (!handle)
        Py_RETURN_NONE;
    PyObject *gc = findPyode() && type[kind] ? PyImport_ImportModule("gc") : NULL;
    PyObject *all = gc ? PyObject_CallMethod(gc, "get_objects", NULL) : NULL;
    const Py_ssize_t count = all ? PyList_Size(all) : 0;
    PyObject *found = NULL;
    for (Py_ssize_t i = 0; i < count && !found; i++) {
        PyObject *object = PyList_GetItem(all, i);
        if (isOf(object, kind) && handleIn(object) == handle) {
            note(handle, kind, object);
            found = Py_NewRef(object);
        }
    }
    Py_XDECREF(all);
    Py_XDECREF(gc);
    return found ? found : PyErr_Occurred() ? NULL : PyLong_FromVoidPtr(handle);
}

PyObject *kspAddress(PyObject *module, PyObject *object)
{
    (void)module;
    if (!findPyode())
        return NULL;
    for (int kind = 0; kind < KSP_KINDS; kind++)
        if (isOf(object, (kspKind)kind))
            return PyLong_FromVoidPtr(handleIn(object));
    PyErr_Format(PyExc_TypeError, "a World, Body or Joint of pyode is expected, not %R", object);
    return NULL;
}

PyObject *kspDisable(PyObject *module, PyObject *joint)
{
    void *handle;
    (void)module;
    if (!kspHandle(joint, KSP_JOINT, 0, &handle))
        return NULL;
    dJointDisable(handle);
    Py_RETURN_NONE;
}

PyObject *kspEnable(PyObject *module, PyObject *joint)
{
    void *handle;
    (void)module;
    if (!kspHandle(joint, KSP_JOINT, 0, &handle))
        return NULL;
    dJointEnable(handle);
    Py_RETURN_NONE;
}

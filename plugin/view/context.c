/* context.c  A window by GLFW; or EGL without a surface, which Mesa has on any machine. */
#include "context.h"

#include "view.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <epoxy/egl.h>
#include <stdlib.h>

struct ksiContext {
    GLFWwindow *window; /* NULL: off screen */
    EGLDisplay display;
    EGLContext egl;
    int width, height;
    double mouse[2];
    ksiUserInput *input; /* while events are taken */
};

/* Both libraries have one state for the process: the last one to go ends it. */
static int windowCount, offscreenCount;

static void addKey(ksiContext *context, int key)
{
    ksiUserInput *input = context->input;
    if (input && input->keyCount < KSI_KEYS)
        input->key[input->keyCount++] = key;
}

static void onCharacter(GLFWwindow *window, unsigned character)
{
    if (character < 0x80)
        addKey(glfwGetWindowUserPointer(window), (int)character);
}

static void onKey(GLFWwindow *window, int key, int scancode, int action, int mods)
{
    static const int table[][2] = {{GLFW_KEY_UP, KS_VIEW_KEY_UP},       {GLFW_KEY_DOWN, KS_VIEW_KEY_DOWN},
                                   {GLFW_KEY_RIGHT, KS_VIEW_KEY_RIGHT}, {GLFW_KEY_HOME, KS_VIEW_KEY_HOME},
                                   {GLFW_KEY_TAB, KS_VIEW_KEY_TAB},     {GLFW_KEY_ESCAPE, KS_VIEW_KEY_ESCAPE}};
    (void)scancode, (void)mods;
    for (size_t i = 0; action != GLFW_RELEASE && i < sizeof table / sizeof *table; i++)
        if (table[i][0] == key)
            addKey(glfwGetWindowUserPointer(window), table[i][1]);
}

static void onMouse(GLFWwindow *window, double x, double y)
{
    ksiContext *context = glfwGetWindowUserPointer(window);
    double dx = x - context->mouse[0], dy = y - context->mouse[1];
    context->mouse[0] = x;
    context->mouse[1] = y;
    if (!context->input)
        return;
    double *moved = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT)    ? context->input->orbit
                    : glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_RIGHT) ? context->input->pan
                                                                          : NULL;
    if (moved) {
        moved[0] += dx;
        moved[1] += dy;
    }
}

static void onWheel(GLFWwindow *window, double x, double y)
{
    ksiContext *context = glfwGetWindowUserPointer(window);
    (void)x;
    if (context->input)
        context->input->zoom += y;
}

static const char *openWindow(ksiContext *context)
{
    if (!glfwInit())
        return "there is no display for a window";
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, 1);
    context->window = glfwCreateWindow(context->width, context->height, "Kinetostat", NULL, NULL);
    if (!context->window) {
        if (windowCount == 0)
            glfwTerminate();
        return "the display has no OpenGL 3.3";
    }
    windowCount++;
    glfwSetWindowUserPointer(context->window, context);
    glfwSetCharCallback(context->window, onCharacter);
    glfwSetKeyCallback(context->window, onKey);
    glfwSetCursorPosCallback(context->window, onMouse);
    glfwSetScrollCallback(context->window, onWheel);
    glfwMakeContextCurrent(context->window);
    glfwSwapInterval(1);
    return NULL;
}

static const char *openOffscreen(ksiContext *context)
{
    static const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return "EGL draws only where there is a display: it lacks EGL_MESA_platform_surfaceless";
    context->display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (context->display == EGL_NO_DISPLAY || !eglInitialize(context->display, NULL, NULL))
        return "EGL cannot draw off screen (on Debian: apt-get install libegl-mesa0 libgl1-mesa-dri)";
    offscreenCount++;
    eglBindAPI(EGL_OPENGL_API);
    context->egl = eglCreateContext(context->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context->egl == EGL_NO_CONTEXT || !ksiContextUse(context))
        return "EGL has no OpenGL 3.3 off screen";
    return NULL;
}

static void closeOffscreen(ksiContext *context)
{
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->egl != EGL_NO_CONTEXT)
        eglDestroyContext(context->display, context->egl);
    if (--offscreenCount == 0) {
        eglTerminate(context->display);
        eglReleaseThread();
    }
}

ksiContext *ksiContextOpen(bool isOffscreen, int width, int height, const char **why)
{
    ksiContext *context = calloc(1, sizeof *context);
    *why = NULL;
    if (!context)
        return NULL;
    context->display = EGL_NO_DISPLAY;
    context->egl = EGL_NO_CONTEXT;
    context->width = width;
    context->height = height;
    int before = offscreenCount;
    *why = isOffscreen ? openOffscreen(context) : openWindow(context);
    if (*why) {
        if (offscreenCount > before)
            closeOffscreen(context);
        free(context);
        context = NULL;
    }
    return context;
}

void ksiContextClose(ksiContext *context)
{
    if (!context)
        return;
    if (context->window) {
        glfwDestroyWindow(context->window);
        if (--windowCount == 0)
            glfwTerminate();
    } else {
        closeOffscreen(context);
    }
    free(context);
}

bool ksiContextUse(ksiContext *context)
{
    if (context->window) {
        glfwMakeContextCurrent(context->window);
        return true;
    }
    return eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->egl);
}

void ksiContextShow(ksiContext *context)
{
    if (context->window)
        glfwSwapBuffers(context->window);
}

void ksiContextSize(const ksiContext *context, int *width, int *height)
{
    *width = context->width;
    *height = context->height;
    if (context->window)
        glfwGetFramebufferSize(context->window, width, height);
    // a window that is put away has none
    *width = *width > 0 ? *width : 1;
    *height = *height > 0 ? *height : 1;
}

void ksiContextTitle(ksiContext *context, const char *title)
{
    if (context->window)
        glfwSetWindowTitle(context->window, title);
}

void ksiContextPoll(ksiContext *context, ksiUserInput *input)
{
    if (!context->window)
        return;
    context->input = input;
    glfwPollEvents();
    context->input = NULL;
    input->isClosed = input->isClosed || glfwWindowShouldClose(context->window);
}

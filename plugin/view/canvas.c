/* canvas.c  A frame: shadows, ground, solids, marks, writing. */
#include "canvas.h"

#include "font.h"
#include "meshes.h"
#include "program.h"
#include "shaders.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW_SIZE = 2048 };
enum { SOLID, SOLID_MESH, MARK, SHADOW, SHADOW_MESH, GROUND, INK, PROGRAMS };
enum { DRAWN, RESOLVED, SHADED, BUFFERS };

static const float paper[3] = {0.955F, 0.963F, 0.97F};

struct ksiCanvas {
    GLuint program[PROGRAMS];
    GLuint formArray[KSI_FORMS], formBuffer[KSI_FORMS], cornerBuffer[KSI_FORMS], itemBuffer;
    GLsizei formCount[KSI_FORMS];
    GLuint meshArray, meshBuffer, inkArray, inkBuffer, emptyArray;
    GLuint letters, shadows;
    /* framebuffers: what is drawn into, what is read, the light's */
    GLuint frame[BUFFERS], colour[2], depth;
    int samples, width, height; /* 0: not made yet */
    char renderer[128];
};

static bool makePrograms(ksiCanvas *canvas, char why[256])
{
    const char *const solid[2] = {ksiShadowFunction, ksiSolidFragment}, *const mark[2] = {NULL, ksiMarkFragment};
    const char *const depth[2] = {NULL, ksiDepthFragment}, *const ground[2] = {ksiShadowFunction, ksiGroundFragment};
    const char *const ink[2] = {NULL, ksiInkFragment};
    canvas->program[SOLID] = ksiProgramMake(ksiFormVertex, solid, why);
    canvas->program[SOLID_MESH] = ksiProgramMake(ksiMeshVertex, solid, why);
    canvas->program[MARK] = ksiProgramMake(ksiFormVertex, mark, why);
    canvas->program[SHADOW] = ksiProgramMake(ksiFormVertex, depth, why);
    canvas->program[SHADOW_MESH] = ksiProgramMake(ksiMeshVertex, depth, why);
    canvas->program[GROUND] = ksiProgramMake(ksiGroundVertex, ground, why);
    canvas->program[INK] = ksiProgramMake(ksiInkVertex, ink, why);
    for (int i = 0; i < PROGRAMS; i++)
        if (!canvas->program[i])
            return false;
    return true;
}

static void floats(GLuint place, GLint count, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, count, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
}

static bool makeForms(ksiCanvas *canvas)
{
    ksiMesh *mesh = malloc(sizeof *mesh);
    if (!mesh)
        return false;
    glGenVertexArrays(KSI_FORMS, canvas->formArray);
    glGenBuffers(KSI_FORMS, canvas->formBuffer);
    glGenBuffers(KSI_FORMS, canvas->cornerBuffer);
    glGenBuffers(1, &canvas->itemBuffer);
    for (int form = 0; form < KSI_FORMS; form++) {
        ksiMeshMake((ksiForm)form, mesh);
        canvas->formCount[form] = mesh->cornerCount;
        glBindVertexArray(canvas->formArray[form]);
        glBindBuffer(GL_ARRAY_BUFFER, canvas->formBuffer[form]);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)mesh->pointCount * sizeof *mesh->point), mesh->point,
                     GL_STATIC_DRAW);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, canvas->cornerBuffer[form]);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)mesh->cornerCount * sizeof *mesh->corner),
                     mesh->corner, GL_STATIC_DRAW);
        floats(KSI_AT_PLACE, 3, sizeof *mesh->point, offsetof(ksiPoint, place));
        floats(KSI_AT_NORMAL, 3, sizeof *mesh->point, offsetof(ksiPoint, normal));
        glBindBuffer(GL_ARRAY_BUFFER, canvas->itemBuffer);
        floats(KSI_AT_COLOUR, 4, sizeof(ksiItem), offsetof(ksiItem, colour));
        for (GLuint i = 0; i < 3; i++)
            floats(KSI_AT_ROW + i, 4, sizeof(ksiItem), offsetof(ksiItem, row) + i * 4 * sizeof(float));
        for (GLuint place = KSI_AT_COLOUR; place < KSI_AT_ROW + 3; place++)
            glVertexAttribDivisor(place, 1);
    }
    free(mesh);
    return true;
}

static void makeLists(ksiCanvas *canvas)
{
    glGenVertexArrays(1, &canvas->emptyArray);
    glGenVertexArrays(1, &canvas->meshArray);
    glGenVertexArrays(1, &canvas->inkArray);
    glGenBuffers(1, &canvas->meshBuffer);
    glGenBuffers(1, &canvas->inkBuffer);
    glBindVertexArray(canvas->meshArray);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->meshBuffer);
    floats(KSI_AT_PLACE, 3, sizeof(ksiCorner), offsetof(ksiCorner, place));
    floats(KSI_AT_NORMAL, 3, sizeof(ksiCorner), offsetof(ksiCorner, normal));
    floats(KSI_AT_COLOUR, 3, sizeof(ksiCorner), offsetof(ksiCorner, colour));
    glBindVertexArray(canvas->inkArray);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->inkBuffer);
    floats(KSI_AT_PLACE, 4, sizeof(ksiInk), offsetof(ksiInk, x));
    floats(KSI_AT_COLOUR, 4, sizeof(ksiInk), offsetof(ksiInk, colour));
}

static bool makeTextures(ksiCanvas *canvas)
{
    unsigned char(*atlas)[KSI_ATLAS_WIDTH] = malloc(KSI_ATLAS_HEIGHT * sizeof *atlas);
    if (!atlas)
        return false;
    ksiFontDraw(atlas);
    glGenTextures(1, &canvas->letters);
    glBindTexture(GL_TEXTURE_2D, canvas->letters);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, KSI_ATLAS_WIDTH, KSI_ATLAS_HEIGHT, 0, GL_RED, GL_UNSIGNED_BYTE, atlas);
    free(atlas);
    // letters are drawn pixel by pixel
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);

    glGenTextures(1, &canvas->shadows);
    glBindTexture(GL_TEXTURE_2D, canvas->shadows);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(BUFFERS, canvas->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame[SHADED]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, canvas->shadows, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glGenRenderbuffers(2, canvas->colour);
    glGenRenderbuffers(1, &canvas->depth);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* Mesa's that use no graphics processor. */
static bool isSoftware(const char *renderer)
{
    return strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") || strstr(renderer, "SWR");
}

ksiCanvas *ksiCanvasOpen(int samples, bool isLive, char why[256])
{
    ksiCanvas *canvas = calloc(1, sizeof *canvas);
    GLint most = 1;
    why[0] = 0;
    if (!canvas)
        return NULL;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    snprintf(canvas->renderer, sizeof canvas->renderer, "%s", (const char *)glGetString(GL_RENDERER));
    if (samples == 0)
        samples = isLive && isSoftware(canvas->renderer) ? 1 : 4;
    canvas->samples = samples < most ? samples : most;
    if (!makePrograms(canvas, why) || !makeForms(canvas) || !makeTextures(canvas)) {
        ksiCanvasClose(canvas);
        return NULL;
    }
    makeLists(canvas);
    return canvas;
}

void ksiCanvasClose(ksiCanvas *canvas)
{
    if (!canvas)
        return;
    for (int i = 0; i < PROGRAMS; i++)
        glDeleteProgram(canvas->program[i]);
    const GLuint arrays[] = {canvas->meshArray, canvas->inkArray, canvas->emptyArray};
    const GLuint buffers[] = {canvas->itemBuffer, canvas->meshBuffer, canvas->inkBuffer};
    const GLuint textures[] = {canvas->letters, canvas->shadows};
    glDeleteVertexArrays(KSI_FORMS, canvas->formArray);
    glDeleteBuffers(KSI_FORMS, canvas->formBuffer);
    glDeleteBuffers(KSI_FORMS, canvas->cornerBuffer);
    glDeleteVertexArrays(3, arrays);
    glDeleteBuffers(3, buffers);
    glDeleteTextures(2, textures);
    glDeleteFramebuffers(BUFFERS, canvas->frame);
    glDeleteRenderbuffers(2, canvas->colour);
    glDeleteRenderbuffers(1, &canvas->depth);
    free(canvas);
}

/* Buffers of the picture's size. */
static bool resize(ksiCanvas *canvas, int width, int height)
{
    if (canvas->width == width && canvas->height == height)
        return true;
    canvas->width = canvas->height = 0;
    bool isWhole = true;
    for (int i = RESOLVED; i >= DRAWN; i--) {
        int samples = i == DRAWN && canvas->samples > 1 ? canvas->samples : 0;
        glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame[i]);
        glBindRenderbuffer(GL_RENDERBUFFER, canvas->colour[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colour[i]);
        if (i == DRAWN) {
            glBindRenderbuffer(GL_RENDERBUFFER, canvas->depth);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, canvas->depth);
        }
        isWhole = isWhole && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }
    if (isWhole) {
        canvas->width = width;
        canvas->height = height;
    }
    return isWhole;
}

static void drawItems(const ksiCanvas *canvas, const ksiPicture *picture, ksiLayer layer, GLuint program)
{
    for (int form = 0; form < KSI_FORMS; form++) {
        const ksiItems *items = &picture->items[layer][form];
        if (items->count == 0)
            continue;
        ksiSetInteger(program, "isArc", form == KSI_FORM_ARC);
        glBindVertexArray(canvas->formArray[form]);
        glBindBuffer(GL_ARRAY_BUFFER, canvas->itemBuffer);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(items->count * sizeof *items->item), items->item, GL_STREAM_DRAW);
        glDrawElementsInstanced(GL_TRIANGLES, canvas->formCount[form], GL_UNSIGNED_SHORT, NULL, (GLsizei)items->count);
    }
}

/* Forms and meshes by their programs; clip is whose eye it is. */
static void drawSolids(const ksiCanvas *canvas, const ksiPicture *picture, const GLuint program[2],
                       const double clip[4][4])
{
    glUseProgram(program[0]);
    ksiSetMatrix(program[0], "clip", clip);
    drawItems(canvas, picture, KSI_SOLID, program[0]);
    if (picture->mesh.count == 0)
        return;
    glUseProgram(program[1]);
    ksiSetMatrix(program[1], "clip", clip);
    glBindVertexArray(canvas->meshArray);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->meshBuffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(picture->mesh.count * sizeof *picture->mesh.corner),
                 picture->mesh.corner, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)picture->mesh.count);
}

static void drawShadows(const ksiCanvas *canvas, const ksiPicture *picture, const double lightClip[4][4])
{
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame[SHADED]);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(2, 4);
    drawSolids(canvas, picture, &canvas->program[SHADOW], lightClip);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void drawGround(const ksiCanvas *canvas, const ksiStage *stage)
{
    const ksiCamera *camera = stage->camera;
    const ksiGround *ground = &stage->ground;
    const GLuint program = canvas->program[GROUND];
    double height = ground->height - ksiDot3(camera->target, camera->frame[2]), middle[3], offset[2];
    for (int i = 0; i < 3; i++)
        middle[i] = height * camera->frame[2][i];
    // lines repeat after five cells
    for (int k = 0; k < 2; k++)
        offset[k] = fmod(ksiDot3(camera->target, camera->frame[k]) / ground->cell, 5);
    // from below one looks through
    if (ksiDot3(camera->eye, camera->frame[2]) < height)
        return;
    ksiSetMatrix(program, "clip", camera->clip);
    ksiSetVector(program, "first", camera->frame[0]);
    ksiSetVector(program, "second", camera->frame[1]);
    ksiSetVector(program, "middle", middle);
    ksiSetNumber(program, "radius", ground->radius);
    ksiSetNumber(program, "cell", ground->cell);
    glUniform2f(glGetUniformLocation(program, "offset"), (GLfloat)offset[0], (GLfloat)offset[1]);
    glUniform3fv(glGetUniformLocation(program, "paper"), 1, paper);
    glBindVertexArray(canvas->emptyArray);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void drawInk(const ksiCanvas *canvas, const ksiPicture *picture)
{
    const ksiInks *inks = &picture->ink;
    const GLuint program = canvas->program[INK];
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glUseProgram(program);
    glBindTexture(GL_TEXTURE_2D, canvas->letters);
    glUniform2f(glGetUniformLocation(program, "size"), (GLfloat)canvas->width, (GLfloat)canvas->height);
    ksiSetInteger(program, "letters", 0);
    glBindVertexArray(canvas->inkArray);
    glBindBuffer(GL_ARRAY_BUFFER, canvas->inkBuffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(inks->count * sizeof *inks->ink), inks->ink, GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)inks->count);
    glDisable(GL_BLEND);
}

/* What solids and ground need to know of the light. */
static void setLight(const ksiCanvas *canvas, const ksiStage *stage, const double direction[3],
                     const double lightClip[4][4])
{
    static const int lit[] = {GROUND, SOLID, SOLID_MESH};
    for (int i = 0; i < 3; i++) {
        const GLuint program = canvas->program[lit[i]];
        glUseProgram(program);
        ksiSetMatrix(program, "lightClip", lightClip);
        ksiSetVector(program, "light", direction);
        ksiSetVector(program, "up", stage->camera->frame[2]);
        ksiSetInteger(program, "shadows", 0);
    }
}

bool ksiCanvasDraw(ksiCanvas *canvas, const ksiPicture *picture, const ksiStage *stage)
{
    double direction[3], lightClip[4][4];
    if (!resize(canvas, picture->width, picture->height))
        return false;
    ksiLightAim(stage->camera, stage->centre, stage->radius, direction, lightClip);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_DEPTH_TEST);
    drawShadows(canvas, picture, lightClip);

    glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame[DRAWN]);
    glViewport(0, 0, canvas->width, canvas->height);
    glClearColor(paper[0], paper[1], paper[2], 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindTexture(GL_TEXTURE_2D, canvas->shadows);
    setLight(canvas, stage, direction, lightClip);
    glUseProgram(canvas->program[GROUND]);
    drawGround(canvas, stage);
    drawSolids(canvas, picture, &canvas->program[SOLID], stage->camera->clip);

    // marks are in front
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(canvas->program[MARK]);
    ksiSetMatrix(canvas->program[MARK], "clip", stage->camera->clip);
    ksiSetVector(canvas->program[MARK], "eye", stage->camera->eye);
    drawItems(canvas, picture, KSI_MARK, canvas->program[MARK]);
    drawInk(canvas, picture);

    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->frame[DRAWN]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->frame[RESOLVED]);
    glBlitFramebuffer(0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glFinish();
    return glGetError() == GL_NO_ERROR;
}

void ksiCanvasShow(const ksiCanvas *canvas)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->frame[RESOLVED]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

bool ksiCanvasRead(const ksiCanvas *canvas, unsigned char *rgb)
{
    const size_t line = 3 * (size_t)canvas->width;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->frame[RESOLVED]);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    // OpenGL begins below
    for (int y = 0; y < canvas->height / 2; y++) {
        unsigned char *a = rgb + (size_t)y * line, *b = rgb + (size_t)(canvas->height - 1 - y) * line;
        for (size_t i = 0; i < line; i++) {
            unsigned char swapped = a[i];
            a[i] = b[i];
            b[i] = swapped;
        }
    }
    return glGetError() == GL_NO_ERROR;
}

const char *ksiCanvasRenderer(const ksiCanvas *canvas)
{
    return canvas->renderer;
}

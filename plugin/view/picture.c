/* picture.c  Lists that grow, and what is flat. */
#include "picture.h"

#include "font.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ksiPictureBegin(ksiPicture *picture, const double origin[3], int width, int height)
{
    memcpy(picture->origin, origin, sizeof picture->origin);
    picture->width = width;
    picture->height = height;
    for (int layer = 0; layer < KSI_LAYERS; layer++)
        for (int form = 0; form < KSI_FORMS; form++)
            picture->items[layer][form].count = 0;
    picture->mesh.count = 0;
    picture->ink.count = 0;
    picture->isShort = false;
}

void ksiPictureFree(ksiPicture *picture)
{
    for (int layer = 0; layer < KSI_LAYERS; layer++)
        for (int form = 0; form < KSI_FORMS; form++)
            free(picture->items[layer][form].item);
    free(picture->mesh.corner);
    free(picture->ink.ink);
    memset(picture, 0, sizeof *picture);
}

/* Room for `more` elements behind `count`; false: out of memory, the picture lacks them. memory: a pointer to the elements. */
static bool reserve(ksiPicture *picture, void *memory, size_t *capacity, size_t count, size_t more, size_t size)
{
    void **elements = memory;
    if (count + more <= *capacity)
        return true;
    size_t wanted = 2 * (count + more);
    void *grown = wanted < SIZE_MAX / size ? realloc(*elements, wanted * size) : NULL;
    if (!grown) {
        picture->isShort = true;
        return false;
    }
    *elements = grown;
    *capacity = wanted;
    return true;
}

static void setColour(float out[3], ksiColour colour)
{
    for (int i = 0; i < 3; i++)
        out[i] = (float)(colour >> (16 - 8 * i) & 0xff) / 255;
}

void ksiAddForm(ksiPicture *picture, ksiLayer layer, ksiForm form, const double columns[3][3], const double place[3],
                ksiColour colour, double sweep)
{
    ksiItems *items = &picture->items[layer][form];
    if (!reserve(picture, &items->item, &items->capacity, items->count, 1, sizeof *items->item))
        return;
    ksiItem *item = &items->item[items->count];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            item->row[i][k] = (float)columns[k][i];
        item->row[i][3] = (float)(place[i] - picture->origin[i]);
        // what is nowhere is not drawn
        for (int k = 0; k < 4; k++)
            if (!isfinite(item->row[i][k]))
                return;
    }
    setColour(item->colour, colour);
    item->sweep = (float)sweep;
    items->count++;
}

void ksiAddTriangle(ksiPicture *picture, const double corner[3][3], ksiColour colour)
{
    ksiCorners *mesh = &picture->mesh;
    double edge[2][3], normal[3];
    for (int i = 0; i < 3; i++) {
        edge[0][i] = corner[1][i] - corner[0][i];
        edge[1][i] = corner[2][i] - corner[0][i];
    }
    ksiCross3(edge[0], edge[1], normal);
    if (!ksiNormalise3(normal, normal) ||
        !reserve(picture, &mesh->corner, &mesh->capacity, mesh->count, 3, sizeof *mesh->corner))
        return;
    for (int k = 0; k < 3; k++) {
        ksiCorner *out = &mesh->corner[mesh->count++];
        for (int i = 0; i < 3; i++) {
            out->place[i] = (float)(corner[k][i] - picture->origin[i]);
            out->normal[i] = (float)normal[i];
        }
        setColour(out->colour, colour);
    }
}

/* Two triangles from four corners in the order upper left, upper right, lower left, lower right; u and v: a part of the atlas. */
static void addQuad(ksiPicture *picture, const double x[4], const double y[4], const double u[2], const double v[2],
                    ksiColour colour, double opacity)
{
    static const int order[6] = {0, 1, 2, 2, 1, 3};
    ksiInks *inks = &picture->ink;
    if (!reserve(picture, &inks->ink, &inks->capacity, inks->count, 6, sizeof *inks->ink))
        return;
    for (int k = 0; k < 6; k++) {
        int corner = order[k];
        ksiInk *ink = &inks->ink[inks->count++];
        *ink = (ksiInk){.x = (float)x[corner],
                        .y = (float)y[corner],
                        .u = (float)u[corner & 1],
                        .v = (float)v[corner >> 1],
                        .colour[3] = (float)opacity};
        setColour(ink->colour, colour);
    }
}

/* Where a cell begins and ends in the atlas. */
static void cellPlace(int cell, double u[2], double v[2])
{
    double column = cell % KSI_FONT_COLUMNS, line = (int)(cell / KSI_FONT_COLUMNS);
    u[0] = column / KSI_FONT_COLUMNS;
    u[1] = (column + 1) / KSI_FONT_COLUMNS;
    v[0] = line / KSI_FONT_LINES;
    v[1] = (line + 1) / KSI_FONT_LINES;
}

static void addFull(ksiPicture *picture, const double x[4], const double y[4], ksiColour colour, double opacity)
{
    double u[2], v[2];
    cellPlace(KSI_FONT_FULL, u, v);
    // its middle: neighbours do not show through
    u[0] = u[1] = (u[0] + u[1]) / 2;
    v[0] = v[1] = (v[0] + v[1]) / 2;
    addQuad(picture, x, y, u, v, colour, opacity);
}

void ksiAddRectangle(ksiPicture *picture, double x, double y, double width, double height, ksiColour colour,
                     double opacity)
{
    const double xs[4] = {x, x + width, x, x + width}, ys[4] = {y, y, y + height, y + height};
    addFull(picture, xs, ys, colour, opacity);
}

void ksiAddStroke(ksiPicture *picture, double x0, double y0, double x1, double y1, double width, ksiColour colour)
{
    double dx = x1 - x0, dy = y1 - y0, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return;
    double nx = -dy / length * width / 2, ny = dx / length * width / 2;
    const double xs[4] = {x0 + nx, x1 + nx, x0 - nx, x1 - nx}, ys[4] = {y0 + ny, y1 + ny, y0 - ny, y1 - ny};
    addFull(picture, xs, ys, colour, 1);
}

double ksiAddText(ksiPicture *picture, double x, double y, double scale, ksiColour colour, const char *format, ...)
{
    char text[256];
    va_list value;
    va_start(value, format);
    vsnprintf(text, sizeof text, format, value);
    va_end(value);
    const double width = KSI_FONT_WIDTH * scale, height = KSI_FONT_HEIGHT * scale;
    // between pixels letters would blur
    x = floor(x);
    y = floor(y);
    const char *rest = text;
    int cell;
    while ((cell = ksiFontNext(&rest)) >= 0) {
        double u[2], v[2];
        const double xs[4] = {x, x + width, x, x + width}, ys[4] = {y, y, y + height, y + height};
        cellPlace(cell, u, v);
        if (cell != 0)
            addQuad(picture, xs, ys, u, v, colour, 1);
        x += width;
    }
    return x;
}

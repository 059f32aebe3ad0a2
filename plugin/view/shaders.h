/* shaders.h  What the graphics processor does: GLSL 3.30. */
#ifndef KSI_VIEW_SHADERS_H
#define KSI_VIEW_SHADERS_H

extern const char ksiFormVertex[];   /* a unit form, for each item */
extern const char ksiMeshVertex[];   /* a mesh's own corners */
extern const char ksiGroundVertex[]; /* a square below everything */
extern const char ksiInkVertex[];    /* pixels */
extern const char ksiSolidFragment[], ksiMarkFragment[], ksiDepthFragment[], ksiGroundFragment[], ksiInkFragment[];
extern const char ksiShadowFunction[]; /* before the fragments of solids and the ground */

/* Where the corners' numbers go. */
enum {
    KSI_AT_PLACE,
    KSI_AT_NORMAL,
    KSI_AT_COLOUR, /* of an item with the sweep */
    KSI_AT_ROW,    /* and two more */
};

#endif

/* vectors.h  Products of vectors, for double and dReal. */
#ifndef DEMOS_SCENES_VECTORS_H
#define DEMOS_SCENES_VECTORS_H

#define DOT3(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

/* out must not alias the others */
#define CROSS3(out, a, b)                                                                                              \
    ((out)[0] = (a)[1] * (b)[2] - (a)[2] * (b)[1], (out)[1] = (a)[2] * (b)[0] - (a)[0] * (b)[2],                       \
     (out)[2] = (a)[0] * (b)[1] - (a)[1] * (b)[0])

#define COPY3(out, a) ((out)[0] = (a)[0], (out)[1] = (a)[1], (out)[2] = (a)[2])

#endif

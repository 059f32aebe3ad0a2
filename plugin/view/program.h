/* program.h  Shaders made into programs. */
#ifndef KSI_VIEW_PROGRAM_H
#define KSI_VIEW_PROGRAM_H

#include "camera.h"

#include <epoxy/gl.h>

/* fragment: two parts, the first may be NULL. 0: why says so. */
GLuint ksiProgramMake(const char *vertex, const char *const fragment[2], char why[256]);

/* Uniforms of the program in use; one that it has not is passed over. */
void ksiSetMatrix(GLuint program, const char *name, const double matrix[4][4]);
void ksiSetVector(GLuint program, const char *name, const double vector[3]);
void ksiSetNumber(GLuint program, const char *name, double number);
void ksiSetInteger(GLuint program, const char *name, int number);

#endif

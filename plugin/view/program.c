/* program.c  Compiles, links, and sets uniforms. */
#include "program.h"

#include <stdio.h>

static GLuint compile(GLenum kind, const char *const part[2], char why[256])
{
    GLuint shader = glCreateShader(kind);
    const char *source[2] = {part[0] ? part[0] : "", part[1]};
    GLint isMade = 0;
    glShaderSource(shader, 2, source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &isMade);
    if (isMade)
        return shader;
    glGetShaderInfoLog(shader, 256, NULL, why);
    glDeleteShader(shader);
    return 0;
}

GLuint ksiProgramMake(const char *vertex, const char *const fragment[2], char why[256])
{
    const char *const vertexPart[2] = {NULL, vertex};
    GLuint shader[2] = {compile(GL_VERTEX_SHADER, vertexPart, why), compile(GL_FRAGMENT_SHADER, fragment, why)};
    GLuint program = 0;
    if (shader[0] && shader[1]) {
        GLint isMade = 0;
        program = glCreateProgram();
        for (int i = 0; i < 2; i++)
            glAttachShader(program, shader[i]);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &isMade);
        if (!isMade) {
            glGetProgramInfoLog(program, 256, NULL, why);
            glDeleteProgram(program);
            program = 0;
        }
    }
    for (int i = 0; i < 2; i++)
        glDeleteShader(shader[i]);
    return program;
}

void ksiSetMatrix(GLuint program, const char *name, const double matrix[4][4])
{
    GLfloat number[16];
    for (int i = 0; i < 16; i++)
        number[i] = (GLfloat)matrix[i / 4][i % 4];
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_TRUE, number);
}

void ksiSetVector(GLuint program, const char *name, const double vector[3])
{
    glUniform3f(glGetUniformLocation(program, name), (GLfloat)vector[0], (GLfloat)vector[1], (GLfloat)vector[2]);
}

void ksiSetNumber(GLuint program, const char *name, double number)
{
    glUniform1f(glGetUniformLocation(program, name), (GLfloat)number);
}

void ksiSetInteger(GLuint program, const char *name, int number)
{
    glUniform1i(glGetUniformLocation(program, name), number);
}

/* name_list.h  Names of joints from a file, for a program that does not name its joints. A line has
 * the number of a joint and its name:
 *
 *     3 elbow           the third joint, in order of creation, without contacts
 *     hinge 2 knee      the second hinge, as reports count
 *     # a remark
 */
#ifndef KSI_REPORT_FILES_NAME_LIST_H
#define KSI_REPORT_FILES_NAME_LIST_H

#include "lines.h"

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ksiNameList ksiNameList;

enum { KSI_NAME_LIST_WORDS = KSI_LINES_WORDS };

/* Reads the names from a file. NULL: `words` has the reason. Destroy: NULL is fine. */
ksiNameList *ksiNameListRead(const char *path, char words[KSI_NAME_LIST_WORDS]);
void ksiNameListDestroy(ksiNameList *list);

/* The same lines as text, for free(); NULL: out of memory. Parse reads such a text; its messages
 * name `path`. */
char *ksiNameListText(const ksiNameList *list);
ksiNameList *ksiNameListParse(const char *path, const char *text, char words[KSI_NAME_LIST_WORDS]);

/* The name of the joint with this number within its type, or else with this ordinal among all
 * joints. NULL: none, or no list. */
const char *ksiNameListFind(const ksiNameList *list, dJointType type, uint64_t number, uint64_t ordinal);

/* The number of names for which isUsed returns false; first: the first of them. */
size_t ksiNameListUnused(const ksiNameList *list, bool (*isUsed)(const char *name, void *user), void *user,
                         const char **first);

#endif

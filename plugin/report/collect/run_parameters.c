/* run_parameters.c  Parameters that distinguish runs, and the arguments of a program. */
#include "run.h"

#include <stdio.h>
#include <string.h>

const char *ksiRunNextParameter(const ksiRun *run, const char *last)
{
    const char *at = last ? last + strlen(last) + 1 : run->parameters;
    return at < run->parameters + sizeof run->parameters && *at ? at : NULL;
}

bool ksiRunSetParameter(ksiRun *run, const char *written)
{
    char made[sizeof run->parameters] = {0};
    const size_t length = strcspn(written, "=") + 1;
    size_t used = 0;
    bool isSet = false;
    if (length == 1 || !written[length - 1])
        return false;
    for (const char *at = ksiRunNextParameter(run, NULL); at || !isSet;) {
        const int order = at ? strncmp(at, written, length) : 1;
        const bool isOwn = order >= 0 && !isSet;
        const char *next = isOwn ? written : at;
        const size_t bytes = strlen(next) + 1;
        if (used + bytes >= sizeof made)
            return false;
        memcpy(made + used, next, bytes);
        used += bytes;
        isSet |= isOwn;
        // leaves out an older value
        if (order == 0 || !isOwn)
            at = ksiRunNextParameter(run, at);
    }
    memcpy(run->parameters, made, sizeof made);
    return true;
}

const char *ksiRunTakeEnvironment(ksiRun *run, char *const *environment)
{
    static const char prefix[] = "KINETOSTAT_PARAM_";
    const char *left = NULL;
    for (; environment && *environment; environment++)
        if (strncmp(*environment, prefix, sizeof prefix - 1) == 0 &&
            !ksiRunSetParameter(run, *environment + sizeof prefix - 1))
            left = *environment;
    return left;
}

void ksiRunTakeArguments(ksiRun *run)
{
    char *const all = run->arguments;
    const size_t room = sizeof run->arguments;
    FILE *file = fopen("/proc/self/cmdline", "re");
    if (!file)
        return;
    // the program's name comes first; a zero ends each argument
    for (int c = getc(file); c > 0;)
        c = getc(file);
    const size_t length = fread(all, 1, room, file);
    fclose(file);
    size_t used = 0;
    for (const char *end; (end = memchr(all + used, 0, length - used)) != NULL; run->argumentCount++)
        used = (size_t)(end - all) + 1;
    memset(all + used, 0, room - used);
}

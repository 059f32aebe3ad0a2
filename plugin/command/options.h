/* options.h  Options of the command line. */
#ifndef KSI_COMMAND_OPTIONS_H
#define KSI_COMMAND_OPTIONS_H

#include "../preload/channel.h"
#include "confine.h"
#include "files/windows.h"

#include "../report/collect/run.h"
#include "../report/findings/loads.h"
#include "../report/recording/judge.h"

#include <stdio.h>

typedef struct ksiOptions {
    ksiSampling sampling;
    ksiJudgeOptions judge;
    ksReportOptions report;
    const char *names; /* a file with names of joints, or NULL */
    const char *text, *json, *junit, *html, *trace, *raw, *data, *runs,
        *found;           /* files, or NULL; found: of --gen-suppressions */
    const char *suppress; /* a file with findings that are not told, or NULL */
    bool isRawOnly;       /* recorded, not judged */
    bool isLimited;       /* --fail-above was given: report.limit counts */
    bool isQuiet;
    bool isWhole;                     /* the text: all of it */
    bool hasFrames;                   /* --html-fps or --html-size was given */
    bool isViewed;                    /* in a browser */
    ksiRun run;                       /* its parameters: of the environment, and of --param */
    const char *baseline;             /* a report of --save, or NULL */
    double tolerance;                 /* against it */
    ksiMostLoad load[KSI_MOST_LOADS]; /* of --max-force and --max-torque */
    size_t loadCount;
    double mean;     /* s, of --mean: limits are for means over so long; 0: it was not given */
    double proposal; /* of --propose-limits; 0: none */
    int failStatus;
    unsigned jobs;  /* threads of judge */
    bool hasJobs;   /* given */
    ksiShard shard; /* that it judges */
    ksiLimits limits;
    bool isDiff;           /* kinetostat diff OLD NEW: a merge, of which the old one is the baseline */
    bool isJudge, isMerge; /* kinetostat judge FILE..., kinetostat merge FILE... */
    bool hasTarget, hasPercentile, hasValue, hasFloor; /* of report.limit: given */
    char **program;                                    /* and its arguments; or the files */
} ksiOptions;

/* 0, or the status to exit with: what was to be said has been said. Exits by itself after --help and --version. */
int ksiParseOptions(int count, char *argument[], ksiOptions *out);

#endif

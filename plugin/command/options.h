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
        *found;           /* files, or NULL; found: for --gen-suppressions */
    const char *suppress; /* a file with findings to suppress, or NULL */
    bool isRawOnly;       /* records only, without judging */
    bool isLimited;       /* --fail-above was given: report.limit applies */
    bool isQuiet;
    bool isWhole;                     /* the text lists all worlds and joints */
    bool hasFrames;                   /* --html-fps or --html-size was given */
    bool isViewed;                    /* shown in a browser: --view */
    ksiRun run;                       /* its parameters come from the environment and --param */
    const char *baseline;             /* a report of --save, or NULL */
    double tolerance;                 /* share by which a joint may be worse than the baseline */
    ksiMostLoad load[KSI_MOST_LOADS]; /* limits of --max-force and --max-torque */
    size_t loadCount;
    double mean;     /* s, of --mean: window of means for the limits; 0: not given */
    double proposal; /* factor of --propose-limits; 0: none */
    int failStatus;
    unsigned jobs;  /* threads of judge */
    bool hasJobs;   /* --jobs was given */
    ksiShard shard; /* part of the windows to judge */
    ksiLimits limits;
    bool isDiff;                                       /* kinetostat diff OLD NEW: a merge with OLD
                                                          as its baseline */
    bool isJudge, isMerge;                             /* kinetostat judge FILE..., kinetostat merge
                                                          FILE... */
    bool hasTarget, hasPercentile, hasValue, hasFloor; /* the option for report.limit was given */
    char **program;                                    /* the program and its arguments; or the
                                                          files */
} ksiOptions;

/* Returns 0, or an exit status after a message. Exits after --help and --version. */
int ksiParseOptions(int count, char *argument[], ksiOptions *out);

#endif

/* cases.h  Finds the load cases of one body of a recording. A load case has all loads on the body
 * in a step in which one of these loads has its minimum or maximum. */
#ifndef KSI_CASES_CASES_H
#define KSI_CASES_CASES_H

#include "load_case.h"

#include "../report/files/text.h"

#include <jansson.h>

/* KSI_CASE_QUANTITIES: components along the body's axes, and magnitudes. KSI_CASE_WORDS: length of
 * a message. */
enum { KSI_CASE_QUANTITIES = 8, KSI_CASE_WORDS = 400, KSI_CASE_JOINTS = 8 };
extern const char *const ksiCaseQuantity[KSI_CASE_QUANTITIES];

typedef struct ksiCaseOptions {
    ksValue value;                      /* KS_PHYSICAL or KS_MEAN */
    double mean;                        /* s: window of KS_MEAN */
    const char *world;                  /* NULL: the only one */
    uint64_t body;                      /* the body's number; 0: `holds` names it */
    const char *holds[KSI_CASE_JOINTS]; /* all of these joints hold the body */
    size_t holdCount;
    ksiPatterns joints;  /* loads whose extremes are wanted */
    unsigned quantities; /* wanted quantities: bits 1u << quantity */
    double from, until;  /* s: from <= time < until */
    uint64_t every;      /* only steps whose number is a multiple of this */
    /* Receives each chosen step before the next one is read; may be NULL. false: out of memory. */
    bool (*onMoment)(void *user, ksiLoadCase *moment);
    void *user;
} ksiCaseOptions;

/* A quantity of a load at its minimum, or at its maximum (isMost). Magnitudes have only a
 * maximum. */
typedef struct ksiExtreme {
    char load[KSI_LOAD_NAME];
    ksiLoadKind kind;
    int quantity;
    bool isMost;
    double value, bar;
    ksiLoadCase *moment;
} ksiExtreme;

typedef struct ksiLoadCases {
    const ksiCaseOptions *options;
    char *cleanPath, *world;
    uint64_t body; /* the body's number */
    ksiMatter matter;
    uint64_t steps, unknown;
    double begin, end; /* s */
    size_t extremeCount, extremeCapacity;
    ksiExtreme *extreme; /* sorted by load and by quantity; the minimum comes before the maximum */
    size_t count, capacity;
    ksiLoadCase **moment; /* in the order of time; each has at least one extreme */
} ksiLoadCases;

/* The engine must be initialised. false: words [KSI_CASE_WORDS] say why. Free `out` in either
 * case. */
bool ksiFindLoadCases(const char *path, const ksiCaseOptions *options, ksiLoadCases *out, char *words);
void ksiLoadCasesFree(ksiLoadCases *cases);

/* Compares the loads of a moment with the extremes so far. false: out of memory. */
bool ksiChooseLoadCase(ksiLoadCases *cases, ksiLoadCase *moment);

/* Drops extremes that are negligible and within their bars, and sorts the moments. false: out of
 * memory. */
bool ksiSortLoadCases(ksiLoadCases *cases);

/* Documents. Out of memory: a text that is cut short, or NULL. */
void ksiLoadCasesToText(const ksiLoadCases *cases, ksiText *out);
json_t *ksiLoadCasesToJson(const ksiLoadCases *cases);
void ksiLoadCasesToCsv(const ksiLoadCases *cases, ksiText *out);
/* Writes CSV, a line for each load. number: the number of the case; 0: a series. */
void ksiCsvBegin(ksiText *out);
void ksiCsvAdd(const ksiLoadCase *moment, const ksiMatter *matter, size_t number, ksiText *out);

/* "wrist fx most 12.5 N +- 0.01" */
void ksiExtremeToText(const ksiExtreme *extreme, ksiText *out);

#endif

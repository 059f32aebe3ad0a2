/* mujoco_main.c  kinetostat-mujoco: steps a model of MuJoCo, records it, and has `kinetostat judge`
 * judge the recording. */
#include "mujoco.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 125, MOST_STEPS = 1000000000 };

static const char help[] =
    "usage: kinetostat-mujoco MODEL [--steps N] [--record FILE.h5] [options of kinetostat judge]\n"
    "\n"
    "Steps a model of MuJoCo (MJCF or URDF as XML, or MJB), and reports on its joint forces.\n"
    "  --steps N         number of steps: 1000\n"
    "  --record FILE.h5  keep the recording\n"
    "  --help, --version\n"
    "All else is for kinetostat judge (kinetostat --help): --html report.html, --fail-above 5%, ...\n"
    "See kinetostat-mujoco(1).\n";

typedef struct Options {
    const char *model, *record;
    long steps;
    char **rest; /* for kinetostat judge; with room for a file and NULL */
    int restCount;
} Options;

static void tellWarning(const char *words)
{
    fprintf(stderr, "kinetostat-mujoco: MuJoCo warns: %s\n", words);
}

/* Exits, since MuJoCo's functions may not continue after an error. */
static void endOnError(const char *words)
{
    fprintf(stderr, "kinetostat-mujoco: MuJoCo: %s\n", words);
    exit(FAILED);
}

/* --- The command line --- */

static int refuse(const char *words, const char *argument)
{
    fprintf(stderr, "kinetostat-mujoco: %s%s%s\n", argument, argument[0] ? ": " : "", words);
    return FAILED;
}

/* The value of an option of this program, "--name value" or "--name=value". */
static const char *valueOf(const char *name, char **argument, int *index)
{
    const size_t length = strlen(name);
    const char *own = argument[*index];
    if (strncmp(own, name, length) != 0 || (own[length] && own[length] != '='))
        return NULL;
    if (own[length])
        return own + length + 1;
    return argument[*index + 1] ? argument[++*index] : "";
}

static int parse(int count, char **argument, Options *options)
{
    options->steps = 1000;
    options->rest = calloc((size_t)count + 3, sizeof *options->rest);
    if (!options->rest)
        return refuse("out of memory", "");
    options->rest[0] = "kinetostat";
    options->rest[1] = "judge";
    options->restCount = 2;
    if (count < 2 || argument[1][0] == '-')
        return refuse("the model comes first; see --help", "");
    options->model = argument[1];
    for (int i = 2; i < count; i++) {
        const char *steps = valueOf("--steps", argument, &i), *record = NULL;
        char *end = "";
        if (steps) {
            options->steps = strtol(steps, &end, 10);
            if (!steps[0] || *end || options->steps < 1 || options->steps > MOST_STEPS)
                return refuse("--steps wants a number from 1 to 1000000000", steps);
        } else if ((record = valueOf("--record", argument, &i)) != NULL) {
            if (!record[0])
                return refuse("--record wants a file", "");
            options->record = record;
        } else {
            options->rest[options->restCount++] = argument[i];
        }
    }
    return 0;
}

/* --- The model --- */

static mjModel *load(const char *path)
{
    char error[1000] = "";
    const size_t length = strlen(path);
    const int isBinary = length > 4 && strcmp(path + length - 4, ".mjb") == 0;
    mjModel *m = isBinary ? mj_loadModel(path, NULL) : mj_loadXML(path, NULL, error, sizeof error);
    for (size_t end = strlen(error); end > 0 && error[end - 1] == '\n'; end--)
        error[end - 1] = 0;
    if (!m)
        fprintf(stderr, "kinetostat-mujoco: %s: %s\n", path, error[0] ? error : "cannot be read");
    return m;
}

/* Set by a signal: stops after the current step and judges the steps so far. */
static volatile sig_atomic_t isEnough;

static void leave(int number)
{
    (void)number;
    isEnough = 1;
}

static ksStatus simulate(const mjModel *m, mjData *d, const Options *options)
{
    ksMujoco *adapter;
    ksStatus status = ksMujocoCreate(m, options->record, &adapter);
    if (status)
        return status;
    fputs(ksMujocoGetNotes(adapter), stderr);
    long made = 0;
    while (made < options->steps && !isEnough && !(status = ksMujocoStep(adapter, d)))
        made++;
    // MuJoCo resets an unstable simulation: judge the steps before
    if (status == KS_ERROR_ENGINE && made > 0) {
        fprintf(stderr, "kinetostat-mujoco: %s: MuJoCo gave up after %ld steps, which are judged\n", options->model,
                made);
        status = KS_OK;
    }
    const ksStatus closed = ksMujocoClose(adapter);
    return status ? status : closed;
}

static int recordModel(const Options *options)
{
    mjModel *m = load(options->model);
    if (!m)
        return FAILED;
    mjData *d = mj_makeData(m);
    program_invocation_name = (char *)(size_t)options->model;  // reports show this name
    signal(SIGINT, leave);
    const ksStatus status = simulate(m, d, options);
    if (status)
        fprintf(stderr, "kinetostat-mujoco: %s: %s\n", options->model, ksErrorMessage());
    mj_deleteData(d);
    mj_deleteModel(m);
    return status ? FAILED : 0;
}

/* --- The judge --- */

/* Runs kinetostat from this program's folder, else from PATH. */
static void judge(char **argument)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "/kinetostat");
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    if (slash) {
        strcpy(slash, "/kinetostat");
        execv(path, argument);
    }
    execvp("kinetostat", argument);
    fprintf(stderr, "kinetostat-mujoco: kinetostat: %s\n", strerror(errno));
    _exit(FAILED);
}

static int judgeRecording(const Options *options)
{
    options->rest[options->restCount] = (char *)(size_t)options->record;
    int status = 0;
    const pid_t child = fork();
    signal(SIGINT, child == 0 ? SIG_DFL : SIG_IGN);
    if (child == 0)
        judge(options->rest);
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        fprintf(stderr, "kinetostat-mujoco: %s\n", strerror(errno));
        return FAILED;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **argument)
{
    Options options = {.model = NULL};
    const char *place = getenv("TMPDIR");
    char folder[4096], path[sizeof folder + sizeof "/recording.h5"];
    if (count == 2 && (strcmp(argument[1], "--help") == 0 || strcmp(argument[1], "--version") == 0)) {
        fputs(argument[1][2] == 'h' ? help : "kinetostat-mujoco " PACKAGE_VERSION "\n", stdout);
        return 0;
    }
    mju_user_warning = tellWarning;
    mju_user_error = endOnError;
    int status = parse(count, argument, &options);
    const int isKept = options.record != NULL;
    if (!status && !isKept) {
        snprintf(folder, sizeof folder, "%s/kinetostat-XXXXXX", place && place[0] ? place : "/tmp");
        status = mkdtemp(folder) ? 0 : refuse(strerror(errno), folder);
        snprintf(path, sizeof path, "%s/recording.h5", folder);
        options.record = path;
    }
    if (!status) {
        status = recordModel(&options);
        status = status ? status : judgeRecording(&options);
    }
    if (!isKept && options.record) {
        unlink(path);
        rmdir(folder);
    }
    free(options.rest);
    return status;
}

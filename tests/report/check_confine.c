/* check_confine.c  Calls that a judging process may make, and calls that it may not; it can still
 * end, and have threads. */
#include "plugin/base/sanitizer.h"
#include "plugin/command/confine.h"
#include "tests/kits/support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WITHOUT_FILTER = 77 };

static void *work(void *user)
{
    *(int *)user = 1;
    return NULL;
}

static ksiLimits limits;

/* Number of the line whose call had the wrong result; 0: all were right. */
static int tryAll(void)
{
    char *const none[] = {NULL};
    int hasWorked = 0;
    pthread_t thread;
    const int before = open("confined.tmp", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ksiConfineProcess(&limits, false);
    if (prctl(PR_GET_SECCOMP) != 2)
        return WITHOUT_FILTER;
#ifndef KSI_COUNT_BRANCHES  // counters of branches are written on exit
    if (open("confined2.tmp", O_WRONLY | O_CREAT, 0600) >= 0 || open("confined.tmp", O_RDWR | O_TRUNC) >= 0)
        return __LINE__;
    if ((open("confined.tmp", O_RDWR) >= 0) != limits.mayReopen)
        return __LINE__;
#endif
    if (unlink("confined.tmp") == 0 || chmod("confined.tmp", 0777) == 0 || rename("confined.tmp", "c2.tmp") == 0)
        return __LINE__;
    if (fork() >= 0 || execve("/bin/true", none, none) == 0 || errno != EPERM)
        return __LINE__;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || kill(getppid(), 0) == 0)
        return __LINE__;
    if (pthread_create(&thread, NULL, work, &hasWorked) || pthread_join(thread, NULL) || !hasWorked)
        return __LINE__;
    if (open("confined.tmp", O_RDONLY) < 0 || write(before, "x", 1) != 1 || !malloc(1 << 20))
        return __LINE__;
    return 0;
}

static int runChild(int (*run)(void))
{
    int status;
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(run());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

/* Calls that do nothing, because an argument is invalid: with the filter they fail with EPERM,
 * without it with another error. */
static const struct {
    long call, argument[3];
} harmless[] = {
    {SYS_openat, {-1, 0, O_WRONLY}},
    {SYS_openat, {-1, 0, O_RDONLY | O_CREAT}},
    {SYS_openat, {-1, 0, O_RDONLY | O_TRUNC}},
    {SYS_execve, {0}},
    {SYS_execveat, {-1}},
    {SYS_ptrace, {1, 0, 0}},
    {SYS_process_vm_readv, {-1}},
    {SYS_process_vm_writev, {-1}},
    {SYS_kill, {0, 0}},
    {SYS_tkill, {-1, 0}},
    {SYS_rt_sigqueueinfo, {-1, 0, 0}},
    {SYS_rt_tgsigqueueinfo, {-1, -1, 0}},
    {SYS_tgkill, {-1, -1, 0}},
    {SYS_socket, {-1, 0, 0}},
    {SYS_socketpair, {-1, 0, 0}},
    {SYS_connect, {-1, 0, 0}},
    {SYS_bind, {-1, 0, 0}},
    {SYS_unlinkat, {-1, 0, 0}},
    {SYS_renameat2, {-1, 0, -1}},
    {SYS_linkat, {-1, 0, -1}},
    {SYS_symlinkat, {0, -1, 0}},
    {SYS_mkdirat, {-1, 0, 0}},
    {SYS_mknodat, {-1, 0, 0}},
    {SYS_fchmod, {-1, 0}},
    {SYS_fchmodat, {-1, 0, 0}},
    {SYS_fchown, {-1, 0, 0}},
    {SYS_fchownat, {-1, 0, 0}},
    {SYS_truncate, {0, 0}},
    {SYS_setxattr, {0, 0, 0}},
    {SYS_fsetxattr, {-1, 0, 0}},
    {SYS_chroot, {0}},
    {SYS_unshare, {0}},
    {SYS_setns, {-1, 0}},
    {SYS_add_key, {0, 0, 0}},
    {SYS_request_key, {0, 0, 0}},
    {SYS_keyctl, {-1, 0, 0}},
#ifdef __x86_64__
    {SYS_open, {0, O_WRONLY, 0}},
    {SYS_creat, {0, 0}},
    {SYS_unlink, {0}},
    {SYS_rename, {0, 0}},
    {SYS_link, {0, 0}},
    {SYS_symlink, {0, 0}},
    {SYS_mkdir, {0, 0}},
    {SYS_rmdir, {0}},
    {SYS_chmod, {0, 0}},
    {SYS_chown, {0, 0, 0}},
    {SYS_lchown, {0, 0, 0}},
#endif
};
enum { HARMLESS = sizeof harmless / sizeof *harmless };

static bool isForbidden(int which)
{
    const long *argument = harmless[which].argument;
    errno = 0;
    return syscall(harmless[which].call, argument[0], argument[1], argument[2], 0, 0, 0) < 0 && errno == EPERM;
}

/* The first call with the wrong result, from 1; 0: all are right. */
static int tryForbidden(void)
{
    for (int i = 0; i < HARMLESS; i++)
        if (isForbidden(i))
            return 1 + i;
    ksiConfineProcess(&limits, false);
    if (prctl(PR_GET_SECCOMP) != 2)
        return WITHOUT_FILTER;
    for (int i = 0; i < HARMLESS; i++)
        if (!isForbidden(i))
            return 1 + i;
    return 0;
}

START_TEST(what_is_forbidden_is_refused)
{
    _Static_assert((int)HARMLESS < (int)WITHOUT_FILTER, "a status tells which");
    limits.mayReopen = false;
    const int status = runChild(tryForbidden);
    ck_assert(WIFEXITED(status));
    ck_assert_msg(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == WITHOUT_FILTER, "call %d of the list",
                  WEXITSTATUS(status));
}
END_TEST

START_TEST(it_may_compute_and_no_more)
{
    limits.mayReopen = _i != 0;
    const int status = runChild(tryAll);
    unlink("confined.tmp");
    ck_assert(WIFEXITED(status));
    ck_assert_msg(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == WITHOUT_FILTER, "line %d", WEXITSTATUS(status));
}
END_TEST

static int abortConfined(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    ksiConfineProcess(&limits, false);
    abort();
}

START_TEST(it_may_abort)
{
    const int status = runChild(abortConfined);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGABRT);
}
END_TEST

static int spin(void)
{
    limits = (ksiLimits){.memory = UINT64_MAX, .time = 1};
    ksiLimitProcess(&limits);
    volatile bool goesOn = true;
    while (goesOn)
        continue;
    return 0;
}

START_TEST(it_may_not_go_on_for_ever)
{
    const int status = runChild(spin);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGXCPU);
}
END_TEST

#ifndef KSI_SANITIZED
static int hoard(void)
{
    limits = (ksiLimits){.memory = 64u << 20, .time = 100};
    ksiLimitProcess(&limits);
    // volatile, or the compiler may remove the allocation
    void *volatile made = malloc(128u << 20);
    return made != NULL;
}

START_TEST(it_may_not_have_all_memory)
{
    const int status = runChild(hoard);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST
#endif

int main(void)
{
    TCase *test = tcase_create("confine");
    tcase_add_loop_test(test, it_may_compute_and_no_more, 0, 2);
    tcase_add_test(test, what_is_forbidden_is_refused);
    tcase_add_test(test, it_may_abort);
    tcase_add_test(test, it_may_not_go_on_for_ever);
#ifndef KSI_SANITIZED
    tcase_add_test(test, it_may_not_have_all_memory);
#endif
    return runCase("confine", test);
}

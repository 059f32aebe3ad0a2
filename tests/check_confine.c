/* check_confine.c  What a process that judges may do, and what not; and that it can still end, and have threads. */
#include "plugin/base/sanitizer.h"
#include "plugin/preload/confine.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WITHOUT_FILTER = 77 };

static void *work(void *user)
{
    *(int *)user = 1;
    return NULL;
}

static ksiLimits limits;

/* Lines of what was not as it should be; 0: all was. */
static int tryAll(void)
{
    char *const none[] = {NULL};
    int hasWorked = 0;
    pthread_t thread;
    const int before = open("confined.tmp", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ksiConfineProcess(&limits, false);
    if (prctl(PR_GET_SECCOMP) != 2)
        return WITHOUT_FILTER;
#ifndef KSI_COUNT_BRANCHES  // counters are written then
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
    // a compiler may know what becomes of it otherwise
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
    Suite *suite = suite_create("confine");
    TCase *test = tcase_create("confine");
    tcase_add_loop_test(test, it_may_compute_and_no_more, 0, 2);
    tcase_add_test(test, it_may_abort);
    tcase_add_test(test, it_may_not_go_on_for_ever);
#ifndef KSI_SANITIZED
    tcase_add_test(test, it_may_not_have_all_memory);
#endif
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

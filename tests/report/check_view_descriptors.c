/* check_view_descriptors.c  A view in a host that closes descriptors of the view, that has many
 * descriptors, and that has none left. */
#include "tests/kits/report/view_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>

#ifdef KS_HAVE_VIEW

enum { MOST_NUMBERS = 256 };

typedef enum Which { LISTENING, WATCHING, LINE, MARK, ALL, WHICH } Which; /* descriptors of the view */
typedef enum Reuse {
    NOTHING,
    A_FILE,
    A_SOCKET,
    AN_EPOLL,
    REUSE
} Reuse; /* the host's own descriptors
                                                                             with the same numbers */

static unsigned short portOf(int number, int (*name)(int, struct sockaddr *, socklen_t *))
{
    struct sockaddr_in address = {0};
    socklen_t length = sizeof address;
    return name(number, (struct sockaddr *)&address, &length) ? 0 : ntohs(address.sin_port);
}

/* The browser is in this process, too: its end of a connection has the view's port on the other
 * side. */
static bool isOf(int number, Which which)
{
    char link[32], target[64] = {0};
    int listens = 0;
    socklen_t length = sizeof listens;
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    (void)!readlink(link, target, sizeof target - 1);
    (void)getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length);
    const bool isHere = portOf(number, getsockname) == port;
    const bool is[] = {[LISTENING] = isHere && listens,
                       [WATCHING] = strstr(target, "eventpoll") != NULL,
                       [LINE] = isHere && !listens,
                       [MARK] = strstr(target, "eventfd") != NULL};
    return which == ALL ? is[LISTENING] || is[WATCHING] || is[LINE] || is[MARK] : is[which];
}

static int findOpen(Which which, int number[MOST_NUMBERS])
{
    int count = 0;
    for (int i = 3; i < MOST_NUMBERS; i++)
        if (isOf(i, which))
            number[count++] = i;
    return count;
}

/* Opens a file of the host. `other` shows writes to it, and whether it is closed or shut down; -1:
 * the file itself shows them. */
static int openOwn(Reuse reuse, int *other)
{
    int pair[2] = {-1, -1};
    char path[] = "/tmp/check_view.XXXXXX";
    switch (reuse) {
    case A_FILE:
        pair[0] = mkstemp(path);
        (void)unlink(path);
        break;
    case A_SOCKET:
        (void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
        break;
    default:
        pair[0] = epoll_create1(0);
    }
    ck_assert_int_ge(pair[0], 0);
    *other = pair[1];
    return pair[0];
}

static void checkUntouched(Reuse reuse, int own, int other)
{
    struct stat file;
    char path[40], word[4096] = {0}, byte;
    ck_assert_int_eq(fstat(own, &file), 0);
    if (reuse == A_FILE)
        ck_assert_int_eq(file.st_size, 0);
    if (reuse == A_SOCKET) {
        ck_assert_int_eq(read(other, &byte, 1), -1);
        ck_assert_int_eq(errno, EAGAIN);
    }
    if (reuse == AN_EPOLL) {
        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", own);
        const int info = open(path, O_RDONLY);
        ck_assert_int_gt(read(info, word, sizeof word - 1), 0);
        close(info);
        ck_assert_ptr_null(strstr(word, "tfd:"));
    }
}

enum { MOST_TRIES = 1000 };

/* The host closes descriptors of the view, as closefrom(3) does, or closes a number twice. Then a
 * browser sends a request. */
START_TEST(descriptors_that_the_host_has_closed)
{
    const bool polls = _i % 2;
    const Reuse reuse = (Reuse)(_i / 2 % REUSE);
    const Which which = (Which)(_i / 2 / REUSE);
    int number[MOST_NUMBERS], may = 0, other = -1, own = -1;
    char question[200];
    readAddress();
    ck_assert_int_eq(ask("GET", "report"), 200);
    const int line = reach();
    // until the view has accepted the connection
    for (int tries = 0; tries < MOST_TRIES && !findOpen(LINE, number); tries++) {
        usleep(5500);
        poll();
    }
    const int count = findOpen(which, number);
    ck_assert_int_ge(count, 1);
    for (int i = 0; i < count; i++)
        close(number[i]);
    if (reuse != NOTHING) {
        own = openOwn(reuse, &other);
        for (int i = 0; i < count; i++)
            if (number[i] != own && number[i] != other)
                ck_assert_int_eq(dup2(own, number[i]), number[i]);
    }
    const int length = snprintf(question, sizeof question, "GET /%s/report HTTP/1.1\r\nHost: %s\r\n\r\n", secret, host);
    (void)send(line, question, (size_t)length, MSG_NOSIGNAL);
    const int later = reach();
    if (polls) {
        usleep(5500);
        CHECK_STATUS(ksViewPoll(view, now, &may), KS_ERROR_UNAVAILABLE);
        ck_assert_int_eq(may, 1);
        CHECK_STATUS(ksViewFinish(view, INFINITY), KS_ERROR_UNAVAILABLE);
    }
    ksViewDestroy(view);
    view = NULL;
    for (int i = 0; own >= 0 && i < count; i++)
        if (number[i] != other)
            checkUntouched(reuse, number[i], other);
    // descriptors that the view left open
    for (int i = 0; i < count && own >= 0; i++)
        close(number[i]);
    for (int i = 3; i < MOST_NUMBERS; i++)
        if (i == line || i == later || i == own || i == other || isOf(i, ALL))
            close(i);
}
END_TEST

/* More descriptors than select() can handle. */
START_TEST(a_host_with_many_descriptors)
{
    enum { MANY = FD_SETSIZE + 100 };
    const struct rlimit limit = {2 * MANY, 2 * MANY};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int i = 0; i < MANY; i++)
        ck_assert_int_ge(open("/dev/null", O_RDONLY), 0);
    openView();
    readAddress();
    ck_assert_int_eq(ask("GET", "report"), 200);
    closeView();
    closefrom(FD_SETSIZE);
}
END_TEST

/* The error message names the limit. */
START_TEST(a_host_without_a_descriptor_left)
{
    ksView *other = NULL;
    const int last = dup(0);
    ck_assert_int_ge(last, 0);
    close(last);
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit limit = {(rlim_t)last, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    CHECK_STATUS(ksViewCreate(report, &other), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "no page on 127.0.0.1: Too many open files"));
    ck_assert_ptr_null(other);
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("view descriptors");
#ifdef KS_HAVE_VIEW
    TCase *page = tcase_create("page");
    suite_add_tcase(suite, page);
    tcase_set_timeout(page, 60);
    tcase_add_checked_fixture(page, openView, closeView);
    tcase_add_loop_test(page, descriptors_that_the_host_has_closed, 0, 2 * REUSE * WHICH);
    tcase_add_test(page, a_host_without_a_descriptor_left);
    TCase *many = tcase_create("many");
    suite_add_tcase(suite, many);
    tcase_set_timeout(many, 60);
    tcase_set_tags(many, "fork");
    tcase_add_test(many, a_host_with_many_descriptors);
#endif
    return runSuite(suite);
}

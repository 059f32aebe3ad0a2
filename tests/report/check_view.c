/* check_view.c  The page of a growing report: who gets which answer, by HTTP over real sockets; who
 * may hold the host back, and for how long. The world moves as it does without a view. */
#include "tests/kits/report/view_kit.h"

#include <errno.h>
#include <pthread.h>

/* --- Who is answered --- */

#ifdef KS_HAVE_VIEW

START_TEST(who_knows_the_secret_is_answered)
{
    readAddress();
    step(20);
    ck_assert_int_eq(ask("GET", ""), 200);
    ck_assert_ptr_nonnull(strstr(body(), "data-live"));
    ck_assert_ptr_nonnull(strstr(body(), "connect-src 'self'"));
    ck_assert_ptr_null(strstr(body(), "id=\"motion-0\""));
    ck_assert_int_eq(ask("GET", "run.html"), 200);
    ck_assert_ptr_null(strstr(body(), "data-live>"));
    ck_assert_ptr_nonnull(strstr(body(), "id=\"motion-0\""));
    ck_assert_ptr_nonnull(strstr(answer, "Content-Disposition: attachment"));
    ck_assert_int_eq(ask("GET", "report"), 200);
    json_t *document = json_loads(body(), 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(document, "schema")), "kinetostat-report");
    json_decref(document);
    ck_assert_int_eq(ask("HEAD", ""), 200);
    ck_assert_uint_eq(strlen(body()), 0);
}
END_TEST

static const struct {
    const char *question; /* #: the secret; ^: the secret without its last digit; @: the host */
    int status;
} refused[] = {
    // another name for this address, another port, no name
    {"GET /#/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 403},
    {"GET /#/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n", 403},
    {"GET /#/ HTTP/1.0\r\n\r\n", 403},
    // a page from another site
    {"GET /#/report HTTP/1.1\r\nHost: @\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n", 403},
    {"POST /#/wish?hold=1 HTTP/1.1\r\nHost: @\r\nOrigin: null\r\nConnection: close\r\n\r\n", 403},
    {"POST /#/wish?hold=1 HTTP/1.1\r\nHost: @\r\nOrigin: https://@\r\nConnection: close\r\n\r\n", 403},
    {"GET /#/ HTTP/1.1\r\nHost: @\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n", 403},
    // a link from another site leads to the page, but to nothing else, and no other site may show
    // it in a frame
    {"GET /#/ HTTP/1.1\r\nHost: @\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "
     "document\r\n"
     "Connection: close\r\n\r\n",
     200},
    {"GET /#/ HTTP/1.1\r\nHost: @\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "
     "iframe\r\n"
     "Connection: close\r\n\r\n",
     403},
    {"GET /#/report HTTP/1.1\r\nHost: @\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "
     "document\r\n"
     "Connection: close\r\n\r\n",
     403},
    {"POST /#/ HTTP/1.1\r\nHost: @\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "
     "document\r\n"
     "Content-Length: 0\r\nConnection: close\r\n\r\n",
     403},
    // no secret, another one, a part of it, a longer one
    {"GET / HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /00000000000000000000000000000000/ HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /^/ HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /#a/ HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /# HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /#/../../etc/passwd HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    {"GET /#/%00 HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 200},
    {"GET /#/nothing HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 404},
    // methods
    {"PUT /#/ HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 405},
    {"DELETE /#/ HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 405},
    {"GET /#/wish?hold=1 HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 405},
    {"POST /#/report HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 405},
    // arguments
    {"POST /#/wish?pace=0.5 HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 400},
    {"POST /#/wish?pace=-1 HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 400},
    {"POST /#/wish?goon=9999999999 HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 400},
    {"POST /#/wish?pace= HTTP/1.1\r\nHost: @\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", 400},
    {"GET /#/motion HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 400},
    {"GET /#/motion?world=x&from=-1 HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 400},
    {"GET /#/motion?world=x&from=99999999999999999999999 HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 400},
    {"GET /#/motion?world=x&from=1x HTTP/1.1\r\nHost: @\r\nConnection: close\r\n\r\n", 400},
    // not HTTP
    {"\r\n\r\n\x01\x02\x03 /#/ @\r\n\r\n", 400},
};
enum { REFUSED = sizeof refused / sizeof *refused };

/* The request with the placeholders filled in. */
static const char *fill(const char *question)
{
    static char filled[1024];
    size_t at = 0;
    for (; *question; question++) {
        const char one[2] = {*question, 0};
        const char *part = *question == '@' ? host : *question == '#' || *question == '^' ? secret : one;
        const int length = (int)strlen(part) - (*question == '^');
        at += (size_t)snprintf(filled + at, sizeof filled - at, "%.*s", length, part);
    }
    return filled;
}

START_TEST(others_are_not)
{
    readAddress();
    step(2);
    const int status = askWith("%s", fill(refused[_i].question));
    ck_assert_msg(status == refused[_i].status, "%d for: %s", status, refused[_i].question);
    ck_assert_msg(strstr(answer, "kinetostat-report") == NULL || status == 200, "it was answered");
    // the world is not held, either
    ck_assert(mayStep());
}
END_TEST

/* Connections by turns, and all at once; some say nothing, some send a long body that nobody
 * requested: the host steps on, and a page gets its answer after they are gone. */
START_TEST(a_crowd_does_not_hold_the_host)
{
    enum { TURNS = 10, BODY = 1 << 20 };
    int line[CROWD];
    char *rubbish = calloc(1, BODY);
    readAddress();
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < CROWD; i++)
            line[i] = reach();
        poll();
        for (int i = 0; i < CROWD; i++) {
            const char *word = i % 3 == 0   ? "GET /"
                               : i % 3 == 1 ? "GET /0/ HTTP/1.1\r\nHost: x\r\n\r\n"
                                            : "POST /0/ HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n";
            (void)send(line[i], word, strlen(word), MSG_NOSIGNAL);
            if (i % 3 == 2)
                (void)send(line[i], rubbish, BODY, MSG_NOSIGNAL);
        }
        ck_assert(mayStep());
        step(1);
        poll();
        for (int i = 0; i < CROWD; i++)
            close(line[i]);
        poll();
    }
    free(rubbish);
    // closed connections are noticed one after the other
    int status = 0;
    for (int i = 0; i < 20 && status != 200; i++)
        status = ask("GET", "report");
    ck_assert_int_eq(status, 200);
}
END_TEST

/* All of them come before the owner, and are never idle. */
START_TEST(slow_lines_leave_the_owner_a_place)
{
    readAddress();
    for (; crowdSize < CROWD; crowdSize++)
        crowd[crowdSize] = reach();
    for (int i = 0; i < 50; i++)
        poll();
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(ask("GET", "report"), 200);
    while (crowdSize > 0)
        close(crowd[--crowdSize]);
}
END_TEST

/* Even if there is room for it, a connection that does not send the secret is closed. */
START_TEST(a_slow_line_is_closed)
{
    ssize_t came = -1;
    char byte;
    readAddress();
    crowd[crowdSize++] = reach();
    for (int i = 0; i < 2000 && came != 0; i++) {
        poll();
        came = read(crowd[0], &byte, 1);
        came = came < 0 && errno == ECONNRESET ? 0 : came;
    }
    ck_assert_int_eq(came, 0);
    crowdSize = 0;
}
END_TEST

/* --- Frames --- */

static json_t *askForMotion(unsigned from)
{
    char path[200];
    snprintf(path, sizeof path, "motion?world=a%%20%%3C/b%%3E%%20%%26%%20%%22c%%22&from=%u", from);
    ck_assert_int_eq(ask("GET", path), 200);
    json_t *told = json_loads(body(), 0, NULL);
    ck_assert_msg(told, "no JSON: %.200s", body());
    return told;
}

static json_int_t framesOf(const json_t *told)
{
    return json_integer_value(json_object_get(json_object_get(told, "motion"), "frames"));
}

/* Frames of 1/30 s, from steps of 1/200 s: each is the first step of its interval. */
START_TEST(frames_come_when_they_are_there)
{
    readAddress();
    json_t *none = askForMotion(0);
    ck_assert(json_is_null(json_object_get(none, "motion")));
    step(200);
    json_t *all = askForMotion(0), *rest = askForMotion(100), *last = askForMotion(200), *alone = NULL;
    ck_assert_int_eq(framesOf(all), 30);
    ck_assert_int_eq(framesOf(rest), 15);
    ck_assert(json_is_null(json_object_get(last, "motion")));
    step(1);
    alone = askForMotion(200);
    ck_assert_int_eq(framesOf(alone), 1);
    ck_assert(!json_is_true(json_object_get(json_object_get(alone, "state"), "isOver")));
    json_decref(none);
    json_decref(all);
    json_decref(rest);
    json_decref(last);
    json_decref(alone);
    ck_assert_int_eq(ask("GET", "motion?world=nobody&from=0"), 200);
    ck_assert_ptr_nonnull(strstr(body(), "\"motion\":null"));
}
END_TEST

/* --- Who holds the host back --- */

START_TEST(the_host_is_held)
{
    readAddress();
    ck_assert(mayStep());
    ck_assert_int_eq(ask("POST", "wish?hold=1"), 200);
    for (int i = 0; i < 5; i++)
        ck_assert(!mayStep());
    // another 0.02 s are four steps
    ck_assert_int_eq(ask("POST", "wish?goon=20000"), 200);
    int steps = 0;
    for (int i = 0; i < 20; i++)
        if (mayStep()) {
            step(1);
            steps++;
        }
    ck_assert_int_eq(steps, 4);
    ck_assert_int_eq(ask("POST", "wish?hold=0"), 200);
    ck_assert(mayStep());
}
END_TEST

/* When a page is closed, or is silent for long, the world continues. */
START_TEST(a_closed_page_lets_it_go)
{
    readAddress();
    ck_assert_int_eq(ask("POST", "wish?hold=1&left=1"), 200);
    ck_assert(!mayStep());
    for (int i = 0; i < 400 && !mayStep(); i++)
        usleep(10000);
    ck_assert(mayStep());
}
END_TEST

/* A killed browser sends no message: its connections are closed, and the world continues long
 * before a hidden page would ask again. */
START_TEST(a_killed_browser_lets_it_go)
{
    enum { TURNS = 400 };
    char question[300];
    readAddress();
    const int line = reach();
    for (int k = 0; k < 2; k++) {
        const int length =
            snprintf(question, sizeof question, "%s /%s/%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\n\r\n",
                     k ? "POST" : "GET", secret, k ? "wish?hold=1" : "motion?world=x&from=0", host);
        poll();
        ck_assert_int_eq(write(line, question, (size_t)length), length);
        for (int i = 0; i < TURNS && read(line, answer, sizeof answer - 1) <= 0; i++)
            poll();
    }
    ck_assert(!mayStep());
    close(line);
    for (int i = 0; i < TURNS && !mayStep(); i++)
        usleep(10000);
    ck_assert(mayStep());
}
END_TEST

static void *finish(void *unused)
{
    CHECK_OK(ksViewFinish(view, 60));
    return unused;
}

/* A second browser, which does not poll for the host. */
static int askTwice(const char *path)
{
    char question[300];
    int status = 0;
    const int line = reach();
    const int length = snprintf(question, sizeof question,
                                "POST /%s/%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                                secret, path, host);
    for (size_t sent = 0; sent < (size_t)length;) {
        const ssize_t now_ = write(line, question + sent, (size_t)length - sent);
        sent += now_ > 0 ? (size_t)now_ : 0;
        usleep(1000);
    }
    ssize_t came;
    while ((came = read(line, answer, sizeof answer - 1)) != 0) {
        if (came > 0)
            (void)sscanf(answer, "HTTP/1.1 %d", &status);
        usleep(1000);
    }
    close(line);
    return status;
}

START_TEST(it_ends_when_a_page_has_all)
{
    pthread_t thread;
    readAddress();
    step(10);
    // no page comes
    CHECK_OK(ksViewFinish(view, 0.05));
    ck_assert_int_eq(pthread_create(&thread, NULL, finish, NULL), 0);
    ck_assert_int_eq(askTwice("wish?done=1"), 200);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

START_TEST(the_world_goes_as_it_goes_alone)
{
    enum { STEPS = 100, BODIES = 4 };
    double alone[BODIES][3];
    dRandSetSeed(7);
    Scene *other = sceneChain(BODIES, SCENE_FALLING);
    for (int i = 0; i < STEPS; i++)
        dWorldQuickStep(other->world, size);
    for (int i = 0; i < BODIES; i++)
        memcpy(alone[i], dBodyGetPosition(other->body[i]), sizeof alone[i]);
    sceneDestroy(other);
    readAddress();
    dRandSetSeed(7);
    for (int i = 0; i < STEPS; i++) {
        step(1);
        if (i % 10 == 0)
            ck_assert_int_eq(ask("GET", i % 20 ? "" : "run.html"), 200);
    }
    for (int i = 0; i < BODIES; i++)
        ck_assert_mem_eq(alone[i], dBodyGetPosition(scene->body[i]), sizeof alone[i]);
}
END_TEST

#endif

/* --- Its calls --- */

START_TEST(wrong_calls_are_refused)
{
    int may = 7;
    ksView *none = NULL;
    CHECK_STATUS(ksViewCreate(NULL, &none), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewCreate(report, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPoll(NULL, 0, &may), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPoll(view, 0, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPoll(view, NAN, &may), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewPoll(view, INFINITY, &may), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewFinish(NULL, 1), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewFinish(view, NAN), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksViewFinish(view, -1), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(may, 7);
    ck_assert_str_eq(ksViewGetAddress(NULL), "");
    ksViewDestroy(NULL);
}
END_TEST

int main(void)
{
#ifdef KS_HAVE_VIEW
    TCase *page = tcase_create("page");
    tcase_set_timeout(page, 60);
    tcase_add_checked_fixture(page, openView, closeView);
    tcase_add_test(page, who_knows_the_secret_is_answered);
    tcase_add_loop_test(page, others_are_not, 0, REFUSED);
    tcase_add_test(page, a_crowd_does_not_hold_the_host);
    tcase_add_test(page, slow_lines_leave_the_owner_a_place);
    tcase_add_test(page, a_slow_line_is_closed);
    tcase_add_test(page, frames_come_when_they_are_there);
    tcase_add_test(page, the_host_is_held);
    tcase_add_test(page, a_closed_page_lets_it_go);
    tcase_add_test(page, a_killed_browser_lets_it_go);
    tcase_add_test(page, it_ends_when_a_page_has_all);
    tcase_add_test(page, the_world_goes_as_it_goes_alone);
    tcase_add_test(page, wrong_calls_are_refused);
#endif
    return runCase("view", page);
}

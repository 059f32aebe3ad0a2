/* view_kit.h  A world with a view, and a browser in the same thread. */
#ifndef TESTS_KITS_REPORT_VIEW_KIT_H
#define TESTS_KITS_REPORT_VIEW_KIT_H

#include "tests/kits/report/report_kit.h"

#include "demos/scenes/scenes.h"
#include <kinetostat/view.h>

#include <arpa/inet.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const double size = 0.005; /* s, of a step */

static Scene *scene;
static ksInspector *inspector;
static ksReport *report;
static ksView *view;
static double now; /* s, of the world */

static inline void openView(void)
{
    scene = sceneChain(4, SCENE_FALLING);
    inspector = inspect(scene->world);
    now = 0;
    CHECK_OK(ksReportCreate(NULL, &report));
    CHECK_OK(ksReportWatch(report, inspector, "a </b> & \"c\""));
    CHECK_OK(ksViewCreate(report, &view));
}

static inline void closeView(void)
{
    ksViewDestroy(view);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

static inline void step(int count)
{
    for (int i = 0; i < count; i++, now += size)
        CHECK_OK(ksInspectorQuickStep(inspector, size));
}

static inline bool mayStep(void)
{
    int may = -1;
    CHECK_OK(ksViewPoll(view, now, &may));
    return may == 1;
}

/* --- A browser of our own, in the same thread --- */

static unsigned short port;
static char secret[64], host[32];

static inline void readAddress(void)
{
    const char *address = ksViewGetAddress(view);
    ck_assert_int_eq(sscanf(address, "http://127.0.0.1:%hu/%63[0-9a-f]/", &port, secret), 2);
    ck_assert_uint_eq(strlen(secret), 32);
    snprintf(host, sizeof host, "127.0.0.1:%hu", port);
}

static inline int reach(void)
{
    const struct sockaddr_in there = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int line = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    ck_assert_int_ge(line, 0);
    (void)connect(line, (const struct sockaddr *)&there, sizeof there);
    return line;
}

/* Connections that send a byte at each turn, and never the secret. */
enum { CROWD = 100 };
static int crowd[CROWD], crowdSize;

/* Polls as an idle host does. */
static inline void poll(void)
{
    usleep(5500);
    for (int i = 0; i < crowdSize; i++)
        (void)send(crowd[i], "G", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)mayStep();
}

static char answer[1 << 23];

/* Sends a request, and returns the status; 0: the connection was closed without one. The reply is
 * in `answer`. */
static inline int askWith(const char *format, ...)
{
    char question[4096];
    size_t length = 0, sent = 0;
    va_list value;
    va_start(value, format);
    const size_t wanted = (size_t)vsnprintf(question, sizeof question, format, value);
    va_end(value);
    ck_assert_uint_lt(wanted, sizeof question);
    const int line = reach();
    for (int turns = 0; turns < 2000; turns++) {
        poll();
        if (sent < wanted) {
            const ssize_t now_ = write(line, question + sent, wanted - sent);
            sent += now_ > 0 ? (size_t)now_ : 0;
        }
        ssize_t came;
        while (length < sizeof answer - 1 && (came = read(line, answer + length, sizeof answer - 1 - length)) > 0)
            length += (size_t)came;
        if (came == 0)
            break;
    }
    close(line);
    answer[length] = 0;
    int status = 0;
    (void)sscanf(answer, "HTTP/1.1 %d", &status);
    return status;
}

static inline int ask(const char *method, const char *path)
{
    return askWith("%s /%s/%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, secret, path, host);
}

static inline const char *body(void)
{
    const char *end = strstr(answer, "\r\n\r\n");
    ck_assert_ptr_nonnull(end);
    return end + 4;
}

#endif

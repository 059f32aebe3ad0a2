/* server.c  Serves a page on this machine. */
#define _GNU_SOURCE
#include "server.h"

#include "../report/files/failure.h"

#ifdef KS_HAVE_VIEW

#include "connections.h"
#include "pace.h"

#include "../base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

enum { SECRET_BYTES = 16, SECRET = 2 * SECRET_BYTES, MOST_HEADERS = 16 << 10, IDLE = 5 };

static const double interval = 0.005, /* s, between two checks for requests */
    others = 3,                       /* least ratio of the time for other work to the time of
                                         answers */
    absence = 90,                     /* s, after which a page counts as gone: browsers ask once a
                                         minute for hidden pages */
    reload = 3,                       /* s, within which a reloaded page may come back */
    greeting = 3,                     /* s, within which a connection must give the secret */
    farewell = 1,                     /* s without a request, after which the server ends once a
                                         page has all data */
    thousand = 1000, million = 1e6;

struct ksiServer {
    struct MHD_Daemon *daemon;
    ksiDescriptor listening;
    int watching, mark; /* watching: epoll's descriptor; mark: a descriptor that never has events
                           and that only `watching` watches, which shows that the host has not
                           reused the number `watching` */
    ksiAnswerFn *answer;
    void *user;
    char secret[SECRET + 1];
    char host[2][32]; /* this machine, as a browser names it in the Host header */
    char address[32 + SECRET + 16];
    ksiGuests guests;
    ksiPace pace;
    double due, asked; /* s, of the clock. due: time of the next check; asked: time of the last
                          request of a page */
    bool isWhole, isSeen, isOver, hasAll, isLost;
    pid_t owner;
    ksiServer *next; /* next in the list of lost servers */
};

/* --- Access --- */

static bool drawSecret(char out[SECRET + 1])
{
    unsigned char byte[SECRET_BYTES];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
        return false;
    for (size_t i = 0; i < sizeof byte; i++)
        snprintf(out + 2 * i, 3, "%02x", byte[i]);
    return true;
}

/* Compares in constant time. */
static bool isSecret(const char *secret, const char *told)
{
    unsigned char difference = 0;
    if (strnlen(told, SECRET) < SECRET)
        return false;
    for (int i = 0; i < SECRET; i++)
        difference |= (unsigned char)secret[i] ^ (unsigned char)told[i];
    return difference == 0;
}

static bool hasHeader(struct MHD_Connection *connection, const char *name, const char *value)
{
    const char *told = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return told && strcmp(told, value) == 0;
}

/* Refuses foreign host names and origins. A foreign link may open the page but nothing else. */
static bool isFromHere(const ksiServer *server, struct MHD_Connection *connection, bool isPage)
{
    static const char site[] = "Sec-Fetch-Site";
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN);
    const bool isLink = isPage && hasHeader(connection, "Sec-Fetch-Mode", "navigate") &&
                        hasHeader(connection, "Sec-Fetch-Dest", "document");
    if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, site) && !isLink &&
        !hasHeader(connection, site, "same-origin") && !hasHeader(connection, site, "none"))
        return false;
    for (int i = 0; i < 2; i++)
        if (host && strcmp(host, server->host[i]) == 0)
            return !origin || (strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, host) == 0);
    return false;
}

/* --- Connections --- */

/* Notes that no viewer is left; a viewer that reloads the page may come back. */
static void noteLeft(ksiServer *server)
{
    server->asked = fmin(server->asked, ksiWallTime() - absence + reload);
}

/* If the last connection that requested frames is closed, its browser has ended. */
static void noteConnection(void *user, struct MHD_Connection *connection, void **context,
                           enum MHD_ConnectionNotificationCode code)
{
    ksiServer *server = user;
    if (ksiGuestsNote(&server->guests, connection, context, code))
        noteLeft(server);
}

/* --- Answers --- */

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned code, const char *type,
                               const char *disposition, struct MHD_Response *response)
{
    const char *header[][2] = {{MHD_HTTP_HEADER_CONTENT_TYPE, type},
                               {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
                               {"X-Content-Type-Options", "nosniff"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cross-Origin-Resource-Policy", "same-origin"},
                               {"Content-Security-Policy", "frame-ancestors 'none'"},
                               {"Content-Disposition", disposition}};
    enum MHD_Result result = response ? MHD_YES : MHD_NO;
    for (size_t i = 0; i < sizeof header / sizeof *header && result == MHD_YES; i++)
        if (header[i][1])
            result = MHD_add_response_header(response, header[i][0], header[i][1]);
    if (result == MHD_YES)
        result = MHD_queue_response(connection, code, response);
    if (response)
        MHD_destroy_response(response);
    return result;
}

static enum MHD_Result sendWords(struct MHD_Connection *connection, unsigned code, const char *words)
{
    return respond(connection, code, "text/plain; charset=utf-8", NULL,
                   MHD_create_response_from_buffer(strlen(words), (char *)words, MHD_RESPMEM_MUST_COPY));
}

static void writeState(const ksiServer *server, FILE *out)
{
    fprintf(out, "{\"isOver\":%s,\"isHeld\":%s,\"pace\":%ld}", server->isOver ? "true" : "false",
            server->pace.isHeld ? "true" : "false", lround(thousand * server->pace.factor));
}

static enum MHD_Result sendAnswer(ksiServer *server, struct MHD_Connection *connection, const ksiAsked *asked)
{
    const bool isMotion = asked->kind == KSI_ASKED_MOTION, isFile = asked->kind == KSI_ASKED_FILE;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out && isMotion) {
        fputs("{\"state\":", out);
        writeState(server, out);
        fputs(",\"motion\":", out);
    }
    bool isWhole = out && server->answer(server->user, asked, out);
    if (out && isMotion)
        fputs("}", out);
    if (out)
        isWhole = fclose(out) == 0 && isWhole;
    if (!isWhole) {
        free(text);
        return sendWords(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "There is no answer: the judging process has ended, or memory ran out.\n");
    }
    const char *type = isMotion || asked->kind == KSI_ASKED_REPORT ? "application/json" : "text/html; charset=utf-8";
    return respond(connection, MHD_HTTP_OK, type, isFile ? "attachment; filename=\"run.html\"" : NULL,
                   MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE));
}

/* --- Requests --- */

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static bool isOn(struct MHD_Connection *connection, const char *name)
{
    const char *text = argument(connection, name);
    return text && strcmp(text, "1") == 0;
}

/* Reads a whole number, in any locale; -1: it is missing. Returns false if it is invalid. */
static bool takeNumber(struct MHD_Connection *connection, const char *name, long *out)
{
    enum { MOST = 1000000000 };
    const char *text = argument(connection, name);
    char *end;
    *out = -1;
    if (!text)
        return true;
    *out = strtol(text, &end, 10);
    return end != text && !*end && *out >= 0 && *out <= MOST;
}

static enum MHD_Result takeWish(ksiServer *server, struct MHD_Connection *connection)
{
    long factor, more;
    if (!takeNumber(connection, "pace", &factor) || !takeNumber(connection, "goon", &more))
        return sendWords(connection, MHD_HTTP_BAD_REQUEST, "Numbers must be whole, from 0 to 1e9.\n");
    if (factor >= 0)
        ksiPaceSet(&server->pace, (double)factor / thousand);
    if (argument(connection, "hold"))
        ksiPaceHold(&server->pace, isOn(connection, "hold"));
    if (more >= 0)
        ksiPaceGoOn(&server->pace, (double)more / million);
    server->hasAll |= server->isOver && isOn(connection, "done");
    if (isOn(connection, "left"))
        noteLeft(server);
    return sendWords(connection, MHD_HTTP_OK, "");
}

static enum MHD_Result askForMotion(ksiServer *server, struct MHD_Connection *connection)
{
    const char *world = argument(connection, "world"), *from = argument(connection, "from");
    char *end = NULL;
    errno = 0;
    ksiAsked asked = {.kind = KSI_ASKED_MOTION, .from = from ? strtoull(from, &end, 10) : 0};
    if (!world || strlen(world) >= sizeof asked.world || (from && (end == from || *end || errno || *from == '-')))
        return sendWords(connection, MHD_HTTP_BAD_REQUEST, "motion?world=NAME&from=STEP\n");
    memcpy(asked.world, world, strlen(world) + 1);
    ksiGuestWelcome(connection, KSI_LOOKING_ON, absence);
    return sendAnswer(server, connection, &asked);
}

static enum MHD_Result handle(ksiServer *server, struct MHD_Connection *connection, const char *method,
                              const char *path)
{
    const bool isPost = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    if (strcmp(path, "wish") == 0)
        return isPost ? takeWish(server, connection)
                      : sendWords(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only POST.\n");
    if (isPost)
        return sendWords(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET.\n");
    if (strcmp(path, "motion") == 0)
        return askForMotion(server, connection);
    if (strcmp(path, "report") == 0)
        return sendAnswer(server, connection, &(ksiAsked){.kind = KSI_ASKED_REPORT});
    if (strcmp(path, "run.html") == 0)
        return sendAnswer(server, connection, &(ksiAsked){.kind = KSI_ASKED_FILE});
    return *path ? sendWords(connection, MHD_HTTP_NOT_FOUND, "There is nothing here.\n")
                 : sendAnswer(server, connection, &(ksiAsked){.kind = KSI_ASKED_PAGE});
}

static bool isKnown(const char *method)
{
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0 ||
           strcmp(method, MHD_HTTP_METHOD_POST) == 0;
}

/* Refuses strangers at once; request bodies are not read. */
static enum MHD_Result receive(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                               const char *version, const char *upload, size_t *uploaded, void **context)
{
    static int isBegun;
    ksiServer *server = user;
    (void)version, (void)upload;
    const bool isPage = strcmp(method, MHD_HTTP_METHOD_GET) == 0 && strlen(url) == SECRET + 2;
    if (!isFromHere(server, connection, isPage))
        return sendWords(connection, MHD_HTTP_FORBIDDEN, "Only the page itself may request this.\n");
    if (!isKnown(method))
        return sendWords(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and POST.\n");
    if (!isSecret(server->secret, url + 1) || url[1 + SECRET] != '/')
        return sendWords(connection, MHD_HTTP_NOT_FOUND, "There is nothing here.\n");
    ksiGuestWelcome(connection, KSI_OWNER, absence);
    if (!*context || *uploaded > 0) {
        *context = &isBegun;
        *uploaded = 0;
        return MHD_YES;
    }
    server->asked = ksiWallTime();
    server->isSeen = true;
    server->hasAll |= server->isWhole;
    return handle(server, connection, method, url + SECRET + 2);
}

/* --- Create, run, destroy --- */

/* Does the server still have its own descriptors? A host may close descriptors that are not its own
 * and reuse their numbers. Then MHD would close the host's files, or abort. A child of fork() has
 * its parent's descriptors. */
static bool hasOwn(const ksiServer *server)
{
    struct epoll_event none = {0};
    if (server->owner != getpid() || !ksiDescriptorIsOwn(&server->listening) || !ksiGuestsHaveLines(&server->guests))
        return false;
    if (epoll_ctl(server->watching, EPOLL_CTL_ADD, server->mark, &none))
        return errno == EEXIST;
    (void)epoll_ctl(server->watching, EPOLL_CTL_DEL, server->mark, &none);
    return false;
}

static int descriptorOf(const ksiServer *server, enum MHD_DaemonInfoType type)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, type);
    return !info ? -1 : type == MHD_DAEMON_INFO_LISTEN_FD ? info->listen_fd : info->epoll_fd;
}

static bool noteOwn(ksiServer *server)
{
    struct epoll_event none = {0};
    server->watching = descriptorOf(server, MHD_DAEMON_INFO_EPOLL_FD);
    server->mark = eventfd(0, EFD_CLOEXEC);
    return ksiDescriptorNote(&server->listening, descriptorOf(server, MHD_DAEMON_INFO_LISTEN_FD)) &&
           epoll_ctl(server->watching, EPOLL_CTL_ADD, server->mark, &none) == 0;
}

static bool nameIt(ksiServer *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (!info || !drawSecret(server->secret))
        return false;
    snprintf(server->host[0], sizeof server->host[0], "127.0.0.1:%u", info->port);
    snprintf(server->host[1], sizeof server->host[1], "localhost:%u", info->port);
    snprintf(server->address, sizeof server->address, "http://%s/%s/", server->host[0], server->secret);
    return true;
}

ksStatus ksiServerCreate(ksiAnswerFn *answer, void *user, bool isWhole, ksiServer **server)
{
    const struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    ksiServer *made = calloc(1, sizeof *made);
    if (!made)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    made->answer = answer;
    made->user = user;
    made->isWhole = isWhole;
    made->owner = getpid();
    made->mark = -1;
    made->daemon =
        MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, receive, made, MHD_OPTION_SOCK_ADDR, &own,
                         MHD_OPTION_CONNECTION_LIMIT, (unsigned)KSI_MOST_GUESTS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         (size_t)MOST_HEADERS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE,
                         MHD_OPTION_NOTIFY_CONNECTION, noteConnection, made, MHD_OPTION_END);
    if (made->daemon && noteOwn(made) && nameIt(made)) {
        *server = made;
        return KS_OK;
    }
    const int error = errno;
    if (made->daemon)
        MHD_stop_daemon(made->daemon);
    if (made->mark >= 0)
        close(made->mark);
    free(made);
    return KSI_FAIL(KS_ERROR_UNAVAILABLE, "no page on 127.0.0.1: %s", strerror(error));
}

void ksiServerDestroy(ksiServer *server)
{
    // MHD frees memory only together with descriptors, so a lost server keeps its memory
    static _Atomic(ksiServer *) lost;
    if (!server)
        return;
    if (!hasOwn(server)) {
        server->next = atomic_exchange(&lost, server);
        return;
    }
    MHD_stop_daemon(server->daemon);
    close(server->mark);
    free(server);
}

bool ksiServerIsLost(const ksiServer *server)
{
    return server->isLost;
}

const char *ksiServerAddress(const ksiServer *server)
{
    return server->address;
}

bool ksiServerIsSeen(const ksiServer *server)
{
    return server->isSeen;
}

void ksiServerRun(ksiServer *server, int milliseconds)
{
    static const double most = 0.002;  // s
    const double now = ksiWallTime();
    if (server->isLost || (milliseconds == 0 && now < server->due))
        return;
    server->isLost = !hasOwn(server);
    if (server->isLost)
        return;
    (void)MHD_run_wait(server->daemon, milliseconds);
    // answers further pending requests, for so short a time that a host does not notice
    MHD_UNSIGNED_LONG_LONG wait = 0;
    while (MHD_get_timeout(server->daemon, &wait) == MHD_YES && wait == 0 && ksiWallTime() - now < most)
        (void)MHD_run_wait(server->daemon, 0);
    const double end = ksiWallTime();
    ksiGuestsSendAway(&server->guests, end - greeting);
    server->due = end + (milliseconds == 0 && end - now > interval ? others * (end - now) : interval);
}

bool ksiServerMayStep(ksiServer *server, double time)
{
    const double now = ksiWallTime();
    if (now - server->asked > absence)
        server->pace = (ksiPace){.factor = 0};
    return ksiPaceAllows(&server->pace, time, now);
}

void ksiServerFinish(ksiServer *server, double patience, bool (*isLeft)(void))
{
    enum { WAIT = 50 };  // ms
    const double begun = ksiWallTime();
    bool isDone = false;
    server->isOver = true;
    while (!isDone && !(isLeft && isLeft())) {
        ksiServerRun(server, WAIT);
        const double now = ksiWallTime(), quiet = now - server->asked;
        isDone = server->isLost   ? true
                 : server->isSeen ? quiet > (server->hasAll ? farewell : absence)
                                  : now - begun > patience;
    }
}

#else

ksStatus ksiServerCreate(ksiAnswerFn *answer, void *user, bool isWhole, ksiServer **server)
{
    (void)answer, (void)user, (void)isWhole, (void)server;
    return KSI_FAIL(KS_ERROR_UNAVAILABLE, "this library was built without libmicrohttpd, or without three.js");
}

void ksiServerDestroy(ksiServer *server)
{
    (void)server;
}

bool ksiServerIsLost(const ksiServer *server)
{
    (void)server;
    return false;
}

const char *ksiServerAddress(const ksiServer *server)
{
    (void)server;
    return "";
}

bool ksiServerIsSeen(const ksiServer *server)
{
    (void)server;
    return false;
}

void ksiServerRun(ksiServer *server, int milliseconds)
{
    (void)server, (void)milliseconds;
}

bool ksiServerMayStep(ksiServer *server, double time)
{
    (void)server, (void)time;
    return true;
}

void ksiServerFinish(ksiServer *server, double patience, bool (*isLeft)(void))
{
    (void)server, (void)patience, (void)isLeft;
}

#endif

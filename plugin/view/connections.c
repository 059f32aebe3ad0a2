/* connections.c  Connections to a page. The number and the duration of connections without the
 * secret are limited. */
#include "connections.h"

#ifdef KS_HAVE_VIEW

#include "../base/clock.h"

#include <math.h>
#include <sys/socket.h>

enum { MOST_STRANGERS = 16 };

/* MHD notices the closed connection at its next check. */
static void sendAway(ksiGuestPlace *place)
{
    (void)shutdown(place->line.number, SHUT_RDWR);
    place->guest = KSI_SENT_AWAY;
}

void ksiGuestsSendAway(ksiGuests *guests, double begun)
{
    ksiGuestPlace *oldest = NULL;
    int count = 0;
    for (ksiGuestPlace *place = guests->place; place < guests->place + KSI_MOST_GUESTS; place++) {
        if (place->guest == KSI_STRANGER && place->since < begun)
            sendAway(place);
        if (place->guest != KSI_STRANGER)
            continue;
        count++;
        oldest = oldest && oldest->since <= place->since ? oldest : place;
    }
    if (count > MOST_STRANGERS)
        sendAway(oldest);
}

static ksiGuestPlace *findFree(ksiGuests *guests)
{
    for (int i = 0; i < KSI_MOST_GUESTS; i++)
        if (guests->place[i].guest == KSI_NOBODY)
            return &guests->place[i];
    return NULL;
}

static int count(const ksiGuests *guests, ksiGuest guest)
{
    int found = 0;
    for (int i = 0; i < KSI_MOST_GUESTS; i++)
        found += guests->place[i].guest == guest;
    return found;
}

bool ksiGuestsHaveLines(const ksiGuests *guests)
{
    bool have = true;
    for (int i = 0; i < KSI_MOST_GUESTS && have; i++)
        have = guests->place[i].guest == KSI_NOBODY || ksiDescriptorIsOwn(&guests->place[i].line);
    return have;
}

bool ksiGuestsNote(ksiGuests *guests, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code)
{
    const bool isNew = code == MHD_CONNECTION_NOTIFY_STARTED;
    // MHD accepts no more connections than there are places
    ksiGuestPlace *place = isNew ? findFree(guests) : *context;
    if (!place)
        return false;
    if (isNew) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *place = (ksiGuestPlace){KSI_STRANGER, {.number = -1}, ksiWallTime()};
        (void)(info && ksiDescriptorNote(&place->line, info->connect_fd));
        *context = place;
        ksiGuestsSendAway(guests, -INFINITY);
        return false;
    }
    const bool isLast = place->guest == KSI_LOOKING_ON && count(guests, KSI_LOOKING_ON) == 1;
    place->guest = KSI_NOBODY;
    return isLast;
}

void ksiGuestWelcome(struct MHD_Connection *connection, ksiGuest guest, double silence)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    ksiGuestPlace *place = info ? info->socket_context : NULL;
    if (!place || place->guest == KSI_LOOKING_ON)
        return;
    place->guest = guest;
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)silence);
}

#endif

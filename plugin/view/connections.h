/* connections.h  Connections to a page. */
#ifndef KSI_VIEW_CONNECTIONS_H
#define KSI_VIEW_CONNECTIONS_H

/* A stranger has not given the secret. */
typedef enum ksiGuest { KSI_NOBODY, KSI_STRANGER, KSI_OWNER, KSI_LOOKING_ON, KSI_SENT_AWAY } ksiGuest;

enum { KSI_MOST_GUESTS = 32 };

#ifdef KS_HAVE_VIEW

#include "descriptor.h"

#include <microhttpd.h>

/* A connection, its guest, and its start. */
typedef struct ksiGuestPlace {
    ksiGuest guest;
    ksiDescriptor line;
    double since; /* s, of the clock */
} ksiGuestPlace;

typedef struct ksiGuests {
    ksiGuestPlace place[KSI_MOST_GUESTS];
} ksiGuests;

/* Notes the start or end of a connection. true: no viewer is left. */
bool ksiGuestsNote(ksiGuests *guests, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code);

/* false: the host has closed the descriptor of a connection. */
bool ksiGuestsHaveLines(const ksiGuests *guests);

/* Notes that the connection gave the secret. It may be silent for `silence` seconds. */
void ksiGuestWelcome(struct MHD_Connection *connection, ksiGuest guest, double silence);

/* Closes strangers' connections that began before `begun`. If there are still too many, closes the
 * oldest one. */
void ksiGuestsSendAway(ksiGuests *guests, double begun);

#endif
#endif

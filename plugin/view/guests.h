/* guests.h  Connections to a page. */
#ifndef KSI_VIEW_GUESTS_H
#define KSI_VIEW_GUESTS_H

/* A stranger has not told the secret. */
typedef enum ksiGuest { KSI_NOBODY, KSI_STRANGER, KSI_OWNER, KSI_LOOKING_ON, KSI_SENT_AWAY } ksiGuest;

enum { KSI_MOST_GUESTS = 32 };

#ifdef KS_HAVE_VIEW

#include "descriptor.h"

#include <microhttpd.h>

/* A connection: whose it is, and since when. */
typedef struct ksiGuestPlace {
    ksiGuest guest;
    ksiDescriptor line;
    double since; /* s, of the clock */
} ksiGuestPlace;

typedef struct ksiGuests {
    ksiGuestPlace place[KSI_MOST_GUESTS];
} ksiGuests;

/* A connection begins or ends. true: nobody looks on any longer. */
bool ksiGuestsNote(ksiGuests *guests, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode code);

/* false: the host has closed one of their descriptors. */
bool ksiGuestsHaveLines(const ksiGuests *guests);

/* It has told the secret, and may be silent for so many seconds. */
void ksiGuestWelcome(struct MHD_Connection *connection, ksiGuest guest, double silence);

/* Strangers that came before this time; where they are more than their share, the one that has been longest. */
void ksiGuestsSendAway(ksiGuests *guests, double begun);

#endif
#endif

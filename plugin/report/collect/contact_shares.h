/* contact_shares.h  Shares of steps in which bodies are in contact. */
#ifndef KSI_REPORT_COLLECT_CONTACT_SHARES_H
#define KSI_REPORT_COLLECT_CONTACT_SHARES_H

#include "../files/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct ksiWorldView;

/* The contacts of a body. */
typedef struct ksiBodyContact {
    uint64_t steps; /* steps with a contact */
    uint64_t next;  /* the step after the last one with a contact */
} ksiBodyContact;

/* Bodies by number; numbers above KSI_MOST_NUMBER are omitted. */
typedef struct ksiContactShares {
    ksiBodyContact *body; /* [count] */
    size_t count, capacity;
} ksiContactShares;

/* Notes that the body has a contact in this step. false: out of memory. */
bool ksiContactSharesAdd(const ksAllocator *allocator, ksiContactShares *shares, int body, uint64_t step);
bool ksiContactSharesMerge(const ksAllocator *allocator, ksiContactShares *into, const ksiContactShares *from);
void ksiStreamContactShares(ksiStream *s, ksiContactShares *shares);

/* Calls `each`, in order of numbers, with each body that has a joint and sometimes a contact, such
 * as a foot. false: out of memory. */
bool ksiEachContactShare(const struct ksiWorldView *world, const ksAllocator *allocator,
                         void (*each)(int body, uint64_t steps, void *user), void *user);

/* "body 5 in 71 % of the steps, body 9 in 68 %", the smallest share first; nothing if no body
 * qualifies. */
void ksiWriteContactShares(const struct ksiWorldView *world, ksiText *out);

/* " Without contact: ... A standing foot hops in these. ...", with the remedy; false: each body of
 * ksiEachContactShare has a contact in each step. */
bool ksiWriteHops(const struct ksiWorldView *world, ksiText *out);

#endif

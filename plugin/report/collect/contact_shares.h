/* contact_shares.h  Shares of steps in which bodies are in contact. */
#ifndef KSI_REPORT_COLLECT_CONTACT_SHARES_H
#define KSI_REPORT_COLLECT_CONTACT_SHARES_H

#include "../files/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct ksiWorldView;

/* The contacts of a body. */
typedef struct ksiBodyContact {
    uint64_t steps; /* with a contact */
    uint64_t next;  /* the step after the last of these */
} ksiBodyContact;

/* By the number of a body; bodies with numbers above KSI_MOST_NUMBER are left out. */
typedef struct ksiContactShares {
    ksiBodyContact *body; /* [count] */
    size_t count, capacity;
} ksiContactShares;

/* The body has a contact in this step. false: out of memory. */
bool ksiContactSharesAdd(const ksAllocator *allocator, ksiContactShares *shares, int body, uint64_t step);
bool ksiContactSharesMerge(const ksAllocator *allocator, ksiContactShares *into, const ksiContactShares *from);
void ksiStreamContactShares(ksiStream *s, ksiContactShares *shares);

/* Calls `each`, by number, with each body that has a joint and some contact; feet are among them.
 * false: out of memory. */
bool ksiEachContactShare(const struct ksiWorldView *world, const ksAllocator *allocator,
                         void (*each)(int body, uint64_t steps, void *user), void *user);

/* "body 5 in 71 % of the steps, body 9 in 68 %", the least share first; nothing if there are no
 * such bodies. */
void ksiWriteContactShares(const struct ksiWorldView *world, ksiText *out);

/* " Without contact: ... A standing foot hops in these. ...", with the cure; false: all have contact in each step. */
bool ksiWriteHops(const struct ksiWorldView *world, ksiText *out);

#endif

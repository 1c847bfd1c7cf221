/* What the two forms of a challenge's result say in the same words. */
#ifndef SW_CHALLENGE_TELL_H
#define SW_CHALLENGE_TELL_H

#include "challenge/challenge.h"

/* The word that a challenge is known by, static, and appends the sentence beside it. */
const char *sw_challenge_headline(struct sw_buffer *sentence, const struct sw_challenge *challenge);
/* Appends what hides a survivor, as it was declared: "--ignore note"; false if nothing does. */
bool sw_survivor_write_hiding(struct sw_buffer *out, const struct sw_survivor *survivor);
/* The schema's table of a key. */
const struct sw_table *sw_survivor_table(const struct sw_challenge *challenge, const struct sw_sample_key *key);

#endif

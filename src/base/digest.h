/* SHA-256 of a stream of bytes, by OpenSSL. What a digest is for: an input or a piece of evidence is named by it. */
#ifndef SW_BASE_DIGEST_H
#define SW_BASE_DIGEST_H

#include "base/buffer.h"
#include "base/error.h"

#define SW_DIGEST_HEX_SIZE 65 /* 64 hex digits and a NUL */

/* One running digest. One thread at a time. */
struct sw_digest;

/* SW_ERR_MEMORY, or SW_ERR_UNSUPPORTED where OpenSSL is configured without SHA-256. Owner: sw_digest_close. */
enum sw_code sw_digest_open(struct sw_digest **out, struct sw_error *error);
/* False if OpenSSL refuses; sw_digest_finish then fails too, so that only it need be checked. */
bool sw_digest_add(struct sw_digest *digest, const void *at, size_t len);
/* Lower-case hex and a NUL. The digest then starts again with no bytes. On failure `hex` is "". */
enum sw_code sw_digest_finish(char hex[SW_DIGEST_HEX_SIZE], struct sw_digest *digest, struct sw_error *error);
/* Accepts NULL. */
void sw_digest_close(struct sw_digest **digest);

#endif

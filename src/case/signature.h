/* Signatures over the beginning of a ledger, with an ed25519 key.
 *
 * A signature is over the bytes of the first N lines, line feeds included, and stands in signatures/NNNN.sig: 64 bytes. OpenSSL's own
 * program checks it (docs/handover.md), so that nobody has to trust this one. */
#ifndef SW_CASE_SIGNATURE_H
#define SW_CASE_SIGNATURE_H

#include "base/buffer.h"
#include "base/error.h"

#define SW_SIGNATURE_BYTES 64

/* Signs. SW_ERR_USAGE: the file holds no ed25519 private key in PEM, or one with a passphrase. SW_ERR_IO, SW_ERR_MEMORY. */
enum sw_code sw_signature_make(uint8_t out[SW_SIGNATURE_BYTES], const char *key_file, struct sw_bytes text, struct sw_error *error);
/* *good: the signature is over these bytes, by the holder of that key. SW_ERR_USAGE: no ed25519 public key in PEM. */
enum sw_code sw_signature_check(bool *good, const char *key_file, struct sw_bytes signature, struct sw_bytes text, struct sw_error *error);

#endif

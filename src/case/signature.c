#include "case/signature.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include "case/folder.h"

#define KEY_BYTES_MAX 16384u

/* Nobody is asked for a passphrase in the middle of a handover. */
static int no_passphrase(char *room, int size, int writing, void *ctx)
{
    (void)room, (void)size, (void)writing, (void)ctx;
    return -1;
}

static enum sw_code read_key(EVP_PKEY **out, const char *key_file, bool private, struct sw_error *error)
{
    struct sw_buffer text = {0};
    *out = NULL;
    enum sw_code code = sw_case_read_file(&text, key_file, KEY_BYTES_MAX, error);
    if (code == SW_OK) {
        BIO *bio = BIO_new_mem_buf(text.at ? (const void *)text.at : "", (int)text.len);
        if (bio)
            *out = private ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : PEM_read_bio_PUBKEY(bio, NULL, no_passphrase, NULL);
        BIO_free(bio);
        if (!*out || EVP_PKEY_get_base_id(*out) != EVP_PKEY_ED25519) {
            EVP_PKEY_free(*out);
            *out = NULL;
            code = sw_fail(error, SW_ERR_USAGE, "%.400s: expected an ed25519 %s key in PEM, without a passphrase; `openssl genpkey -algorithm ed25519` makes one", key_file, private ? "private" : "public");
        }
    }
    if (text.len) /* the key does not stay in memory that is given back */
        explicit_bzero(text.at, text.len);
    sw_buffer_free(&text);
    return code;
}

enum sw_code sw_signature_make(uint8_t out[SW_SIGNATURE_BYTES], const char *key_file, struct sw_bytes text, struct sw_error *error)
{
    EVP_PKEY *key;
    size_t len = SW_SIGNATURE_BYTES;
    enum sw_code code = read_key(&key, key_file, true, error);
    if (code < 0)
        return code;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || EVP_DigestSignInit(context, NULL, NULL, NULL, key) != 1 || EVP_DigestSign(context, out, &len, text.at, text.len) != 1 || len != SW_SIGNATURE_BYTES)
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "the OpenSSL library of this machine did not sign with ed25519");
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return code;
}

enum sw_code sw_signature_check(bool *good, const char *key_file, struct sw_bytes signature, struct sw_bytes text, struct sw_error *error)
{
    EVP_PKEY *key;
    *good = false;
    enum sw_code code = read_key(&key, key_file, false, error);
    if (code < 0)
        return code;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) != 1)
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "the OpenSSL library of this machine does not check ed25519");
    else
        *good = signature.len == SW_SIGNATURE_BYTES && EVP_DigestVerify(context, signature.at, signature.len, text.at, text.len) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return code;
}

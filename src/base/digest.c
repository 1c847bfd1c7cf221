#include "base/digest.h"

#include <openssl/evp.h>

#include "base/memory.h"

struct sw_digest {
    EVP_MD *method; /* fetched once: EVP_sha256() would be looked up again by each init */
    EVP_MD_CTX *context;
    bool failed;
};

enum sw_code sw_digest_open(struct sw_digest **out, struct sw_error *error)
{
    *out = NULL;
    struct sw_digest *digest = sw_calloc(1, sizeof *digest);
    if (!digest)
        return sw_fail_memory(error, "a digest", sizeof *digest);
    digest->method = EVP_MD_fetch(NULL, "SHA256", NULL);
    digest->context = EVP_MD_CTX_new();
    if (!digest->method || !digest->context || EVP_DigestInit_ex2(digest->context, digest->method, NULL) != 1) {
        sw_digest_close(&digest);
        return sw_fail(error, SW_ERR_UNSUPPORTED, "SHA-256: the OpenSSL library of this machine does not offer it; use --digest none");
    }
    *out = digest;
    return SW_OK;
}

bool sw_digest_add(struct sw_digest *digest, const void *at, size_t len)
{
    if (!digest->failed && len && EVP_DigestUpdate(digest->context, at, len) != 1)
        digest->failed = true;
    return !digest->failed;
}

enum sw_code sw_digest_finish(char hex[SW_DIGEST_HEX_SIZE], struct sw_digest *digest, struct sw_error *error)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned len = 0;
    hex[0] = '\0';
    if (digest->failed || EVP_DigestFinal_ex(digest->context, bytes, &len) != 1 || len != 32
        || EVP_DigestInit_ex2(digest->context, digest->method, NULL) != 1)
        return sw_fail(error, SW_ERR_INTERNAL, "SHA-256: OpenSSL gave up in the middle");
    for (unsigned i = 0; i < len; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[2 * len] = '\0';
    return SW_OK;
}

void sw_digest_close(struct sw_digest **digest)
{
    if (!*digest)
        return;
    EVP_MD_CTX_free((*digest)->context);
    EVP_MD_free((*digest)->method);
    sw_free(*digest);
    *digest = NULL;
}

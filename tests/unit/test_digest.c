#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/digest.h"

static void the_digests_of_fips_180_are_met_however_the_bytes_are_cut(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    struct sw_error error = {0};
    struct sw_digest *digest;
    assert_int_equal(sw_digest_open(&digest, &error), SW_OK);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t cut = 1; cut <= 60; cut++) {
            char hex[SW_DIGEST_HEX_SIZE];
            size_t len = strlen(known[i].text);
            for (size_t at = 0; at < len; at += cut)
                assert_true(sw_digest_add(digest, known[i].text + at, cut < len - at ? cut : len - at));
            assert_int_equal(sw_digest_finish(hex, digest, &error), SW_OK);
            assert_string_equal(hex, known[i].hex);
        }
    sw_digest_close(&digest);
    assert_null(digest);
    sw_digest_close(&digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digests_of_fips_180_are_met_however_the_bytes_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

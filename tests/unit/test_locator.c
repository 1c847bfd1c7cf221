#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "client/locator.h"
#include "client/rows.h"

static void expect(struct sw_locator *out, const char *text)
{
    struct sw_error error = {0};
    if (sw_locator_parse(out, text, &error) != SW_OK)
        fail_msg("%s: %s", text, error.text);
}

static void a_postgres_locator_is_given_to_libpq_without_its_table(void **state)
{
    struct sw_locator locator;
    (void)state;
    expect(&locator, "postgresql://u%40x:p%23ss@db.example:5433/shop?sslmode=require&application_name=a#pub%2Elic.orders");
    assert_int_equal(locator.system, SW_SYSTEM_POSTGRES);
    assert_string_equal(locator.user, "u@x");
    assert_string_equal(locator.password, "p#ss");
    assert_string_equal(locator.host, "db.example:5433");
    assert_string_equal(locator.database, "shop");
    assert_string_equal(locator.schema, "pub.lic");
    assert_string_equal(locator.table, "orders");
    assert_string_equal(sw_locator_parameter(&locator, "sslmode"), "require");
    assert_null(sw_locator_parameter(&locator, "sslroot"));
    assert_string_equal(locator.connection, "postgresql://u%40x:p%23ss@db.example:5433/shop?sslmode=require&application_name=a");
    assert_string_equal(locator.shown, "postgresql://u%40x:***@db.example:5433/shop?sslmode=require&application_name=a#pub%2Elic.orders");
    sw_locator_free(&locator);
}

static void the_text_that_libpq_reads_is_a_locator_too(void **state)
{
    struct sw_locator locator;
    (void)state;
    expect(&locator, "host=db dbname = 'my shop' user=u password='it\\'s' sslpassword=x\\ y#orders");
    assert_string_equal(locator.database, "my shop");
    assert_string_equal(locator.table, "orders");
    assert_null(locator.schema);
    assert_string_equal(locator.scheme, "conninfo");
    sw_locator_free(&locator);
    expect(&locator, "service=shop password='a#b' user=u");
    assert_null(locator.table);
    assert_string_equal(locator.password, "a#b");
    assert_string_equal(locator.shown, "service=shop password=*** user=u");
    sw_locator_free(&locator);
}

static void a_mariadb_locator_has_one_host_a_port_and_its_table(void **state)
{
    struct sw_locator locator;
    (void)state;
    expect(&locator, "mariadb://u:p@[::1]:3307/shop?ssl-ca=%2Fetc%2Fca.pem#other.orders");
    assert_int_equal(locator.system, SW_SYSTEM_MARIADB);
    assert_string_equal(locator.host, "::1");
    assert_int_equal(locator.port, 3307);
    assert_string_equal(locator.schema, "other");
    assert_string_equal(sw_locator_parameter(&locator, "ssl-ca"), "/etc/ca.pem");
    assert_string_equal(locator.shown, "mariadb://u:***@[::1]:3307/shop?ssl-ca=%2Fetc%2Fca.pem#other.orders");
    sw_locator_free(&locator);
    expect(&locator, "mysql:///shop?socket=/run/m.sock#orders");
    assert_null(locator.host);
    assert_null(locator.user);
    assert_int_equal(locator.port, 0);
    assert_string_equal(locator.database, "shop");
    sw_locator_free(&locator);
}

static void a_kafka_locator_has_brokers_and_a_topic(void **state)
{
    struct sw_locator locator;
    (void)state;
    expect(&locator, "kafka://u:s3cret@a:9092,b:9092/shop.orders?security.protocol=SASL_SSL&ssl.key.password=k3y");
    assert_int_equal(locator.system, SW_SYSTEM_KAFKA);
    assert_string_equal(locator.host, "a:9092,b:9092");
    assert_string_equal(locator.topic, "shop.orders");
    assert_string_equal(locator.shown, "kafka://u:***@a:9092,b:9092/shop.orders?security.protocol=SASL_SSL&ssl.key.password=***");
    sw_locator_free(&locator);
    expect(&locator, "sqlite:/tmp/a#b.db#orders");
    assert_string_equal(locator.database, "/tmp/a#b.db");
    assert_string_equal(locator.table, "orders");
    sw_locator_free(&locator);
}

static void what_is_no_locator_is_told_apart_from_a_path(void **state)
{
    (void)state;
    assert_true(sw_locator_is_remote("postgres://x"));
    assert_true(sw_locator_is_remote("MySQL://x"));
    assert_true(sw_locator_is_remote("service=shop"));
    assert_true(sw_locator_is_remote("host = db"));
    assert_true(sw_locator_is_remote("sqlite:a.db#t"));
    assert_false(sw_locator_is_remote("events.ndjson"));
    assert_false(sw_locator_is_remote("postgres/events.ndjson"));
    assert_false(sw_locator_is_remote("hosts=1.csv"));
    assert_false(sw_locator_is_remote("s3://bucket/x"));
    assert_false(sw_locator_is_remote(""));
}

static void what_cannot_be_read_is_refused_without_repeating_it(void **state)
{
    static const char *const wrong[] = {
        "postgresql://u:s3cret@h/db#a.b.c", "postgresql://u:s3cret#x@h/db", "postgresql://u:s3/cret@h/db", "postgresql://u:s3@cret@h/db", "postgresql://u:s3cret%@h/db",
        "postgresql://u:s3cret%0@h/db", "postgresql://u:s3cret%00@h/db", "postgresql://u:s3 cret@h/db", "postgresql://u:s3cret\n@h/db", "postgresql://h/db?password", "postgresql://h/db?=s3cret",
        "postgresql://h/a/b", "postgresql://h/db#", "postgresql://h/db#.t", "postgresql://h/db#s.", "mysql://h:0/db", "mysql://h:65536/db", "mysql://h:99999999999999/db", "mysql://h:s3cret/db", "mysql://[::1/db",
        "mysql://[::1]3306/db", "mysql://a,b/db", "kafka:///topic", "kafka://b/to/pic", "kafka://b/to%20pic", "kafka://b/..", "host=h password='s3cret", "host=h s3cret", "host=h =s3cret", "sqlite:", "sqlite:#t",
        "events.ndjson",
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sw_locator locator;
        struct sw_error error = {0};
        if (sw_locator_parse(&locator, wrong[i], &error) != SW_ERR_USAGE)
            fail_msg("accepted: %s", wrong[i]);
        if (strstr(error.text, "s3") || strstr(error.text, "cret") || !*error.text)
            fail_msg("%s: tells the secret, or nothing: %s", wrong[i], error.text);
        assert_null(locator.shown);
    }
}

static void secrets_are_taken_out_of_what_a_library_says(void **state)
{
    struct sw_locator locator;
    struct sw_buffer text = {0};
    (void)state;
    expect(&locator, "postgresql://u:p%2Fw@h/db?sslpassword=zz9");
    sw_locator_redact(&text, &locator, "bad p/w and p%2Fw and p%2fw, zz9\nagain p/\n");
    assert_string_equal(sw_buffer_text(&text), "bad *** and *** and ***, *** again p/");
    sw_buffer_free(&text);
    sw_locator_free(&locator);
}

static void every_beginning_of_a_locator_is_read_or_refused(void **state)
{
    static const char *const whole[] = {"postgresql://u%40:p%23@h:1,i:2/db%2F?a=b&password=c%20#s.t%2E", "host=a password='b\\'c' user=d\\ e#f", "mysql://u:p@[::1]:3306/d?ssl-ca=x#a.b", "kafka://u:p@b:1/t?x=y"};
    (void)state;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        for (size_t len = 0; len <= strlen(whole[i]); len++) {
            struct sw_locator locator;
            char text[128];
            memcpy(text, whole[i], len);
            text[len] = '\0';
            if (sw_locator_parse(&locator, text, NULL) == SW_OK) {
                assert_non_null(locator.shown);
                sw_locator_free(&locator);
            }
        }
}

static void near_names_come_nearest_first(void **state)
{
    const struct sw_bytes names[] = {SW_BYTES_LITERAL("public.customers"), SW_BYTES_LITERAL("public.orders_old"), SW_BYTES_LITERAL("public.orders"), SW_BYTES_LITERAL("archive.order"), SW_BYTES_LITERAL("public.x")};
    struct sw_buffer text = {0};
    (void)state;
    sw_near_names(&text, "public.order", names, 5);
    assert_string_equal(sw_buffer_text(&text), "public.orders, archive.order");
    sw_buffer_clear(&text);
    sw_near_names(&text, "unheard", names, 5);
    assert_int_equal(text.len, 0);
    sw_buffer_free(&text);
}

static void an_answer_tells_null_from_the_empty_text(void **state)
{
    struct sw_rows rows = {0};
    (void)state;
    sw_rows_name(&rows, SW_BYTES_LITERAL("a"));
    sw_rows_name(&rows, SW_BYTES_LITERAL("b"));
    for (int i = 0; i < 100; i++) {
        sw_rows_cell(&rows, (struct sw_bytes){0});
        sw_rows_cell(&rows, SW_BYTES_LITERAL(""));
    }
    assert_int_equal(sw_rows_end(&rows, NULL), SW_OK);
    assert_int_equal(rows.table.row_count, 100);
    assert_null(sw_rows_first(&rows, "a").at);
    assert_non_null(sw_rows_first(&rows, "b").at);
    assert_null(sw_rows_first(&rows, "c").at);
    sw_rows_free(&rows);
    assert_int_equal(sw_rows_end(&rows, NULL), SW_OK);
    assert_int_equal(rows.table.row_count, 0);
    sw_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_postgres_locator_is_given_to_libpq_without_its_table),
        cmocka_unit_test(the_text_that_libpq_reads_is_a_locator_too),
        cmocka_unit_test(a_mariadb_locator_has_one_host_a_port_and_its_table),
        cmocka_unit_test(a_kafka_locator_has_brokers_and_a_topic),
        cmocka_unit_test(what_is_no_locator_is_told_apart_from_a_path),
        cmocka_unit_test(what_cannot_be_read_is_refused_without_repeating_it),
        cmocka_unit_test(secrets_are_taken_out_of_what_a_library_says),
        cmocka_unit_test(every_beginning_of_a_locator_is_read_or_refused),
        cmocka_unit_test(near_names_come_nearest_first),
        cmocka_unit_test(an_answer_tells_null_from_the_empty_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

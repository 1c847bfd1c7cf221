/* How long set algebra of GTIDs takes: two sets of COUNT intervals each (100,000 by default), parsed, united, subtracted,
 * intersected, compared and printed. Prints the best of several runs in milliseconds, and checks each result by its count.
 *
 *     build/bench/bench_gtid [COUNT] [UUIDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slackwater/position.h"

enum { RUNS = 10 };

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_gtid: %s\n", what);
    exit(1);
}

/* `count` intervals of three numbers, ten apart, dealt to `uuids` sources; `shift` moves them. */
static char *make_text(size_t count, size_t uuids, size_t shift)
{
    size_t room = count * 44 + uuids * 48 + 64, len = 0, per = (count + uuids - 1) / uuids;
    char *text = malloc(room);
    if (!text)
        fail("out of memory");
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (i % per == 0)
            len += (size_t)snprintf(text + len, room - len, "%s3a1f0000-0000-0000-0000-%012zx", i ? "," : "", i / per);
        len += (size_t)snprintf(text + len, room - len, ":%zu-%zu", i % per * 10 + 1 + shift, i % per * 10 + 3 + shift);
    }
    return text;
}

struct timing {
    double best;
};

static void keep(struct timing *timing, double begin)
{
    double took = now_ms() - begin;
    if (timing->best == 0 || took < timing->best)
        timing->best = took;
}

static void expect(enum sw_code code, struct sw_position *set, uint64_t count, const char *what)
{
    if (code != SW_OK || sw_position_count(set) != count)
        fail(what);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000, uuids = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (!count || !uuids || uuids > count)
        fail("expected a number of intervals, and not more UUIDs than that");
    char *left = make_text(count, uuids, 0), *right = make_text(count, uuids, 2), *text = NULL;
    struct timing parse = {0}, unite = {0}, subtract = {0}, intersect = {0}, compare = {0}, print = {0};
    for (int run = 0; run < RUNS; run++) {
        struct sw_position *a = NULL, *b = NULL, *made = NULL;
        double begin = now_ms();
        if (sw_position_parse(&a, "mysql-gtid", left, strlen(left), NULL) != SW_OK)
            fail("the first set was not read");
        keep(&parse, begin);
        if (sw_position_parse(&b, "mysql-gtid", right, strlen(right), NULL) != SW_OK)
            fail("the second set was not read");
        begin = now_ms();
        enum sw_code code = sw_position_unite(&made, a, b, NULL);
        keep(&unite, begin);
        expect(code, made, count * 5, "the union is wrong"); /* 1-3 and 3-5 */
        sw_position_free(&made);
        begin = now_ms();
        code = sw_position_subtract(&made, a, b, NULL);
        keep(&subtract, begin);
        expect(code, made, count * 2, "the difference is wrong");
        sw_position_free(&made);
        begin = now_ms();
        code = sw_position_intersect(&made, a, b, NULL);
        keep(&intersect, begin);
        expect(code, made, count, "the intersection is wrong");
        sw_position_free(&made);
        begin = now_ms();
        if (sw_position_compare(NULL, a, b, NULL) != SW_POSITION_INCOMPARABLE)
            fail("the comparison is wrong");
        keep(&compare, begin);
        begin = now_ms();
        if (sw_position_print(&text, NULL, a, NULL) != SW_OK || strcmp(text, left) != 0)
            fail("the text is wrong");
        keep(&print, begin);
        sw_position_text_free(&text);
        sw_position_free(&a);
        sw_position_free(&b);
    }
    printf("sets of %zu intervals, %zu UUIDs, best of %d runs:\n", count, uuids, RUNS);
    printf("  parse      %8.3f ms (%.1f MB)\n", parse.best, (double)strlen(left) / 1e6);
    printf("  union      %8.3f ms\n  difference %8.3f ms\n  intersect  %8.3f ms\n  compare    %8.3f ms\n  print      %8.3f ms\n", unite.best, subtract.best, intersect.best, compare.best, print.best);
    free(left);
    free(right);
    return 0;
}

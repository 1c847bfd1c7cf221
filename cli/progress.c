#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "failure.h"
#include "slackwater/output.h"

/* Signals come to any thread, two of them to two threads at once: lock-free atomics are what a handler may share with them. */
static atomic_int interrupted; /* the first signal that came; 0: none */
static atomic_int ending, told_in_json, bar_drawn;

/* As if nobody had caught it: a shell then ends the loop around the program, too, and tells 130. Calls only what a signal handler may. */
static void die_by_interrupt(void)
{
    sigset_t set;
    signal(SIGINT, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    raise(SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Calls only what a signal handler may. */
_Noreturn static void end_now(void)
{
    static const char text[] = "slackwater: interrupted: nothing is claimed\n", clear[] = "\r\033[K",
                      object[] = "{\"error\":{\"code\":\"cancelled\",\"text\":\"interrupted: nothing is claimed\"}}\n";
    while (atomic_exchange(&ending, 1))
        pause(); /* another thread is at it: once is enough */
    sw_output_file_abort_all();
    if (bar_drawn)
        (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
    if (told_in_json)
        (void)!write(STDOUT_FILENO, object, sizeof object - 1);
    else
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    if (interrupted == SIGINT)
        die_by_interrupt();
    _exit(EXIT_ENVIRONMENT);
}

static void interrupt(int signal_number)
{
    int none = 0;
    if (signal_number == SIGALRM || !atomic_compare_exchange_strong(&interrupted, &none, signal_number))
        end_now();
    alarm(2);
}

int signals_end(int status)
{
    if (status == EXIT_ENVIRONMENT && interrupted == SIGINT)
        die_by_interrupt();
    return status;
}

void signals_catch(bool json, enum progress_form form)
{
    struct sigaction action = {.sa_handler = interrupt};
    told_in_json = json;
    bar_drawn = form == PROGRESS_BAR;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
}

void signals_release(void)
{
    alarm(0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}

enum progress_form progress_form_of(const char *name)
{
    bool terminal = isatty(STDERR_FILENO);
    if (!name)
        return terminal ? PROGRESS_BAR : PROGRESS_NONE;
    if (strcmp(name, "bar") == 0)
        return terminal ? PROGRESS_BAR : PROGRESS_PLAIN;
    return strcmp(name, "plain") == 0 ? PROGRESS_PLAIN : strcmp(name, "json") == 0 ? PROGRESS_JSON : PROGRESS_NONE;
}

/* "1.2 GB", in powers of 1000. */
static const char *size_text(char *out, size_t room, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double size = (double)bytes;
    size_t unit = 0;
    for (; size >= 999.5 && unit < 6; unit++)
        size /= 1000;
    snprintf(out, room, size < 10 && unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
    return out;
}

/* "950", "81 k", "1.3 M". */
static const char *count_text(char *out, size_t room, double count)
{
    if (count < 1000)
        snprintf(out, room, "%.0f", count);
    else if (count < 999500)
        snprintf(out, room, "%.0f k", count / 1000);
    else
        snprintf(out, room, "%.1f M", count / 1000000);
    return out;
}

static const char *time_text(char *out, size_t room, double seconds)
{
    uint64_t whole = (uint64_t)(seconds + 0.5);
    if (whole < 3600)
        snprintf(out, room, "%" PRIu64 ":%02" PRIu64, whole / 60, whole % 60);
    else
        snprintf(out, room, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60, whole % 60);
    return out;
}

/* From 0 to 1; below 0: not known. */
static double share(const struct sw_progress *now)
{
    if (now->partitions)
        return (double)now->partitions_done / (double)now->partitions;
    return now->total_bytes ? (double)now->bytes / (double)now->total_bytes : -1;
}

/* ", 43 %, 0:12 left, 1.2 GB of 2.8 GB, 1.3 M records/s": what is known of it, what is waited for first, since a narrow terminal cuts the end. */
static void describe(char *out, size_t room, const struct sw_progress *now, const struct progress *progress)
{
    char done[32], total[32], rate[32], left[32], spilled[32];
    size_t used = 0;
    double part = share(now), elapsed = now->seconds - progress->phase_started;
    out[0] = '\0';
    if (now->wait_seconds > 0) {
        snprintf(out, room, ", %s left", time_text(left, sizeof left, now->wait_seconds));
        return;
    }
    if (part >= 0)
        used += (size_t)snprintf(out + used, room - used, ", %.0f %%", (part > 1 ? 1 : part) * 100);
    uint64_t moved = now->bytes - progress->phase_bytes;
    if (!now->partitions && now->total_bytes > now->bytes && moved && elapsed > 1)
        used += (size_t)snprintf(out + used, room - used, ", %s left", time_text(left, sizeof left, elapsed * (double)(now->total_bytes - now->bytes) / (double)moved));
    if (now->partitions)
        used += (size_t)snprintf(out + used, room - used, ", %" PRIu64 " of %" PRIu64 " partitions", now->partitions_done, now->partitions);
    else if (now->total_bytes)
        used += (size_t)snprintf(out + used, room - used, ", %s of %s", size_text(done, sizeof done, now->bytes), size_text(total, sizeof total, now->total_bytes));
    else
        used += (size_t)snprintf(out + used, room - used, ", %s", size_text(done, sizeof done, now->bytes));
    if (!now->partitions && elapsed > 0.2)
        used += (size_t)snprintf(out + used, room - used, ", %s records/s", count_text(rate, sizeof rate, (double)(now->records - progress->phase_records) / elapsed));
    if (now->spilled_bytes)
        snprintf(out + used, room - used, ", %s spilled", size_text(spilled, sizeof spilled, now->spilled_bytes));
}

/* Takes whole parts off the end, each with its comma, until the text has `width` bytes; the first `least` parts stay. */
static void cut_at_commas(char *text, size_t width, unsigned least)
{
    while (strlen(text) > width) {
        char *last = strrchr(text, ',');
        unsigned parts = 0;
        for (const char *at = text; *at; at++)
            parts += *at == ',';
        if (!last || parts <= least)
            return;
        *last = '\0';
    }
}

static void show_bar(const struct sw_progress *now, struct progress *progress)
{
    enum { BAR = 20, BAR_LEAST = 5 };
    struct winsize window = {0};
    char text[256], line[512];
    describe(text, sizeof text, now, progress);
    size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? (size_t)window.ws_col - 1 : sizeof line - 1;
    size_t phase = strlen(now->phase), bar = BAR;
    cut_at_commas(text, phase + bar + 3 <= width ? width - phase - bar - 3 : 0, 2);
    if (phase + bar + 3 + strlen(text) > width) /* what is known comes before the drawing of it */
        bar = phase + BAR_LEAST + 3 + strlen(text) <= width ? width - phase - 3 - strlen(text) : 0;
    double part = share(now);
    size_t filled = part < 0 ? 0 : part > 1 ? bar : (size_t)(part * (double)bar);
    if (bar)
        snprintf(line, sizeof line, "%s [%.*s%.*s]%s", now->phase, (int)filled, "====================", (int)(bar - filled), "                    ", text[0] ? text + 1 : "");
    else
        snprintf(line, sizeof line, "%s%s", now->phase, text);
    if (strlen(line) > width)
        line[width] = '\0'; /* all ASCII: a line that wraps could not be taken off again */
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    progress->drawn = true;
}

static void show_plain(const struct sw_progress *now, struct progress *progress)
{
    char text[256];
    bool new_phase = !progress->phase || strcmp(progress->phase, now->phase) != 0;
    if (!new_phase && now->seconds - progress->printed_at < 1)
        return;
    describe(text, sizeof text, now, progress);
    fprintf(stderr, "slackwater: %s%s\n", now->phase, text);
    progress->printed_at = now->seconds;
}

static void show_json(const struct sw_progress *now)
{
    fputs("{\"progress\":{\"phase\":", stderr);
    json_text_print(stderr, now->phase);
    fprintf(stderr, ",\"seconds\":%.3f,\"records\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"totalBytes\":%" PRIu64 ",\"partitions\":%" PRIu64 ",\"partitionsDone\":%" PRIu64
            ",\"spilledBytes\":%" PRIu64 ",\"waitSeconds\":%.3f}}\n", now->seconds, now->records, now->bytes, now->total_bytes, now->partitions, now->partitions_done, now->spilled_bytes, now->wait_seconds);
}

int progress_show(const struct sw_progress *now, void *ctx)
{
    struct progress *progress = ctx;
    bool new_phase = !progress->phase || strcmp(progress->phase, now->phase) != 0;
    if (new_phase) {
        progress->phase_records = now->records;
        progress->phase_bytes = now->bytes;
        progress->phase_started = now->seconds;
    }
    switch (progress->form) {
    case PROGRESS_BAR: show_bar(now, progress); break;
    case PROGRESS_PLAIN: show_plain(now, progress); break;
    case PROGRESS_JSON: show_json(now); break;
    case PROGRESS_NONE: break;
    }
    progress->phase = now->phase;
    return interrupted != 0;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

#include "report/recheck.h"
#include "report/scope_words.h"
#include "report/verdict.h"

static void part(struct sw_buffer *out, const char *text)
{
    if (out->len)
        sw_buffer_add_text(out, ", ");
    sw_buffer_add_text(out, text);
}

static void counted(struct sw_buffer *out, uint64_t count, const char *one, const char *many)
{
    char room[SW_NUMBER_TEXT_MAX];
    if (!count)
        return;
    part(out, sw_number_text(room, count));
    sw_buffer_add_text(out, count == 1 ? one : many);
}

static const char *word(const struct sw_report *report)
{
    switch (sw_report_exit_status(report)) {
    case 0: return sw_report_keys(report) ? "EQUAL" : "NOTHING COMPARED";
    case 1: return report->classes[SW_CLASS_DIFFERENT] > sw_report_in_flight_different(report) ? "DIFFERENT" : "CONFLICT";
    case 2: return "UNREAD RECORDS";
    default: break;
    }
    if (!sw_report_keys(report) || sw_report_rebuilt(report))
        return "NOTHING COMPARED";
    return report->classes[SW_CLASS_UNDECIDED] ? "UNDECIDED" : sw_report_in_flight(report) ? "IN FLIGHT" : "INCOMPLETE";
}

const char *sw_report_headline(struct sw_buffer *sentence, const struct sw_report *report)
{
    char room[SW_NUMBER_TEXT_MAX];
    const uint64_t *classes = report->classes;
    uint64_t keys = sw_report_keys(report), compared = sw_report_compared(report), rebuilt = sw_report_rebuilt(report), undecided = sw_report_undecided(report);
    struct sw_buffer text = {0};

    if (sw_report_current_state(report) == SW_VERDICT_CONFIRMED) {
        if (keys == 1)
            sw_buffer_add_text(&text, "the only key in scope is equal to the declared reference");
        else
            sw_buffer_printf(&text, "all %s keys in scope are equal to the declared reference", sw_number_text(room, keys));
        if (report->mapping->cut)
            sw_buffer_add_text(&text, " at the cut");
        if (report->scope.limited) {
            sw_buffer_add_text(&text, ": ");
            sw_scope_write_part(&text, report);
        }
        if (sw_evidence_is_broken(report))
            sw_buffer_add_text(&text, report->transactions.missing ? "; events are missing" : "; events may be missing");
    } else {
        counted(&text, report->bad_count, " record could not be used", " records could not be used");
        if (classes[SW_CLASS_DIFFERENT]) {
            counted(&text, classes[SW_CLASS_DIFFERENT], " of ", " of ");
            sw_buffer_add_text(&text, sw_number_text(room, keys));
            bool gone = sw_report_in_flight_different(report) == classes[SW_CLASS_DIFFERENT];
            sw_buffer_add_text(&text, gone ? keys == 1 ? " key differed" : " keys differed" : keys == 1 ? " key differs" : classes[SW_CLASS_DIFFERENT] == 1 ? " keys differs" : " keys differ");
            counted(&text, classes[SW_CLASS_CONFLICT], " in conflict", " in conflict");
            counted(&text, undecided, " undecided", " undecided");
        } else if (classes[SW_CLASS_CONFLICT]) {
            counted(&text, classes[SW_CLASS_CONFLICT], " of ", " of ");
            sw_buffer_add_text(&text, sw_number_text(room, keys));
            sw_buffer_add_text(&text, keys == 1 ? " key is in conflict" : " keys in conflict");
            counted(&text, undecided, " undecided", " undecided");
        } else if (undecided) {
            counted(&text, undecided, " of ", " of ");
            sw_buffer_add_text(&text, sw_number_text(room, keys));
            sw_buffer_add_text(&text, keys == 1 ? " key undecided" : " keys undecided");
        }
        if (rebuilt) {
            part(&text, "no reference was given, ");
            sw_buffer_add_text(&text, sw_number_text(room, rebuilt));
            sw_buffer_add_text(&text, rebuilt == 1 ? " key was reconstructed" : " keys were reconstructed");
        }
        if (sw_report_in_flight(report)) {
            uint64_t gone = sw_report_in_flight(report);
            part(&text, gone == sw_report_differences(report) ? "all" : sw_number_text(room, gone));
            sw_buffer_add_text(&text, gone == sw_report_differences(report) ? " gone when read again" : " of them gone when read again");
        }
        if (report->servers)
            part(&text, "the events are of several servers");
        counted(&text, report->absent_column_count, " column on one side only", " columns on one side only");
        if (!keys) {
            part(&text, "neither side has a key in scope");
            if (report->allow_empty)
                sw_buffer_add_text(&text, " (allowed by --allow-empty)");
        } else if (!sw_report_differences(report) && compared) {
            part(&text, "no difference found in the ");
            sw_buffer_add_text(&text, compared == 1 ? "one key" : sw_number_text(room, compared));
            sw_buffer_add_text(&text, compared == 1 ? " that was compared" : " keys that were compared");
        }
    }
    if (report->scope.limited && sw_report_current_state(report) != SW_VERDICT_CONFIRMED) {
        sw_buffer_add_text(&text, report->scope.partial ? "; only a part was compared: " : "; compared was ");
        sw_scope_write_part(&text, report);
    }
    sw_buffer_add_bytes(sentence, sw_buffer_view(&text));
    sentence->failed |= text.failed;
    sw_buffer_free(&text);
    return word(report);
}

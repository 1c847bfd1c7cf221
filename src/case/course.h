/* The rules by the course of an incident: which of them comes next, and what answers it. */
#ifndef SW_CASE_COURSE_H
#define SW_CASE_COURSE_H

#include "case/note.h"

/* The rules that are not answered, in the order in which an incident asks them: where each boundary is and how long the source still has it, then what is
 * affected, who decides and where to restart, then the others by number. `out` has room for rule_count; returns how many there are. Owner: the note. */
size_t sw_course_open(const struct sw_note_rule **out, const struct sw_handover_note *note);

/* The first rule that failed, or NULL. Owner: the note. */
const struct sw_note_rule *sw_course_failed(const struct sw_handover_note *note);

/* Appends what answers a rule that is open: the command to type, or the file to fill in. `directory`: the case, as it was named. */
void sw_course_answer(struct sw_buffer *out, const struct sw_handover_note *note, const struct sw_note_rule *rule, const char *directory);

#endif

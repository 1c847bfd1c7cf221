/* Making a note of a case. */
#ifndef SW_CASE_NOTE_BUILD_H
#define SW_CASE_NOTE_BUILD_H

#include "case/folder.h"
#include "case/note.h"

/* Takes the case (which is closed, and *folder NULL, whatever comes of it) and makes the note of it. SW_OK, SW_ERR_MEMORY. Owner: sw_handover_note_free. */
enum sw_code sw_handover_note_build(struct sw_handover_note **out, struct sw_case **folder, struct sw_error *error);

/* Fills the timeline: positions that compare share a lane. Part of the above. */
enum sw_code sw_note_lanes(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error);

/* Fills the counts, tables and lists of findings. Part of the above. */
enum sw_code sw_note_differences(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error);

#endif

#include "fold/finding.h"

enum sw_class sw_reason_class(enum sw_reason reason)
{
    switch (reason) {
    case SW_REASON_NONE:
    case SW_REASON_COUNT:
        return SW_CLASS_EQUAL;
    case SW_REASON_MISSING_STATE:
    case SW_REASON_UNEXPECTED_STATE:
    case SW_REASON_STATE_MISMATCH:
        return SW_CLASS_DIFFERENT;
    case SW_REASON_CONFLICTING_VERSION:
    case SW_REASON_IDENTITY_REUSED:
    case SW_REASON_DUPLICATE_KEY:
    case SW_REASON_INCONSISTENT_HISTORY:
        return SW_CLASS_CONFLICT;
    case SW_REASON_UNORDERED:
    case SW_REASON_READ_AFTER_DELETE:
    case SW_REASON_OPEN_TRANSACTION:
    case SW_REASON_BEYOND_CUT:
    case SW_REASON_UNKNOWN_COLUMN:
    case SW_REASON_INVALID_VALUE:
    case SW_REASON_NOT_COMPARABLE:
    case SW_REASON_UNREADABLE_RECORD:
        return SW_CLASS_UNDECIDED;
    }
    return SW_CLASS_UNDECIDED;
}

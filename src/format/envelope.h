/* A record that came in an envelope (of Kafka) is read with one member more: {"topic":…,"partition":…,"offset":…,"ts":…,"key":…,"oldkey":…}. Formats that turn a
 * record into others carry it over; nobody takes it for a column. */
#ifndef SW_FORMAT_ENVELOPE_H
#define SW_FORMAT_ENVELOPE_H

#define SW_ENVELOPE "__slackwater_envelope"

#endif

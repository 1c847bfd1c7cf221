#include "source/mariadb/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdio.h>

/* The server's names, and iconv's; those that are UTF-8 or a part of it have none. */
static const struct { const char *name, *known_as; } sets[] = {
    {"utf8mb4", NULL}, {"utf8mb3", NULL}, {"utf8", NULL}, {"ascii", NULL}, {"ucs2", "UCS-2BE"}, {"utf16", "UTF-16BE"}, {"utf16le", "UTF-16LE"}, {"utf32", "UTF-32BE"},
    {"latin2", "ISO-8859-2"}, {"latin5", "ISO-8859-9"}, {"latin7", "ISO-8859-13"}, {"greek", "ISO-8859-7"}, {"hebrew", "ISO-8859-8"}, {"cp1250", "CP1250"}, {"cp1251", "CP1251"}, {"cp1256", "CP1256"},
    {"cp1257", "CP1257"}, {"cp850", "CP850"}, {"cp852", "CP852"}, {"cp866", "CP866"}, {"koi8r", "KOI8-R"}, {"koi8u", "KOI8-U"}, {"tis620", "TIS-620"}, {"gbk", "GBK"}, {"gb2312", "EUC-CN"}, {"gb18030", "GB18030"},
    {"big5", "BIG5"}, {"sjis", "SHIFT_JIS"}, {"cp932", "CP932"}, {"ujis", "EUC-JP"}, {"eucjpms", "EUC-JP-MS"}, {"euckr", "CP949"}, {"macroman", "MACINTOSH"}};

static void add_character(struct sw_buffer *out, unsigned code)
{
    if (code < 0x80) {
        sw_buffer_add_byte(out, (uint8_t)code);
    } else if (code < 0x800) {
        sw_buffer_add_byte(out, (uint8_t)(0xC0 | code >> 6));
        sw_buffer_add_byte(out, (uint8_t)(0x80 | (code & 0x3F)));
    } else {
        sw_buffer_add_byte(out, (uint8_t)(0xE0 | code >> 12));
        sw_buffer_add_byte(out, (uint8_t)(0x80 | (code >> 6 & 0x3F)));
        sw_buffer_add_byte(out, (uint8_t)(0x80 | (code & 0x3F)));
    }
}

static enum sw_code from_latin1(struct sw_bytes *out, struct sw_buffer *text, struct sw_bytes bytes, struct sw_error *error)
{
    static const uint16_t high[32] = {0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
                                      0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178};
    for (size_t i = 0; i < bytes.len; i++)
        add_character(text, bytes.at[i] >= 0x80 && bytes.at[i] < 0xA0 ? high[bytes.at[i] - 0x80] : bytes.at[i]);
    *out = sw_buffer_view(text);
    return text->failed ? sw_fail_memory(error, "a text", bytes.len) : SW_OK;
}

static enum sw_code find_converter(iconv_t *out, struct sw_binlog_charsets *self, const char *name, struct sw_error *error)
{
    for (size_t i = 0; i < self->count; i++)
        if (strcmp(self->open[i].name, name) == 0) {
            *out = self->open[i].handle;
            return SW_OK;
        }
    size_t at = 0;
    while (at < sizeof sets / sizeof *sets && strcmp(sets[at].name, name) != 0)
        at++;
    *out = at < sizeof sets / sizeof *sets && self->count < SW_BINLOG_CONVERTERS_MAX ? iconv_open("UTF-8", sets[at].known_as) : (iconv_t)-1;
    if (*out == (iconv_t)-1)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the character set %.31s cannot be read here; read the table's events from a pipeline that converts it", name);
    snprintf(self->open[self->count].name, sizeof self->open[self->count].name, "%s", name);
    self->open[self->count++].handle = *out;
    return SW_OK;
}

enum sw_code sw_binlog_to_utf8(struct sw_bytes *out, struct sw_binlog_charsets *self, const char *name, struct sw_bytes bytes, struct sw_error *error)
{
    *out = bytes;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!sets[i].known_as && strcmp(sets[i].name, name) == 0)
            return SW_OK;
    self->text.len = 0;
    if (strcmp(name, "latin1") == 0)
        return from_latin1(out, &self->text, bytes, error);
    iconv_t converter;
    enum sw_code code = find_converter(&converter, self, name, error);
    char *at = (char *)(uintptr_t)bytes.at;
    size_t left = bytes.len;
    if (code == SW_OK)
        iconv(converter, NULL, NULL, NULL, NULL);
    while (code == SW_OK && left) {
        if (!sw_buffer_reserve(&self->text, left + 16))
            return sw_fail_memory(error, "a text", left);
        char *to = (char *)self->text.at + self->text.len;
        size_t room = self->text.capacity - self->text.len;
        size_t done = iconv(converter, &at, &left, &to, &room);
        self->text.len = self->text.capacity - room;
        if (done == (size_t)-1 && errno != E2BIG)
            return sw_fail(error, SW_ERR_INPUT, "a text of the character set %.31s holds bytes that are none of it", name);
        if (done == (size_t)-1 && !sw_buffer_grow(&self->text, left + 16))
            return sw_fail_memory(error, "a text", left);
    }
    *out = sw_buffer_view(&self->text);
    return code;
}

void sw_binlog_charsets_free(struct sw_binlog_charsets *self)
{
    for (size_t i = 0; i < self->count; i++)
        iconv_close(self->open[i].handle);
    sw_buffer_free(&self->text);
    *self = (struct sw_binlog_charsets){0};
}

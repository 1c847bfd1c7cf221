#include "mapping/mapping.h"

bool sw_path_parse(struct sw_path *out, struct sw_bytes text, char *room, const char **problem)
{
    struct sw_path path = {0};
    size_t used = 0, begin = 0;
    *problem = NULL;
    for (size_t i = 0; i <= text.len; i++) {
        char byte = i < text.len ? (char)text.at[i] : '.';
        if (i == text.len || byte == '.') {
            if (used == begin)
                *problem = text.len ? "an empty name stands between, before or after the dots" : "it is empty";
            else if (path.step_count == SW_PATH_STEPS_MAX)
                *problem = "it has more than 8 steps";
            if (*problem)
                return false;
            path.steps[path.step_count++] = room + begin;
            room[used++] = '\0';
            begin = used;
            continue;
        }
        if (byte == '\\') {
            byte = i + 1 < text.len ? (char)text.at[++i] : '\0';
            if (byte != '.' && byte != '\\') {
                *problem = "a backslash stands before something other than a dot or a backslash";
                return false;
            }
        }
        if (byte == '\0') {
            *problem = "it holds a NUL";
            return false;
        }
        room[used++] = byte;
    }
    *out = path;
    return true;
}

void sw_path_print(struct sw_buffer *out, const struct sw_path *path)
{
    for (size_t i = 0; i < path->step_count; i++) {
        if (i)
            sw_buffer_add_byte(out, '.');
        for (const char *at = path->steps[i]; *at; at++) {
            if (*at == '.' || *at == '\\')
                sw_buffer_add_byte(out, '\\');
            sw_buffer_add_byte(out, (uint8_t)*at);
        }
    }
}

bool sw_path_equal(const struct sw_path *a, const struct sw_path *b)
{
    if (a->step_count != b->step_count)
        return false;
    for (size_t i = 0; i < a->step_count; i++)
        if (strcmp(a->steps[i], b->steps[i]) != 0)
            return false;
    return true;
}

#include <stdio.h>
#include <string.h>

#include "fold/scope.h"
#include "reconcile/run.h"

/* The option or member that a problem is told of. */
static enum sw_code told_of(const char *thing, struct sw_error *error)
{
    char text[SW_ERROR_TEXT_MAX];
    snprintf(text, sizeof text, "%s: %.900s", thing, error->text);
    memcpy(error->text, text, sizeof text);
    return error->code;
}

enum sw_code sw_run_settle_scope(struct sw_run *run, struct sw_error *error)
{
    const struct sw_mapping *mapping = &run->mapping;
    struct sw_report_scope *report = &run->report.scope;
    bool same = mapping->where && mapping->scope && strcmp(mapping->where->text, mapping->scope->text) == 0;
    const struct sw_condition *where = same ? NULL : mapping->where; /* once is enough */
    if (run->first) /* the keys were in scope: one whose row has left it meanwhile must not look like one that became equal */
        return SW_OK;
    if (!mapping->scope && !where && !mapping->sample.denominator)
        return SW_OK;
    const struct sw_scope_declaration declaration = {mapping->sample, {mapping->scope, where}, mapping->absent == SW_ABSENT_NULL};
    const char *thing = where && mapping->scope ? "--where, with the mapping's scope" : where ? "--where" : "scope";
    enum sw_code code = sw_scope_new(&run->scope, &declaration, run->reading.schema, run->in_evidence, run->in_reference, error);
    if (code < 0)
        return code == SW_ERR_USAGE || code == SW_ERR_LIMIT ? told_of(thing, error) : code;
    unsigned csv = 0;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        csv |= (unsigned)run->reading.roles[role].any_csv << role;
    struct sw_bytes untyped = sw_scope_untyped(run->scope, csv);
    if (untyped.len)
        return sw_fail(error, SW_ERR_USAGE, "%s: it holds %.*s against a number, and fields of CSV are text until their type is declared: --type %.*s=TYPE (docs/types.md)", thing, (int)untyped.len,
                       (const char *)untyped.at, (int)untyped.len, (const char *)untyped.at);
    run->rules.scope = run->scope;
    *report = (struct sw_report_scope){.limited = true, .partial = mapping->sample.denominator || where, .sample = mapping->sample,
                                       .where = mapping->where ? mapping->where->text : NULL, .declared = mapping->scope ? mapping->scope->text : NULL};
    return SW_OK;
}

void sw_run_describe_scope(struct sw_run *run)
{
    run->report.scope.outside = run->counts.outside;
    run->report.scope.open = run->counts.open;
}

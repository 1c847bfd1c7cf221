/* change-table: rows of change tables, where one column says what each row did and the others are the row itself.
 * Sources: AWS DMS user guide, "Using Amazon S3 as a target" (Op, IncludeOpForFullLoad); Delta Lake documentation, "Change data feed"; Microsoft Learn, "cdc.<capture_instance>_CT";
 * Apache Iceberg documentation, "Spark procedures" (create_changelog_view); Apache Paimon documentation, "System tables" (audit_log); apache/hudi, HoodieOperation.java. */
#include "format/bind.h"

#define SIGNS_MAX 2

/* Whose table it is, told by its columns. */
struct product {
    const char *operation;              /* the column that says what the row did */
    bool first;                         /* its name alone is too common: it is the first column */
    const char *sign;                   /* a column that stands beside it; NULL: none has to */
    const char *others[SIGNS_MAX];      /* columns that are no values, besides */
    const char *prefix;                 /* nor are those that begin so; NULL: none */
    const struct sw_operation_spelling *operations;
};

#define BEFORE "row before an update" /* the same change is told by the row behind it */

/* Full loads write I too, or nothing. */
static const struct sw_operation_spelling dms[] = {{"I", SW_OPERATION_INSERT, NULL}, {"U", SW_OPERATION_UPDATE, NULL}, {"D", SW_OPERATION_REMOVE, NULL}, {"", SW_OPERATION_READ, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static const struct sw_operation_spelling delta[] = {
    {"insert", SW_OPERATION_INSERT, NULL}, {"update_postimage", SW_OPERATION_UPDATE, NULL}, {"update_preimage", SW_OPERATION_IGNORED, BEFORE}, {"delete", SW_OPERATION_REMOVE, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

/* An update may stand there as a delete and an insert of one ordinal: which of them came first is not told, and nothing is held against the row before. */
static const struct sw_operation_spelling iceberg[] = {
    {"INSERT", SW_OPERATION_UPSERT, NULL}, {"UPDATE_AFTER", SW_OPERATION_UPSERT, NULL}, {"UPDATE_BEFORE", SW_OPERATION_IGNORED, BEFORE}, {"DELETE", SW_OPERATION_DELETE, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

/* 5: of net changes "with merge", an insert or an update. */
static const struct sw_operation_spelling sqlserver[] = {
    {"1", SW_OPERATION_REMOVE, NULL}, {"2", SW_OPERATION_INSERT, NULL}, {"3", SW_OPERATION_IGNORED, BEFORE}, {"4", SW_OPERATION_UPDATE, NULL}, {"5", SW_OPERATION_UPSERT, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static const struct sw_operation_spelling paimon[] = {
    {"+I", SW_OPERATION_UPSERT, NULL}, {"+U", SW_OPERATION_UPSERT, NULL}, {"-U", SW_OPERATION_IGNORED, BEFORE}, {"-D", SW_OPERATION_DELETE, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

/* Empty where the table keeps no changelog: every row is a write. */
static const struct sw_operation_spelling hudi[] = {
    {"I", SW_OPERATION_UPSERT, NULL}, {"U", SW_OPERATION_UPSERT, NULL}, {"-U", SW_OPERATION_IGNORED, BEFORE}, {"D", SW_OPERATION_DELETE, NULL}, {"", SW_OPERATION_UPSERT, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static const struct product products[] = {
    {"_change_type", false, "_commit_version", {"_commit_version", "_commit_timestamp"}, NULL, delta},
    {"_change_type", false, "_change_ordinal", {"_change_ordinal", "_commit_snapshot_id"}, NULL, iceberg},
    {"__$operation", false, "__$start_lsn", {NULL}, "__$", sqlserver},
    {"_hoodie_operation", false, "_hoodie_commit_time", {NULL}, "_hoodie_", hudi},
    {"rowkind", true, NULL, {"_SEQUENCE_NUMBER"}, NULL, paimon},
    {"Op", true, NULL, {NULL}, NULL, dms},
};

/* Values say it too, where there are any yet: columns of CSV are told by their names alone. */
static bool spells(const struct product *product, struct sw_token token)
{
    if (token.kind == SW_TOKEN_ABSENT || token.kind == SW_TOKEN_NULL)
        return true;
    for (const struct sw_operation_spelling *one = product->operations; one->text; one++)
        if ((token.kind == SW_TOKEN_TEXT || token.kind == SW_TOKEN_NUMBER) && sw_bytes_is(sw_bytes_of(token.at, token.len), one->text))
            return true;
    return false;
}

static const struct product *product_of(const struct sw_json_template *template)
{
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        uint32_t operation = sw_bind_node(template, 0, products[i].operation);
        if (operation != SW_JSON_NO_NODE && (!products[i].first || operation == template->nodes[0].first_child) && (!products[i].sign || sw_bind_node(template, 0, products[i].sign) != SW_JSON_NO_NODE))
            return &products[i];
    }
    return NULL;
}

static unsigned recognise(const struct sw_example *example)
{
    const struct product *product = product_of(example->template);
    return product && spells(product, sw_bind_token(example, product->operation)) ? 1 : 0;
}

static bool is_value(const struct product *product, struct sw_bytes name)
{
    if (sw_bytes_is(name, product->operation) || (product->prefix && sw_bytes_begin_text(name, product->prefix)))
        return false;
    for (size_t i = 0; i < SIGNS_MAX; i++)
        if (product->others[i] && sw_bytes_is(name, product->others[i]))
            return false;
    return true;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    const struct product *product = product_of(template);
    sw_bind_begin(out);
    out->csv = context->csv;
    if (!product)
        sw_bind_problem(out, "operation", "no row of a change table: it has none of the columns Op (first), _change_type, __$operation, _hoodie_operation, rowkind (first)");
    enum sw_code code = sw_bind_no_table(&binder);
    if (code < 0 || !product)
        return code;
    out->operation_node = sw_bind_node(template, 0, product->operation);
    out->operations = product->operations;
    out->removal_shows_row = true;
    out->removal_unsure = true; /* a row that is removed may show its key alone */
    sw_bind_order(&binder, sw_format_change_table.order_places);
    sw_bind_image_begin(&out->after);
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (is_value(product, name) && !sw_layout_claims(&context->mapping->layout[context->role], name) && !(product->operations == dms && sw_bind_is_before_column(&binder, 0, name)))
            code = sw_bind_column(NULL, &out->after, &binder, child, NULL);
    }
    if (code == SW_OK)
        code = sw_bind_image_end(&out->after, &binder);
    return code == SW_OK && product->operations == dms ? sw_bind_before_columns(&binder, 0) : code;
}

static const struct sw_order_place places[] = {
    {"integer", "version", "_commit_version"}, {"integer", "version", "_change_ordinal"}, {"integer", "version", "_SEQUENCE_NUMBER"}, {"integer", "version", "_hoodie_commit_time"},
    {"sqlserver", "commit_lsn", "__$start_lsn"}, {"sqlserver", "change_lsn", "__$seqval"}, {"sqlserver", "serial", "__$operation"}, {"timestamp", "time", "_commit_timestamp"}, {NULL, NULL, NULL}};

static const struct sw_order_candidate candidates[] = {{"", "integer (Delta's _commit_version, Iceberg's _change_ordinal), sqlserver, file; with --version COLUMN integer, where DMS writes $AR_H_CHANGE_SEQ, or timestamp, which its TimestampColumnName names"}, {NULL, NULL}};

const struct sw_format sw_format_change_table = {
    .name = "change-table",
    .summary = "rows of change tables: AWS DMS on S3 (Op), Delta's change data feed, SQL Server's cdc tables, Iceberg, Paimon, Hudi",
    .explain = "One column says what the row did, the others are the row: Op I, U, D (AWS DMS on S3, first column; empty: a row of the full load), _change_type with _commit_version (Delta) or _change_ordinal (Iceberg), "
               "__$operation 1 to 5 with __$start_lsn (SQL Server), rowkind +I … (Paimon's audit_log, first column), _hoodie_operation (Hudi). The row before an update is counted: the row behind it tells the same change, "
               "but where the key itself was changed in Delta, Iceberg, Paimon or Hudi the old key is seen by that row only. Columns of the product (_commit_…, __$…, _hoodie_…) are no values. A row names no table: --table does. "
               "No identity. Orders: integer takes _commit_version, _change_ordinal, _SEQUENCE_NUMBER or _hoodie_commit_time, sqlserver __$start_lsn, __$seqval and __$operation; DMS writes no position, its files are read in "
               "their order (file) or by the column that TimestampColumnName names (order: {policy: timestamp, time: COLUMN}), and a null is the text NULL in them (--csv-null NULL) unless CsvNullValue says otherwise; columns with BI_ before the names of all key columns tell the key before an update. Source: AWS DMS user guide, Using Amazon S3 as a target; Delta Lake, Change data feed; "
               "Microsoft Learn, cdc.<capture_instance>_CT; Apache Iceberg, create_changelog_view; Apache Paimon, audit_log; apache/hudi, HoodieOperation.java.",
    .order_places = places,
    .unnamed_reference = true,
    .flat = true,
    .orders = candidates,
    .depth = sw_bind_depth_one, /* a column may be a struct: it is one value */
    .recognise = recognise,
    .bind = bind,
};

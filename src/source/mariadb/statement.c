#include "source/mariadb/statement.h"

#include <ctype.h>
#include <strings.h>

enum kind { END, WORD, NAME /* in quotes */, TEXT, SYMBOL };

struct token {
    enum kind kind;
    struct sw_bytes text;      /* of a NAME: what stands between the quotes, with doubled quotes doubled */
    uint8_t quote;
};

struct tokens {
    const uint8_t *at, *end;
    struct token token;        /* the current one */
    const struct sw_binlog_table_name *table;
    struct sw_bytes database;
};

static bool is_word_byte(uint8_t byte) { return isalnum(byte) || byte == '_' || byte == '$' || byte >= 0x80; }

static bool skip_comment(struct tokens *self)
{
    size_t left = (size_t)(self->end - self->at);
    if (self->at[0] == '#' || (left > 2 && self->at[0] == '-' && self->at[1] == '-' && isspace(self->at[2]))) {
        while (self->at < self->end && *self->at != '\n')
            self->at++;
        return true;
    }
    if (left < 2 || self->at[0] != '/' || self->at[1] != '*')
        return false;
    if (left > 2 && (self->at[2] == '!' || (left > 3 && self->at[2] == 'M' && self->at[3] == '!'))) { /* executed: its number is left out, its end is skipped where it comes */
        self->at += self->at[2] == '!' ? 3 : 4;
        while (self->at < self->end && isdigit(*self->at))
            self->at++;
        return true;
    }
    for (self->at += 2; self->at < self->end; self->at++)
        if (self->at[0] == '*' && self->end - self->at > 1 && self->at[1] == '/') {
            self->at += 2;
            return true;
        }
    return true;
}

static void take_quoted(struct tokens *self, uint8_t quote)
{
    const uint8_t *from = ++self->at;
    for (; self->at < self->end; self->at++) {
        if (*self->at == '\\' && quote != '`' && self->end - self->at > 1)
            self->at++;
        else if (*self->at == quote && self->end - self->at > 1 && self->at[1] == quote)
            self->at++;
        else if (*self->at == quote)
            break;
    }
    self->token = (struct token){quote == '\'' ? TEXT : NAME, sw_bytes_of(from, (size_t)(self->at - from)), quote};
    if (self->at < self->end)
        self->at++;
}

static void advance(struct tokens *self)
{
    for (;;) {
        while (self->at < self->end && (isspace(*self->at) || *self->at == 0))
            self->at++;
        if (self->at < self->end && self->end - self->at > 1 && self->at[0] == '*' && self->at[1] == '/') {
            self->at += 2;
            continue;
        }
        if (self->at == self->end || !skip_comment(self))
            break;
    }
    if (self->at == self->end) {
        self->token = (struct token){.kind = END};
        return;
    }
    const uint8_t *from = self->at;
    if (*from == '`' || *from == '"' || *from == '\'') {
        take_quoted(self, *from);
        return;
    }
    if (is_word_byte(*from)) {
        while (self->at < self->end && is_word_byte(*self->at))
            self->at++;
        self->token = (struct token){WORD, sw_bytes_of(from, (size_t)(self->at - from)), 0};
        return;
    }
    self->at++;
    self->token = (struct token){SYMBOL, sw_bytes_of(from, 1), 0};
}

static bool is(const struct tokens *self, const char *word)
{
    return self->token.kind == WORD && self->token.text.len == strlen(word) && strncasecmp((const char *)self->token.text.at, word, self->token.text.len) == 0;
}

static bool is_symbol(const struct tokens *self, char symbol) { return self->token.kind == SYMBOL && self->token.text.at[0] == (uint8_t)symbol; }

static bool accept(struct tokens *self, const char *word)
{
    bool there = is(self, word);
    if (there)
        advance(self);
    return there;
}

static bool is_any(const struct tokens *self, const char *const *words)
{
    for (; *words; words++)
        if (is(self, *words))
            return true;
    return false;
}

/* Is a token this name? Doubled quotes in it are one. */
static bool names(struct token token, struct sw_bytes name, bool fold)
{
    size_t at = 0;
    if (token.kind != WORD && token.kind != NAME)
        return false;
    for (size_t i = 0; i < token.text.len; i++, at++) {
        if (token.kind == NAME && token.text.at[i] == token.quote && i + 1 < token.text.len)
            i++;
        if (at == name.len || (fold ? tolower(token.text.at[i]) != tolower(name.at[at]) : token.text.at[i] != name.at[at]))
            return false;
    }
    return at == name.len;
}

static bool in_database(const struct tokens *self)
{
    struct sw_bytes wanted = self->table->database;
    return self->database.len == wanted.len && (self->table->fold_case ? strncasecmp((const char *)self->database.at, (const char *)wanted.at, wanted.len) == 0 : sw_bytes_equal(self->database, wanted));
}

/* Takes TABLE or DATABASE.TABLE; true if it is the table. */
static bool take_reference(struct tokens *self)
{
    struct token first = self->token;
    bool fold = self->table->fold_case;
    advance(self);
    if (!is_symbol(self, '.'))
        return in_database(self) && names(first, self->table->table, fold);
    advance(self);
    bool found = names(first, self->table->database, fold) && names(self->token, self->table->table, fold);
    advance(self);
    return found;
}

static void skip_exists(struct tokens *self)
{
    if (accept(self, "IF")) {
        accept(self, "NOT");
        accept(self, "EXISTS");
    }
}

/* Does what is left refer to the table behind this word? */
static bool refers_behind(struct tokens *self, const char *word)
{
    while (self->token.kind != END)
        if (accept(self, word) && take_reference(self))
            return true;
        else if (!is(self, word))
            advance(self);
    return false;
}

static enum sw_binlog_effect drop(struct tokens *self)
{
    if (accept(self, "TEMPORARY"))
        return SW_BINLOG_NOTHING;
    if (accept(self, "DATABASE") || accept(self, "SCHEMA")) {
        skip_exists(self);
        return names(self->token, self->table->database, self->table->fold_case) ? SW_BINLOG_EMPTIES : SW_BINLOG_NOTHING;
    }
    if (accept(self, "INDEX"))
        return refers_behind(self, "ON") ? SW_BINLOG_DESCRIBES : SW_BINLOG_NOTHING;
    if (!accept(self, "TABLE") && !accept(self, "TABLES"))
        return SW_BINLOG_NOTHING;
    skip_exists(self);
    bool found = false;
    do
        found |= take_reference(self);
    while (is_symbol(self, ',') && (advance(self), true));
    return found ? SW_BINLOG_EMPTIES : SW_BINLOG_NOTHING;
}

static enum sw_binlog_effect create(struct tokens *self)
{
    bool anew = accept(self, "OR");
    if (anew)
        accept(self, "REPLACE");
    if (accept(self, "TEMPORARY"))
        return SW_BINLOG_NOTHING;
    if (accept(self, "DATABASE") || accept(self, "SCHEMA")) {
        skip_exists(self);
        return anew && names(self->token, self->table->database, self->table->fold_case) ? SW_BINLOG_EMPTIES : SW_BINLOG_NOTHING;
    }
    static const char *const indexes[] = {"UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "INDEX", NULL};
    if (is_any(self, indexes))
        return refers_behind(self, "ON") ? SW_BINLOG_DESCRIBES : SW_BINLOG_NOTHING;
    if (!accept(self, "TABLE"))
        return SW_BINLOG_NOTHING;
    skip_exists(self);
    if (!take_reference(self))
        return SW_BINLOG_NOTHING;
    for (; self->token.kind != END; advance(self))
        if (is(self, "SELECT")) /* where the log has rows, it leaves the SELECT out */
            return SW_BINLOG_MAY_CHANGE;
    return anew ? SW_BINLOG_EMPTIES : SW_BINLOG_DESCRIBES;
}

static enum sw_binlog_effect rename_tables(struct tokens *self)
{
    if (!accept(self, "TABLE") && !accept(self, "TABLES"))
        return SW_BINLOG_NOTHING;
    skip_exists(self);
    bool found = take_reference(self);
    while (self->token.kind != END)
        if (accept(self, "TO") || is_symbol(self, ',')) {
            if (is_symbol(self, ','))
                advance(self);
            found |= take_reference(self);
        } else {
            advance(self);
        }
    return found ? SW_BINLOG_REPLACES : SW_BINLOG_NOTHING;
}

/* What may stand behind DROP and RENAME in ALTER TABLE without a column being meant. */
static const char *const no_columns[] = {"INDEX", "KEY", "FOREIGN", "CONSTRAINT", "CHECK", "PRIMARY", "PERIOD", "SYSTEM", NULL};
static const char *const moving[] = {"CHANGE", "MODIFY", "FIRST", "AFTER", "CONVERT", NULL};
static const char *const takes_away[] = {"DROP", "TRUNCATE", "EXCHANGE", "CONVERT", "DISCARD", "IMPORT", NULL};

static enum sw_binlog_effect alter(struct tokens *self)
{
    while (accept(self, "ONLINE") || accept(self, "OFFLINE") || accept(self, "IGNORE"))
        ;
    if (!accept(self, "TABLE"))
        return SW_BINLOG_NOTHING;
    skip_exists(self);
    bool ours = take_reference(self), moves = false, replaces = false;
    while (self->token.kind != END) {
        bool drop = is(self, "DROP"), renaming = is(self, "RENAME"), away = is_any(self, takes_away);
        moves |= is_any(self, moving);
        if (accept(self, "TABLE")) { /* EXCHANGE PARTITION p WITH TABLE t, CONVERT … TO TABLE t */
            replaces |= take_reference(self);
            continue;
        }
        advance(self);
        if (away && (is(self, "PARTITION") || is(self, "TABLESPACE")))
            replaces |= ours;
        else if (drop && !is_any(self, no_columns))
            moves = true;
        else if (renaming && is(self, "COLUMN"))
            moves = true;
        else if (renaming && !is_any(self, no_columns)) {
            if (is(self, "TO") || is(self, "AS") || is_symbol(self, '='))
                advance(self);
            replaces |= take_reference(self) || ours;
        }
    }
    return replaces ? SW_BINLOG_REPLACES : !ours ? SW_BINLOG_NOTHING : moves ? SW_BINLOG_MOVES_COLUMNS : SW_BINLOG_DESCRIBES;
}

/* A change of rows, or something that is not known here: does it name the table or its database, or was that one in use? */
static enum sw_binlog_effect may_change(struct tokens *self)
{
    if (in_database(self))
        return SW_BINLOG_MAY_CHANGE;
    for (; self->token.kind != END; advance(self))
        if (names(self->token, self->table->table, true) || names(self->token, self->table->database, true))
            return SW_BINLOG_MAY_CHANGE;
    return SW_BINLOG_NOTHING;
}

/* MariaDB runs what stands behind SET STATEMENT … FOR, and behind ANALYZE [FORMAT=…] where no TABLE follows, and logs the whole text. */
static void skip_wrappers(struct tokens *self)
{
    for (;;) {
        static const char *const tables[] = {"TABLE", "TABLES", "LOCAL", "NO_WRITE_TO_BINLOG", NULL};
        struct tokens before = *self;
        bool set = accept(self, "SET"), wraps = set ? accept(self, "STATEMENT") : accept(self, "ANALYZE") && !is_any(self, tables);
        if (!wraps) {
            *self = before;
            return;
        }
        while (set && self->token.kind != END && !accept(self, "FOR"))
            advance(self);
        if (!set && accept(self, "FORMAT")) {
            advance(self); /* = */
            advance(self);
        }
    }
}

enum sw_binlog_effect sw_binlog_statement_effect(struct sw_bytes statement, struct sw_bytes database, const struct sw_binlog_table_name *table)
{
    static const char *const harmless[] = {"SAVEPOINT", "RELEASE", "SET", "GRANT", "REVOKE", "ANALYZE", "OPTIMIZE", "REPAIR", "CHECK", "CHECKSUM", "FLUSH", "RESET", "PURGE", "INSTALL", "UNINSTALL", "USE", "KILL", "CHANGE", "STOP",
                                           "LOCK", "UNLOCK", "SHUTDOWN", "SIGNAL", "SHOW", "EXPLAIN", "CACHE", "BACKUP", NULL};
    struct tokens self = {.at = statement.at, .end = statement.at ? statement.at + statement.len : NULL, .table = table, .database = database};
    advance(&self);
    skip_wrappers(&self);
    if (self.token.kind == END || is_any(&self, harmless))
        return SW_BINLOG_NOTHING;
    if (accept(&self, "BEGIN"))
        return SW_BINLOG_BEGINS;
    if (accept(&self, "START"))
        return is(&self, "TRANSACTION") ? SW_BINLOG_BEGINS : SW_BINLOG_NOTHING;
    if (accept(&self, "COMMIT"))
        return SW_BINLOG_COMMITS;
    if (accept(&self, "ROLLBACK")) {
        accept(&self, "WORK");
        return is(&self, "TO") ? SW_BINLOG_ROLLS_BACK_TO : SW_BINLOG_ROLLS_BACK;
    }
    if (accept(&self, "XA"))
        return is(&self, "COMMIT") ? SW_BINLOG_XA_COMMITS : is(&self, "ROLLBACK") ? SW_BINLOG_XA_ROLLS_BACK : is(&self, "START") || is(&self, "BEGIN") ? SW_BINLOG_BEGINS : SW_BINLOG_NOTHING;
    if (accept(&self, "TRUNCATE")) {
        accept(&self, "TABLE");
        return take_reference(&self) ? SW_BINLOG_EMPTIES : SW_BINLOG_NOTHING;
    }
    if (accept(&self, "DROP"))
        return drop(&self);
    if (accept(&self, "CREATE"))
        return create(&self);
    if (accept(&self, "RENAME"))
        return rename_tables(&self);
    if (accept(&self, "ALTER"))
        return alter(&self);
    return may_change(&self);
}

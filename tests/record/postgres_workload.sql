-- Values at the edges of their types.
INSERT INTO kinds VALUES
  (10, 9999999999999999.9999, 123456789012345678901234567890.123456789, 9223372036854775807, 32767, 3.4028235e38, 1.7976931348623157e308, true, 'abc', 'é 漢 😀', 'line
break, "quotes", \backslash, tab	.', '\x00ff10', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"b": 1.10, "a": [1, null, {"c": 12345678901234567890}]}', '2026-02-28', '23:59:59.999999',
   '2026-02-28 23:59:59.999', '2026-02-28 23:59:59.999999', '2026-02-28 23:59:59.999999+14', '10101', 'ok', '{1,NULL,3}', '{a,"b,c",NULL}', '1 year 2 months 3 days 04:05:06.7', '04:05:06+02'),
  (11, -9999999999999999.9999, -1e-30, -9223372036854775808, -32768, -1.5, -2.5, false, '', '', '', '', '00000000-0000-0000-0000-000000000000', 'null', 'infinity', '00:00:00.000001', 'infinity', 'infinity', 'infinity', '00000', 'sad', '{}', '{}', '0', '00:00:00+00'),
  (12, 0, 0.000000000000000000001, 0, 0, 1e10, 1e-10, NULL, 'abcde', NULL, NULL, NULL, NULL, '"text"', '-infinity', '00:00:00', '-infinity', '-infinity', '-infinity', '11111', 'it''s "fine", or é', '{-1}', '{""}', '-1 day', '23:59:59-12'),
  (13, 1.1, 1e30, 9007199254740993, 1, 0.1, 0.1, true, 'x', 'y', 'z', '\xdeadbeef', NULL, '[]', '0044-03-15 BC', '12:00', '0044-03-15 12:00 BC', '0044-03-15 12:00:00.5 BC', '0044-03-15 12:00:00+00 BC', '00001', NULL, NULL, NULL, NULL, NULL),
  (14, NULL, 42, NULL, NULL, 1e-45, 5e-324, NULL, NULL, 'NULL', 'null', NULL, NULL, '{}', '1582-10-10', NULL, '1582-10-10 01:02:03', '0001-01-01 00:00:00', '0001-01-01 00:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL),
  (15, 100, 100.00, NULL, NULL, '-0', '-0', NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, '9999-12-31', NULL, '9999-12-31 23:59:59.999', '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999+00', NULL, NULL, NULL, NULL, NULL, NULL),
  (16, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '4713-01-01 BC', NULL, NULL, '4713-01-01 00:00:00 BC', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (17, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '5874897-12-31', NULL, NULL, '294246-12-31 23:59:59.999999', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
UPDATE kinds SET amount = amount + 0.0001, tstz = '2026-03-29 01:59:59 Europe/Berlin' WHERE id IN (1, 13);
UPDATE kinds SET free = 7.00 WHERE id = 2;
UPDATE kinds SET note = NULL, doc = '{"a": 1, "b": 1.1}' WHERE id = 10;
DELETE FROM kinds WHERE id = 3;
INSERT INTO lossy (id, free) VALUES (1, 'NaN'), (2, 'Infinity'), (3, '-Infinity');
INSERT INTO lossy (id, real8) VALUES (4, 'NaN'), (5, '-Infinity');
INSERT INTO lossy (id, t) VALUES (6, '24:00:00');
INSERT INTO lossy (id, ts) VALUES (7, '294276-12-31 23:59:59.999999');
INSERT INTO lossy (id, note) VALUES (8, '__debezium_unavailable_value'), (9, 'NaN');

-- Many rows at one position, by a multi-insert and by COPY.
INSERT INTO bulk SELECT n, 'row ' || n, timestamptz '2026-01-01 00:00:00+00' + n * interval '1.001 second' FROM generate_series(1, 60) n;
COPY bulk FROM STDIN;
101	copied 101	2026-02-02 00:00:00.123+02
102	copied 102	2026-02-02 00:00:00.124+02
103	copied 103	2026-02-02 00:00:00.125-09:30
104	copied 104	2026-02-02 00:00:00+00
\.
UPDATE bulk SET v = v || '!' WHERE id % 4 = 0;
DELETE FROM bulk WHERE id % 7 = 0;

-- Keys that change, move on, come back, and change places.
UPDATE accounts SET id = id + 100 WHERE id IN (1, 2);
UPDATE accounts SET id = id + 100 WHERE id = 101;
UPDATE accounts SET tenant = 't9', balance = balance - 0.01 WHERE id = 3;
BEGIN;
UPDATE accounts SET id = -1 WHERE tenant = 't1' AND id = 4;
UPDATE accounts SET id = 4 WHERE tenant = 't1' AND id = 7;
UPDATE accounts SET id = 7 WHERE tenant = 't1' AND id = -1;
COMMIT;
BEGIN;
UPDATE accounts SET id = 500 WHERE tenant = 't2' AND id = 5;
UPDATE accounts SET balance = 77.70 WHERE tenant = 't2' AND id = 500;
INSERT INTO accounts VALUES ('t2', 5, 0.05, 'a new one at a key that was left');
COMMIT;
DELETE FROM accounts WHERE tenant = 't2' AND id = 8;
INSERT INTO accounts VALUES ('t2', 8, 8.88, 'reborn');
BEGIN;
DELETE FROM accounts WHERE tenant = 't0' AND id = 9;
INSERT INTO accounts VALUES ('t0', 9, 9.99, 'reborn in one transaction');
UPDATE accounts SET balance = 9.98 WHERE tenant = 't0' AND id = 9;
COMMIT;
BEGIN;
INSERT INTO accounts VALUES ('t5', 1, 1, 'never seen by others');
DELETE FROM accounts WHERE tenant = 't5';
COMMIT;
BEGIN;
UPDATE accounts SET balance = 1000000 WHERE tenant = 't0';
ROLLBACK;
BEGIN;
UPDATE accounts SET balance = 1 WHERE tenant = 't0' AND id = 12;
SAVEPOINT s;
UPDATE accounts SET balance = 2 WHERE tenant = 't0' AND id IN (12, 15);
ROLLBACK TO SAVEPOINT s;
UPDATE accounts SET balance = 3 WHERE tenant = 't0' AND id = 15;
COMMIT;
UPDATE accounts SET holder = holder WHERE id = 18;

-- Columns that are stored out of line, and that an update leaves alone.
UPDATE docs SET title = 'retitled', n = n + 1 WHERE id <= 6;
UPDATE docs SET body = repeat('other body ', 300) WHERE id = 2;
UPDATE docs SET n = n + 1 WHERE id = 2;
UPDATE docs SET body = NULL WHERE id = 3;
UPDATE docs SET n = n + 1 WHERE id = 3;
UPDATE docs SET body = 'short' WHERE id = 4;
UPDATE docs SET id = 50 WHERE id = 5;
UPDATE docs SET n = n + 1 WHERE id = 50;
UPDATE docs SET id = 51 WHERE id = 50;
DELETE FROM docs WHERE id = 6;
INSERT INTO docs VALUES (6, 'again', repeat('again ', 500), decode(repeat('c0', 3000), 'hex'), 0);
UPDATE docs SET n = n + 1 WHERE id = 6;
BEGIN;
INSERT INTO docs VALUES (60, 'new', repeat('new ', 700), NULL, 0);
UPDATE docs SET n = 1 WHERE id = 60;
UPDATE docs SET id = 61 WHERE id = 60;
COMMIT;
UPDATE full_docs SET title = 'retitled', n = n + 1 WHERE id <= 6;
UPDATE full_docs SET body = repeat('other body ', 300) WHERE id = 2;
UPDATE full_docs SET n = n + 1 WHERE id = 2;
UPDATE full_docs SET id = 50 WHERE id = 5;
DELETE FROM full_docs WHERE id = 6;

-- Truncation, and rows after it.
UPDATE wiped SET v = 'changed' WHERE id = 1;
TRUNCATE wiped, wiped_too;
INSERT INTO wiped VALUES (1, 'after'), (100, 'after');
BEGIN;
INSERT INTO wiped VALUES (101, 'lost in its own transaction');
TRUNCATE wiped, wiped_too;
INSERT INTO wiped VALUES (2, 'behind the second'), (102, 'behind the second');
COMMIT;

-- Messages in the log, which are no rows.
SELECT 1 FROM pg_logical_emit_message(true, 'slackwater', 'in a transaction');
SELECT 1 FROM pg_logical_emit_message(false, 'slackwater', 'outside');

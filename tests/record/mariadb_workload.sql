USE shop;
-- Values at the edges of their types.
INSERT INTO kinds VALUES
  (10, 9999999999999999.9999, 9223372036854775807, 18446744073709551615, 127, 255, 16777215, 3.40282e38, 1.7976931348623157e308, true, 'abc', 'é 漢 😀', 'line
break, "quotes", \\backslash, tab	.', x'00ff10', x'01', x'00ff', '{"b": 1.10, "a": [1, null, {"c": 1234567890123456789}]}', '2026-02-28', '23:59:59.999999', 2155,
   '2026-02-28 23:59:59', '2026-02-28 23:59:59.999999', '2026-02-28 23:59:59', '2026-02-28 23:59:59.999999', b'10101', b'1', 'ok', 'a,c'),
  (11, -9999999999999999.9999, -9223372036854775808, 9223372036854775808, -128, 128, 8388608, 0.1, 0.1, false, '', '', '', '', x'00000000', '', 'null', '1000-01-01', '-838:59:59.000000', 1901,
   '1000-01-01 00:00:00', '1000-01-01 00:00:00.000001', '1970-01-01 00:00:01', '1970-01-01 00:00:01.000001', b'0', b'0', 'sad', ''),
  (12, 0, 0, 0, 0, 0, 0, -0.0, 5e-324, NULL, 'abcde', NULL, NULL, NULL, NULL, NULL, '"text"', '9999-12-31', '838:59:59.000000', 1970, '9999-12-31 23:59:59', '9999-12-31 23:59:59.999999',
   '2038-01-19 03:14:07', '2038-01-19 03:14:07.999999', b'11111', NULL, 'it''s "fine" or é', 'a,b,c'),
  (13, .01, 9007199254740993, 9007199254740993, 1, 1, 1, 1, 1, true, 'x', 'NULL', 'null', x'deadbeef', x'deadbeef', x'c3a9', '[]', '1582-10-10', '-00:00:00.000001', 1999, '1582-10-10 01:02:03',
   '0100-01-01 00:00:00.500000', '2026-03-29 01:00:00', '2026-10-25 00:30:00', b'1', b'1', NULL, NULL),
  (14, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0000-00-00', NULL, NULL, '0000-00-00 00:00:00', '0000-00-00 00:00:00', NULL, NULL, NULL, NULL, NULL, NULL);
UPDATE kinds SET amount = amount + 0.0001 WHERE id IN (1, 13);
UPDATE kinds SET note = NULL, doc = '{"a": 1, "b": 1.1}' WHERE id = 10;
DELETE FROM kinds WHERE id = 3;
INSERT INTO lossy (id, y) VALUES (1, 0);
INSERT INTO lossy (id, dt6) VALUES (2, '0001-01-01 00:00:00');
INSERT INTO lossy (id, mood) VALUES (3, 'with, comma'), (4, 'plain');

-- Many rows in one event.
INSERT INTO bulk SELECT seq, CONCAT('row ', seq), '2026-01-01 00:00:00' + INTERVAL seq * 1001000 MICROSECOND FROM seq_1_to_60;
UPDATE bulk SET v = CONCAT(v, '!') WHERE id % 4 = 0;
DELETE FROM bulk WHERE id % 7 = 0;

-- Keys that change, move on, come back, and change places; several in one event.
UPDATE accounts SET id = id + 100 WHERE id IN (1, 2);
UPDATE accounts SET id = id + 100 WHERE id = 101;
UPDATE accounts SET tenant = 't9', balance = balance - 0.01 WHERE id = 3;
UPDATE accounts SET id = id + 3 WHERE tenant = 't1' ORDER BY id DESC;
BEGIN;
UPDATE accounts SET id = -1 WHERE tenant = 't0' AND id = 6;
UPDATE accounts SET id = 6 WHERE tenant = 't0' AND id = 9;
UPDATE accounts SET id = 9 WHERE tenant = 't0' AND id = -1;
COMMIT;
DELETE FROM accounts WHERE tenant = 't2' AND id = 8;
INSERT INTO accounts VALUES ('t2', 8, 8.88, 'reborn');
BEGIN;
DELETE FROM accounts WHERE tenant = 't0' AND id = 12;
INSERT INTO accounts VALUES ('t0', 12, 9.99, 'reborn in one transaction');
UPDATE accounts SET balance = 9.98 WHERE tenant = 't0' AND id = 12;
COMMIT;
REPLACE INTO accounts VALUES ('t0', 15, 1.5, 'replaced');
INSERT INTO accounts VALUES ('t0', 15, 9, 'x'), ('t0', 333, 3, 'y') ON DUPLICATE KEY UPDATE balance = balance + 1;
BEGIN;
INSERT INTO accounts VALUES ('t5', 1, 1, 'never seen by others');
DELETE FROM accounts WHERE tenant = 't5';
COMMIT;
BEGIN;
UPDATE accounts SET balance = 1000000 WHERE tenant = 't0';
ROLLBACK;
BEGIN;
UPDATE accounts SET balance = 1 WHERE tenant = 't0' AND id = 18;
SAVEPOINT s;
UPDATE accounts SET balance = 2 WHERE tenant = 't0' AND id IN (18, 21);
ROLLBACK TO SAVEPOINT s;
UPDATE accounts SET balance = 3 WHERE tenant = 't0' AND id = 21;
COMMIT;

-- Truncation, and rows after it.
UPDATE wiped SET v = 'changed' WHERE id = 1;
TRUNCATE wiped;
INSERT INTO wiped VALUES (1, 'after'), (100, 'after');
TRUNCATE wiped;
INSERT INTO wiped VALUES (2, 'behind the second'), (102, 'behind the second');

-- What the tables hold before anything is recorded.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s "fine", or é');
CREATE TABLE kinds (
  id int PRIMARY KEY, amount numeric(20,4), free numeric, big bigint, small smallint, real4 real, real8 double precision, flag boolean, code char(5), note varchar(40),
  body text, raw bytea, uid uuid, doc jsonb, day date, t time, ts3 timestamp(3), ts timestamp, tstz timestamptz, bits bit(5), mood mood, numbers int[], words text[],
  span interval, tod timetz);
-- what one recorder or another loses
CREATE TABLE lossy (id int PRIMARY KEY, free numeric, real8 double precision, t time, ts timestamp, note text);
CREATE TABLE accounts (tenant text, id bigint, balance numeric(12,2) NOT NULL, holder text, PRIMARY KEY (tenant, id));
CREATE TABLE docs (id int PRIMARY KEY, title text, body text, raw bytea, n int NOT NULL DEFAULT 0);
ALTER TABLE docs ALTER body SET STORAGE EXTERNAL, ALTER raw SET STORAGE EXTERNAL;
CREATE TABLE full_docs (LIKE docs INCLUDING ALL);
ALTER TABLE full_docs REPLICA IDENTITY FULL;
CREATE TABLE wiped (id int PRIMARY KEY, v text);
CREATE TABLE wiped_too (id int PRIMARY KEY REFERENCES wiped, v text);
CREATE TABLE bulk (id int PRIMARY KEY, v text NOT NULL, at timestamptz(3) NOT NULL);
CREATE TABLE snapped (id int PRIMARY KEY, v text NOT NULL, n int NOT NULL);
CREATE TABLE busy (id int PRIMARY KEY, v text NOT NULL, n int NOT NULL);
CREATE TABLE fence (id serial PRIMARY KEY, v text NOT NULL);
CREATE TABLE signal_bare (id varchar(64) PRIMARY KEY, type varchar(32) NOT NULL, data varchar(2048));
CREATE TABLE signal_schema (LIKE signal_bare INCLUDING ALL);

INSERT INTO kinds (id, amount, ts, note) VALUES (1, 1.10, '2026-01-28 12:55:05.094', 'seeded'), (2, NULL, NULL, NULL), (3, -0.0001, 'infinity', '');
INSERT INTO accounts SELECT 't' || n % 3, n, n * 1.25, 'holder ' || n FROM generate_series(1, 24) n;
INSERT INTO docs SELECT n, 'title ' || n, repeat('body ' || n || ' ', 400), decode(repeat(lpad(to_hex(n), 2, '0'), 3000), 'hex') FROM generate_series(1, 12) n;
INSERT INTO full_docs SELECT * FROM docs;
INSERT INTO wiped SELECT n, 'before ' || n FROM generate_series(1, 8) n;
INSERT INTO wiped_too SELECT n, 'before ' || n FROM generate_series(1, 4) n;
INSERT INTO snapped SELECT n, 'old ' || n, 0 FROM generate_series(1, 48) n;
INSERT INTO busy SELECT n, 'old ' || n, 0 FROM generate_series(1, 8) n;
CREATE PUBLICATION everything FOR ALL TABLES;

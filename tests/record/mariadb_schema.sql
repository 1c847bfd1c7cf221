CREATE DATABASE shop;
USE shop;
CREATE TABLE kinds (
  id int PRIMARY KEY, amount decimal(20,4), big bigint, ubig bigint unsigned, tiny tinyint, utiny tinyint unsigned, umed mediumint unsigned, real4 float, real8 double, flag boolean,
  code char(5), note varchar(40), body mediumtext, raw varbinary(40), fixed binary(4), blobs blob, doc json, day date, t time(6), y year, dt datetime, dt6 datetime(6), ts timestamp NULL,
  ts6 timestamp(6) NULL, bits bit(5), bit1 bit(1), mood enum('sad','ok','it''s "fine" or é'), tags set('a','b','c')) CHARACTER SET utf8mb4;
-- what the recorder loses
CREATE TABLE lossy (id int PRIMARY KEY, y year, dt6 datetime(6), mood enum('plain','with, comma'));
CREATE TABLE accounts (tenant varchar(10), id bigint, balance decimal(12,2) NOT NULL, holder text, PRIMARY KEY (tenant, id));
CREATE TABLE wiped (id int PRIMARY KEY, v text);
CREATE TABLE bulk (id int PRIMARY KEY, v varchar(40) NOT NULL, at datetime(3) NOT NULL);
CREATE TABLE snapped (id int PRIMARY KEY, v varchar(40) NOT NULL, n int NOT NULL);
CREATE TABLE busy (id int PRIMARY KEY, v varchar(40) NOT NULL, n int NOT NULL);
CREATE TABLE fence (id int AUTO_INCREMENT PRIMARY KEY, v varchar(40) NOT NULL);
CREATE TABLE signal_bare (id varchar(64) PRIMARY KEY, type varchar(32) NOT NULL, data varchar(2048));
CREATE TABLE signal_schema LIKE signal_bare;
INSERT INTO kinds (id, amount, dt6, note) VALUES (1, 1.10, '2026-01-28 12:55:05.094', 'seeded'), (2, NULL, NULL, NULL), (3, -0.0001, '1000-01-01 00:00:00', '');
INSERT INTO accounts SELECT CONCAT('t', seq % 3), seq, seq * 1.25, CONCAT('holder ', seq) FROM seq_1_to_24;
INSERT INTO wiped SELECT seq, CONCAT('before ', seq) FROM seq_1_to_8;
INSERT INTO snapped SELECT seq, CONCAT('old ', seq), 0 FROM seq_1_to_48;
INSERT INTO busy SELECT seq, CONCAT('old ', seq), 0 FROM seq_1_to_8;

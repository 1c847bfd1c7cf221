#!/usr/bin/env python3
"""Records the binary logs in fuzz/corpus/binlog/ anew, with a throwaway MariaDB: what tests/unit/test_binlog.c reads and where fuzzing begins.

    tests/record/record_binlog.py FOLDER
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'harness'))
import servers  # noqa: E402

# One column a type, and rows at the ends of what each can hold. Also read by tests/live/test_mariadb_binlog.py.
KINDS = """
CREATE TABLE kinds (
  id BIGINT UNSIGNED PRIMARY KEY, t TINYINT, tu TINYINT UNSIGNED, s SMALLINT, m MEDIUMINT, mu MEDIUMINT UNSIGNED, i INT, iu INT UNSIGNED, z INT(9) ZEROFILL, b BIGINT, u BIGINT UNSIGNED, y YEAR,
  b1 BIT(1), b9 BIT(9), b64 BIT(64), de DECIMAL(65,30), d5 DECIMAL(5,2), d0 DECIMAL(10,0), dd DECIMAL(9,9), f FLOAT, d DOUBLE,
  c CHAR(8), cl CHAR(255), v VARCHAR(200), vl VARCHAR(2000) CHARACTER SET latin1, vu VARCHAR(20) CHARACTER SET ucs2, v16 VARCHAR(20) CHARACTER SET utf16, vs VARCHAR(20) CHARACTER SET sjis, tx LONGTEXT,
  tt TINYTEXT CHARACTER SET latin1, bi BINARY(4), bil BINARY(255), vb VARBINARY(16), vbl VARBINARY(300), bl BLOB, tb TINYBLOB, mb MEDIUMBLOB, lb LONGBLOB,
  e ENUM('a','b c','it''s','ü') , el ENUM('€','ß') CHARACTER SET latin1, st SET('x','y','z'), s64 SET('m0','m1','m2','m3','m4','m5','m6','m7','m8','m9'),
  da DATE, ti TIME, ti6 TIME(6), ti3 TIME(3), dt DATETIME, dt6 DATETIME(6), dt1 DATETIME(1), ts TIMESTAMP NULL, ts6 TIMESTAMP(6) NULL, ts2 TIMESTAMP(2) NULL,
  js JSON, uu UUID, ip INET6, i4 INET4, g GEOMETRY, po POINT, gv INT AS (t + 1) VIRTUAL, gs INT AS (t + 2) STORED, vc VARCHAR(500) COMPRESSED, bc BLOB COMPRESSED, inv INT INVISIBLE DEFAULT 5
) DEFAULT CHARSET utf8mb4
"""
NAMES = ('id,t,tu,s,m,mu,i,iu,z,b,u,y,b1,b9,b64,de,d5,d0,dd,f,d,c,cl,v,vl,vu,v16,vs,tx,tt,bi,bil,vb,vbl,bl,tb,mb,lb,e,el,st,s64,da,ti,ti6,ti3,dt,dt6,dt1,ts,ts6,ts2,js,uu,ip,i4,g,po,vc,bc')
ROWS = [f'INSERT INTO kinds ({NAMES}) VALUES ' + r"""(18446744073709551615,-128,255,-32768,-8388608,16777215,-2147483648,4294967295,42,-9223372036854775808,18446744073709551615,2155,b'1',b'101010101',
 b'1111111111111111111111111111111111111111111111111111111111111111',12345678901234567890123456789012345.123456789012345678901234567890,-999.99,-9999999999,0.000000001,0.1,0.1,
 'abc','añb','nß€ 😀"\\',_utf8mb4'€üñ',_utf8mb4'aü€',_utf8mb4'a😀',_utf8mb4'ソ漢','xx','t€','ab','ab','a\0b',REPEAT('q',299),UNHEX('00ff10'),'','m','l','b c','€','x,z','m0,m9',
 '9999-12-31','-838:59:59','-23:59:59.999999','00:00:00.001','9999-12-31 23:59:59','9999-12-31 23:59:59.999999','2000-01-01 00:00:00.9','2038-01-19 03:14:07','2038-01-19 03:14:07.999999',
 '1970-01-01 00:00:01.05','{"b": 1, "a": [1.10]}','123e4567-e89b-12d3-a456-426614174000','::ffff:1.2.3.4','1.2.3.4',ST_GeomFromText('POINT(1 2)',4326),POINT(3,4),REPEAT('zip',100),REPEAT('zap',100))""",
        f'INSERT INTO kinds ({NAMES}) VALUES ' + r"""(2,127,0,32767,8388607,0,2147483647,0,0,9223372036854775807,0,0,b'0',b'0',b'0',-0.000000000000000000000000000001,0.01,0,-0.999999999,16777217,
 1.7976931348623157e308,'','','','','','','','','','','','','','','','','','a','ß','','','0000-00-00','00:00:00','-00:00:00.000001','838:59:59.999','0000-00-00 00:00:00','1000-01-01 00:00:00',
 '2020-02-00 00:00:00','0000-00-00 00:00:00','0000-00-00 00:00:00','2001-09-09 01:46:40','null','f47ac10b-58cc-4372-a567-0e02b2c3d479','fe80::1','255.255.255.255',NULL,NULL,'','')""",
        f'INSERT INTO kinds ({NAMES}) VALUES ' + r"""(3,-1,1,-1,-1,1,-1,1,1,-1,1,1901,b'1',b'1',b'1',1,-1,1,0.5,1.1e-38,5e-324,'x  ','x','trail  ','é','x','x','x','x','x','\0\0a\0','\0','\0','\0','\0','\0',
 '\0','\0','it''s','€','y','m3','1000-01-00','12:34:56','-12:34:56.5','-00:00:01.5','2020-01-01 12:34:56','2020-01-01 12:34:56.5','2020-01-01 12:34:56.5','2020-01-01 12:34:56','2020-01-01 12:34:56.5',
 '2020-01-01 12:34:56.5','[1,"x\\u00fc",null]','00000000-0000-0000-0000-000000000001','::','0.0.0.0',NULL,NULL,'short','short')""",
        'INSERT INTO kinds (id) VALUES (1)', "UPDATE kinds SET t = 5, v = 'changed' WHERE id IN (2, 3)", 'DELETE FROM kinds WHERE id = 1']
ANY = "SET timestamp = 1764500000; SET sql_mode = ''; SET time_zone = '+00:00'; SET NAMES utf8mb4"
SMALL = 'CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(20), n DECIMAL(10,2) UNSIGNED) DEFAULT CHARSET utf8mb4'
CHANGES = ["INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)", "BEGIN; UPDATE t SET note = 'c' WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (3, 'x', 3.5); COMMIT",
           "XA START 'one'; INSERT INTO t VALUES (4, 'xa', 4); XA END 'one'; XA PREPARE 'one'", "INSERT INTO t VALUES (5, 'meanwhile', 5)", "XA COMMIT 'one'",
           "XA START 'two', 'b', 7; INSERT INTO t VALUES (6, 'xa', 6); XA END 'two', 'b', 7; XA PREPARE 'two', 'b', 7", "XA ROLLBACK 'two', 'b', 7",
           'SET SESSION binlog_row_image = MINIMAL; UPDATE t SET n = 9 WHERE id = 3; INSERT INTO t (id) VALUES (7); DELETE FROM t WHERE id = 7',
           'ALTER TABLE t ADD INDEX (note)', 'TRUNCATE TABLE t', "INSERT INTO t VALUES (8, 'last', 8)"]


def record(folder, name, statements, checksum='NONE', more=()):
    with servers.MariaDB(settings=[f'binlog-checksum={checksum}', *more]) as server:
        server.sql('RESET MASTER')
        for statement in statements:
            server.sql(f'{ANY}; {statement}')
        with open(os.path.join(server.folder, 'data', 'binlog.000001'), 'rb') as log, open(os.path.join(folder, name), 'wb') as out:
            out.write(log.read())


def main(folder):
    os.makedirs(folder, exist_ok=True)
    record(folder, 'kinds', [KINDS, *ROWS], more=['binlog-row-metadata=FULL'])
    record(folder, 'changes', [SMALL, *CHANGES])
    record(folder, 'checksums', [SMALL, CHANGES[0]], checksum='CRC32')
    record(folder, 'packed', [SMALL, 'INSERT INTO t SELECT seq, CONCAT("row ", seq), seq FROM seq_1_to_50', 'UPDATE t SET n = n + 1', 'DELETE FROM t WHERE id > 3', f'ALTER TABLE t COMMENT \'{"long " * 60}\''],
           more=['log-bin-compress=ON', 'log-bin-compress-min-len=10'])


if __name__ == '__main__':
    main(sys.argv[1])

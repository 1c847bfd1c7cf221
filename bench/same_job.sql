-- The whole reconciliation as one DuckDB script: the peer that `slackwater reconcile --order integer` is measured against.
-- READ_BASELINE, READ_EVENTS, READ_EXPECTED and VALUE are replaced by same_job.py; the inputs come from gen_case.
-- It answers the same questions: identity reuse, duplicate deliveries, conflicts at any version, the newest state with
-- tombstones kept, and what differs, key by key. Nothing is left out that would make it slower, nothing is added.
SET preserve_insertion_order=false;
CREATE TEMP VIEW baseline AS SELECT key, version, deleted, VALUE AS value FROM READ_BASELINE;
CREATE TEMP VIEW expected AS SELECT key, version, deleted, VALUE AS value FROM READ_EXPECTED;

-- one row an event; the same identity twice in here is a reused one
CREATE TEMP TABLE events AS
  SELECT id, key, version, op = 'delete' AS deleted, VALUE AS value, count(*) AS deliveries
  FROM READ_EVENTS GROUP BY ALL;

-- one row a version of a key
CREATE TEMP TABLE versions AS
  SELECT key, version, any_value(deleted) AS deleted, any_value(value) AS value,
         (min(deleted) <> max(deleted) OR min(value) IS DISTINCT FROM max(value)) AS conflict
  FROM (SELECT key, version, deleted, value FROM baseline
        UNION ALL
        SELECT key, version, deleted, value FROM events)
  GROUP BY key, version;

-- one row a key: its newest version, or blocked
CREATE TEMP TABLE states AS
  SELECT key, bool_or(conflict) AS blocked, max(version) AS version,
         arg_max(deleted, version) AS deleted, max_by(struct_pack(v := value), version).v AS value
  FROM versions GROUP BY key;

CREATE TEMP TABLE differences AS
  SELECT coalesce(s.key, x.key) AS key,
         CASE WHEN s.blocked THEN 'conflicting-version'
              WHEN s.key IS NULL THEN 'missing-state'
              WHEN x.key IS NULL THEN 'unexpected-state'
              ELSE 'state-mismatch' END AS reason
  FROM states s FULL OUTER JOIN expected x ON s.key = x.key
  WHERE s.blocked OR s.key IS NULL OR x.key IS NULL OR s.version <> x.version OR s.deleted <> x.deleted
        OR s.value IS DISTINCT FROM x.value;

SELECT (SELECT count(*) FROM (SELECT id FROM events GROUP BY id HAVING count(*) > 1)) AS "reusedIdentities",
       (SELECT sum(deliveries) - count(*) FROM events) AS "duplicateDeliveries",
       (SELECT count(*) FROM states WHERE NOT blocked) AS states,
       (SELECT count(*) FROM states WHERE NOT blocked AND deleted) AS tombstones,
       (SELECT count(*) FROM states WHERE blocked) AS "conflictKeys",
       (SELECT count(*) FROM differences WHERE reason = 'missing-state') AS "missingState",
       (SELECT count(*) FROM differences WHERE reason = 'unexpected-state') AS "unexpectedState",
       (SELECT count(*) FROM differences WHERE reason = 'state-mismatch') AS "stateMismatch",
       (SELECT count(*) FROM differences) AS differences;

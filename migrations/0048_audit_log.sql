-- What administrators do in their clubs, by a session or by a key: one row for each request that writes, in the statement of
-- its first write, so that both are there or neither; and those that a role or a key does not allow. Kept for 90 days. It
-- holds ids and no word of anybody.
-- No foreign keys: each would lock a row of its club or person in front of everything else that the request locks.
create table audit_log (
  club_id     uuid not null,
  id          uuid not null,
  at          timestamptz not null,
  -- The administrator; for a key whoever made it.
  user_id     uuid not null,
  key_id      uuid,
  -- As the contract names it: `students.remove`.
  operation   text not null check (operation ~ '^[A-Za-z]+\.[A-Za-z]+$' and char_length(operation) <= 100),
  student_id  uuid,
  -- The ids in the path by their names, without the club's.
  targets     jsonb not null check (jsonb_typeof(targets) = 'object' and octet_length(targets::text) <= 1000),
  created_id  uuid,
  request_id  text check (char_length(request_id) between 1 and 64),
  outcome     text not null check (outcome in ('done', 'refused')),
  primary key (club_id, id)
);
create index audit_log_user_idx on audit_log (club_id, user_id, id);
create index audit_log_key_idx on audit_log (club_id, key_id, id) where key_id is not null;
create index audit_log_student_idx on audit_log (club_id, student_id, id) where student_id is not null;
-- What is past its time is deleted by this order.
create index audit_log_at_idx on audit_log (at);

-- How often a key has read what is said of people: by operation and hour.
create table audit_reads (
  club_id    uuid not null,
  id         uuid not null,
  key_id     uuid not null,
  operation  text not null check (operation ~ '^[A-Za-z]+\.[A-Za-z]+$' and char_length(operation) <= 100),
  hour       timestamptz not null,
  count      integer not null check (count > 0),
  primary key (club_id, id),
  unique (club_id, key_id, operation, hour)
) with (fillfactor = 50);
create index audit_reads_hour_idx on audit_reads (hour);

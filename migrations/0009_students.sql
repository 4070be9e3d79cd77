-- What a club keeps of a student, how students are found, and the receipts of removals.

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- Text as it is searched: without case and accents. What people type is folded by the same function.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));

-- `document` is the tax document, sealed. `search` is made by the database, so that it never tells more than name and
-- address do. `removed_at`: the person is anonymized; the row stays for what refers to it.
-- Adding `search` rewrites the table, once.
alter table students
  add column document bytea,
  add column removed_at timestamptz,
  add column search text not null generated always as (fold(name || ' ' || email)) stored;

-- A club's students are read in the order of their ids; by an index of ids alone that would lead through other clubs'.
alter table students drop constraint students_id_key;

create index students_search_idx on students using gin (club_id, search gin_trgm_ops);

-- What a removal deleted, in numbers, for 90 days. Nothing here tells who it was.
create table student_erasures (
  club_id        uuid not null,
  student_id     uuid not null,
  erased_at      timestamptz not null,
  actor_user_id  uuid references users (id),
  counts         jsonb not null,
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index student_erasures_erased_at_idx on student_erasures (erased_at);

-- Whom a kept answer or a waiting mail is about, as far as it is a person who can be removed: what is sealed is found by
-- it. An answer that was erased is null, and its key stays taken until it expires.
alter table idempotency_keys
  add column about uuid,
  alter column answer drop not null;

alter table mails add column about uuid;

create index idempotency_keys_about_idx on idempotency_keys (about) where about is not null;
create index mails_about_idx on mails (about) where about is not null;

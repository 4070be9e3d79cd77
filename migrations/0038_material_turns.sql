-- Whose turn it is to have material read: clubs take turns, lesson by lesson. And what reading a club's documents has cost
-- on the last of its days on which there were any, in milliseconds of processor time.
create table material_turns (
  club_id   uuid primary key references clubs (id),
  taken_at  timestamptz not null,
  day       date,
  spent_ms  integer not null default 0 check (spent_ms >= 0)
);

-- What of a club is due, oldest first. Nothing looks for what is due of all clubs any more.
create index material_queue_club_idx on material_queue (club_id, due_at, lesson_id);
drop index material_queue_due_idx;

-- Why a document cannot be read, of those that were tried since this is kept.
alter table media_readings add column reason text
  check (reason is null or (reason in ('broken', 'missing', 'too_large', 'memory', 'time') and outcome = 'unreadable'));

-- What happened and is not yet a message, and the students about whom nothing may go out any more.

-- A fact commits with the change it tells of; `id` becomes the webhook-id. `subject` holds ids and what only that moment
-- knew (an earlier date, which fields changed), never a name or an address. `due_at` is when it may be assembled: a few
-- seconds after the fact, or later where assembling it has failed.
-- The reference to the student also orders facts and erasure: who erases holds the student's row.
create table event_outbox (
  club_id      uuid not null references clubs (id),
  id           uuid not null,
  type         text not null,
  student_id   uuid not null,
  subject      jsonb not null,
  failures     integer not null default 0,
  occurred_at  timestamptz not null,
  due_at       timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index event_outbox_due_at_idx on event_outbox (due_at, id);
-- Which clubs wait, and what each has waiting.
create index event_outbox_club_due_at_idx on event_outbox (club_id, due_at, id);
create index event_outbox_student_idx on event_outbox (club_id, student_id);

-- A student's row here ends every event about that person but student.removed.
create table erased_students (
  club_id     uuid not null,
  student_id  uuid not null,
  erased_at   timestamptz not null,
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id)
);

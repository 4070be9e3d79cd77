-- Lives: what is shown at a time, and who came.

create table lives (
  club_id      uuid not null references clubs (id),
  id           uuid not null,
  title        text not null check (char_length(title) between 1 and 200),
  description  text not null check (char_length(description) <= 5000),
  url          text check (char_length(url) between 1 and 2048),
  starts_at    timestamptz not null,
  ends_at      timestamptz,
  status       text not null check (status in ('scheduled', 'open', 'ended')),
  opened_at    timestamptz,
  ended_at     timestamptz,
  created_at   timestamptz not null,
  deleted_at   timestamptz,
  primary key (club_id, id),
  check (ends_at > starts_at),
  check ((status = 'scheduled') = (opened_at is null)),
  check ((status = 'ended') = (ended_at is not null))
);

-- Lists are by the start, the latest first.
create index lives_starts_at_idx on lives (club_id, starts_at desc, id desc) where deleted_at is null;

create table live_attendances (
  club_id     uuid not null,
  live_id     uuid not null,
  student_id  uuid not null,
  joined_at   timestamptz not null,
  primary key (club_id, live_id, student_id),
  foreign key (club_id, live_id) references lives (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id)
);

-- Who came, in the order in which they came.
create index live_attendances_joined_at_idx on live_attendances (club_id, live_id, joined_at, student_id);

-- The places of a session's streams of answers, numbered from 1: so many may be open at once, whichever processes tell
-- them. A place that its process did not give back is free from `ends_at` on.
create table answer_streams (
  club_id     uuid not null references clubs (id),
  session_id  uuid not null references student_sessions (id) on delete cascade,
  place       integer not null check (place > 0),
  id          uuid not null,
  ends_at     timestamptz not null,
  primary key (session_id, place)
);

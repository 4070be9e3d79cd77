-- beside: 0074
-- Where a student is in a lesson, to go on from there. A player writes it every few seconds, so it has no other index than
-- its key, and each page has room for the next version of its rows.
create table lesson_positions (
  club_id     uuid not null,
  student_id  uuid not null,
  lesson_id   uuid not null,
  seconds     integer not null check (seconds between 0 and 86400),
  block_id    uuid,
  updated_at  timestamptz not null,
  primary key (club_id, student_id, lesson_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id),
  foreign key (club_id, block_id) references blocks (club_id, id)
) with (fillfactor = 80);

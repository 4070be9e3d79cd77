-- beside: 0074
-- Up to which post a student has seen a space. Newer ones are unread. The post may be deleted meanwhile: only its place in
-- the order matters, so there is no foreign key to it.
create table space_marks (
  club_id       uuid not null,
  student_id    uuid not null,
  space_id      uuid not null,
  seen_post_id  uuid not null,
  primary key (club_id, student_id, space_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, space_id) references spaces (club_id, id)
);

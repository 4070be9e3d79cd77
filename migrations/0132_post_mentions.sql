-- beside: 0074
-- The people whom a post names, as those of comments.
create table post_mentions (
  club_id     uuid not null,
  post_id     uuid not null,
  position    integer not null check (position > 0),
  student_id  uuid,
  user_id     uuid references users (id),
  primary key (club_id, post_id, position),
  foreign key (club_id, post_id) references posts (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(student_id, user_id) = 1)
);

create index post_mentions_student_idx on post_mentions (club_id, student_id) where student_id is not null;

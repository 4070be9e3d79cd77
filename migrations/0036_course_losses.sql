-- Courses that have lost a live lesson, whose students may have completed all that is left of it. A row is a job: `at` is
-- when the last lesson went, `after_student_id` how far its students were looked at, `asked` how often it was begun.
create table course_losses (
  club_id           uuid not null,
  course_id         uuid not null,
  at                timestamptz not null,
  after_student_id  uuid,
  asked             integer not null default 1,
  due_at            timestamptz not null,
  primary key (club_id, course_id),
  foreign key (club_id, course_id) references courses (club_id, id)
);

create index course_losses_due_idx on course_losses (due_at);

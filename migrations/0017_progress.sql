-- What students did with lessons.

-- `first_completed_at` stays when a completion is undone: event and points of a lesson come once.
create table lesson_completions (
  club_id             uuid not null,
  student_id          uuid not null,
  lesson_id           uuid not null,
  first_completed_at  timestamptz not null,
  completed_at        timestamptz,
  primary key (club_id, student_id, lesson_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id)
);

create index lesson_completions_lesson_idx on lesson_completions (club_id, lesson_id, student_id);

-- Once for each student and course, when the last of its live lessons was completed.
create table course_completions (
  club_id       uuid not null,
  student_id    uuid not null,
  course_id     uuid not null,
  completed_at  timestamptz not null,
  primary key (club_id, student_id, course_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, course_id) references courses (club_id, id)
);

-- `answers`: [{question_id, option_id}].
create table quiz_attempts (
  club_id     uuid not null,
  id          uuid not null,
  student_id  uuid not null,
  block_id    uuid not null,
  answers     jsonb not null,
  percent     integer not null check (percent between 0 and 100),
  passed      boolean not null,
  created_at  timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, block_id) references blocks (club_id, id)
);

create index quiz_attempts_student_idx on quiz_attempts (club_id, student_id, block_id, id desc);

-- A student has one submission at a time that waits or is approved; a rejected one makes room for the next.
create table submissions (
  club_id           uuid not null,
  id                uuid not null,
  student_id        uuid not null,
  block_id          uuid not null,
  body              text not null check (char_length(body) <= 20000),
  status            text not null check (status in ('pending', 'approved', 'rejected')),
  feedback          text check (char_length(feedback) between 1 and 5000),
  reviewer_user_id  uuid references users (id),
  reviewed_at       timestamptz,
  created_at        timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, block_id) references blocks (club_id, id),
  check ((status = 'pending') = (reviewed_at is null))
);

create unique index submissions_open_key on submissions (club_id, student_id, block_id) where status <> 'rejected';
create index submissions_student_idx on submissions (club_id, student_id, block_id, id desc);
create index submissions_block_idx on submissions (club_id, block_id, id desc);
create index submissions_status_idx on submissions (club_id, status, id desc);

create table submission_media (
  club_id        uuid not null,
  submission_id  uuid not null,
  media_id       uuid not null,
  position       integer not null check (position > 0),
  primary key (club_id, submission_id, media_id),
  foreign key (club_id, submission_id) references submissions (club_id, id) on delete cascade,
  foreign key (club_id, media_id) references media (club_id, id)
);

create index submission_media_media_idx on submission_media (club_id, media_id);

-- Gamification of a club: its switches, what each action pays, the ladder of levels and the ledger of points.
-- Nobody's total or level is stored: both are computed from these rows when they are read.

-- Created with the club. Whoever changes rules or levels locks this row first.
-- ladder_version counts the replacements of the levels: who plans a ladder from what was read replaces only that one.
create table gamification (
  club_id          uuid primary key references clubs (id),
  enabled          boolean not null,
  ranking_visible  boolean not null,
  ladder_version   integer not null default 0
);

-- An action without a row pays nothing. How often a day an action pays is fixed by the platform and not stored.
create table gamification_rules (
  club_id  uuid not null references gamification (club_id),
  action   text not null check (action in (
    'lesson_completed', 'course_completed', 'quiz_passed', 'assignment_approved',
    'comment_posted', 'post_published', 'live_attended'
  )),
  points   integer not null check (points between 0 and 1000),
  primary key (club_id, action)
);

-- Deferrable: within the statement that replaces a ladder, levels may swap their min_points.
create table levels (
  club_id     uuid not null references gamification (club_id),
  id          uuid not null,
  name        text not null check (char_length(name) between 1 and 40),
  min_points  integer not null check (min_points >= 0),
  primary key (club_id, id),
  constraint levels_min_points_key unique (club_id, min_points) deferrable initially immediate
);

-- The ledger. An action pays once per origin: the lesson, the quiz's block, the post and so on.
-- An adjustment is its own origin. `reason` is text about a student.
create table point_entries (
  club_id        uuid not null,
  id             uuid not null,
  student_id     uuid not null,
  action         text not null check (action in (
    'lesson_completed', 'course_completed', 'quiz_passed', 'assignment_approved',
    'comment_posted', 'post_published', 'live_attended', 'adjustment'
  )),
  origin_id      uuid not null,
  points         integer not null check (points between -1000000 and 1000000 and points <> 0),
  reason         text check (char_length(reason) between 1 and 500),
  actor_user_id  uuid references users (id),
  created_at     timestamptz not null,
  primary key (club_id, id),
  constraint point_entries_origin_key unique (club_id, student_id, action, origin_id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (action = 'adjustment' or (points > 0 and reason is null)),
  check ((action = 'adjustment') = (actor_user_id is not null))
);

-- A page of a student's statement, newest first, and the student's total without touching the table.
create index point_entries_statement_idx on point_entries (club_id, student_id, id desc) include (points);

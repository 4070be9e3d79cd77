-- beside: 0074
-- What happened that concerns a student: a reply, a mention, graded work, an answer of support, a live. Its words are copies:
-- `title` says what it is about, and `titled_by` is the student who wrote those words, if one did. A live is notified once.
create table notifications (
  club_id           uuid not null,
  student_id        uuid not null,
  id                uuid not null,
  kind              text not null check (
    kind in ('reply', 'mention', 'assignment_reviewed', 'assistant_answer', 'support_answer', 'live')
  ),
  actor_student_id  uuid,
  actor_user_id     uuid references users (id),
  title             text not null check (char_length(title) <= 200),
  titled_by         uuid,
  excerpt           text check (char_length(excerpt) between 1 and 200),
  lesson_public_id  text check (char_length(lesson_public_id) between 1 and 32),
  comment_id        uuid,
  post_id           uuid,
  conversation_id   uuid,
  live_id           uuid,
  created_at        timestamptz not null,
  read_at           timestamptz,
  mailed_at         timestamptz,
  primary key (club_id, student_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, actor_student_id) references students (club_id, id),
  foreign key (club_id, titled_by) references students (club_id, id),
  check (num_nonnulls(actor_student_id, actor_user_id) <= 1)
);

create index notifications_unread_idx on notifications (club_id, student_id, id) where read_at is null;
create unique index notifications_live_key on notifications (club_id, live_id, student_id) where live_id is not null;
-- By these they are withdrawn: what they are about is gone, or whose words they hold.
create index notifications_comment_idx on notifications (club_id, comment_id) where comment_id is not null;
create index notifications_post_idx on notifications (club_id, post_id) where post_id is not null;
create index notifications_actor_idx on notifications (club_id, actor_student_id) where actor_student_id is not null;
create index notifications_titled_idx on notifications (club_id, titled_by) where titled_by is not null;
-- What is older than it may become is deleted by this order.
create index notifications_created_at_idx on notifications (created_at);

-- How a student wants to be mailed about them, and when the next mail is due; null while nothing waits. No row: as a new one.
create table notification_settings (
  club_id     uuid not null,
  student_id  uuid not null,
  mail        text not null default 'daily' check (mail in ('at_once', 'daily', 'never')),
  due_at      timestamptz,
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (mail <> 'never' or due_at is null)
);

create index notification_settings_due_idx on notification_settings (due_at) where due_at is not null;

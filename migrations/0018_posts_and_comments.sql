-- What people write: posts in the spaces of a community, comments on lessons and posts, and what others do with them.

-- Written by a student or by a member of the staff.
create table posts (
  club_id     uuid not null,
  id          uuid not null,
  space_id    uuid not null,
  student_id  uuid,
  user_id     uuid references users (id),
  title       text check (char_length(title) between 1 and 200),
  body        text not null check (char_length(body) <= 20000),
  hidden      boolean not null default false,
  pinned      boolean not null default false,
  created_at  timestamptz not null,
  edited_at   timestamptz,
  deleted_at  timestamptz,
  primary key (club_id, id),
  foreign key (club_id, space_id) references spaces (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(student_id, user_id) = 1)
);

create index posts_space_idx on posts (club_id, space_id, id desc);
create index posts_pinned_idx on posts (club_id, space_id, id desc) where pinned;
create index posts_student_idx on posts (club_id, student_id) where student_id is not null;

-- On a lesson or on a post. A reply has the first comment of its thread as `parent_id`. `author` says who wrote it; the
-- assistant is neither a student nor a member.
create table comments (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  lesson_id   uuid,
  post_id     uuid,
  parent_id   uuid,
  author      text not null check (author in ('student', 'staff', 'assistant')),
  student_id  uuid,
  user_id     uuid references users (id),
  body        text not null check (char_length(body) <= 5000),
  hidden      boolean not null default false,
  pinned      boolean not null default false,
  answered    boolean not null default false,
  pending     boolean not null default false,
  spam        boolean not null default false,
  created_at  timestamptz not null,
  edited_at   timestamptz,
  deleted_at  timestamptz,
  primary key (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id),
  foreign key (club_id, post_id) references posts (club_id, id),
  foreign key (club_id, parent_id) references comments (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(lesson_id, post_id) = 1),
  check ((author = 'student') = (student_id is not null)),
  check ((author = 'staff') = (user_id is not null))
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The threads of a place, and all that was said there.
create index comments_lesson_threads_idx on comments (club_id, lesson_id, id desc) where lesson_id is not null and parent_id is null;
create index comments_lesson_idx on comments (club_id, lesson_id, id desc) where lesson_id is not null;
create index comments_post_threads_idx on comments (club_id, post_id, id desc) where post_id is not null and parent_id is null;
create index comments_post_idx on comments (club_id, post_id, id desc) where post_id is not null;
-- The few on a post that may not be shown, so that counting what is shown is counting entries of an index.
create index comments_post_odd_idx on comments (club_id, post_id) where post_id is not null and (pending or spam or deleted_at is not null);
create index comments_parent_idx on comments (club_id, parent_id, id) where parent_id is not null;
create index comments_student_idx on comments (club_id, student_id) where student_id is not null;
-- What the staff looks through: everything, and the states that are rare.
create index comments_inbox_idx on comments (club_id, id desc);
create index comments_pending_idx on comments (club_id, id desc) where pending and deleted_at is null;
create index comments_spam_idx on comments (club_id, id desc) where spam and deleted_at is null;
create index comments_hidden_idx on comments (club_id, id desc) where hidden and deleted_at is null;
create index comments_unanswered_idx on comments (club_id, id desc)
  where author = 'student' and parent_id is null and not answered and not spam and deleted_at is null;
-- The assistant answers a comment once: the database decides.
create unique index comments_assistant_key on comments (club_id, parent_id) where author = 'assistant';

-- What students give to comments.
create table comment_reactions (
  club_id     uuid not null,
  comment_id  uuid not null,
  student_id  uuid not null,
  reaction    text not null check (char_length(reaction) between 1 and 16),
  created_at  timestamptz not null,
  primary key (club_id, comment_id, student_id, reaction),
  foreign key (club_id, comment_id) references comments (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index comment_reactions_student_idx on comment_reactions (club_id, student_id);

create table comment_saves (
  club_id     uuid not null,
  student_id  uuid not null,
  comment_id  uuid not null,
  created_at  timestamptz not null,
  primary key (club_id, student_id, comment_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, comment_id) references comments (club_id, id)
);

create table comment_reports (
  club_id     uuid not null,
  comment_id  uuid not null,
  student_id  uuid not null,
  reason      text check (char_length(reason) between 1 and 500),
  created_at  timestamptz not null,
  primary key (club_id, comment_id, student_id),
  foreign key (club_id, comment_id) references comments (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index comment_reports_student_idx on comment_reports (club_id, student_id);

create table comment_mentions (
  club_id     uuid not null,
  comment_id  uuid not null,
  position    integer not null check (position > 0),
  student_id  uuid,
  user_id     uuid references users (id),
  primary key (club_id, comment_id, position),
  foreign key (club_id, comment_id) references comments (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(student_id, user_id) = 1)
);

create index comment_mentions_student_idx on comment_mentions (club_id, student_id) where student_id is not null;

create table comment_images (
  club_id     uuid not null,
  comment_id  uuid not null,
  media_id    uuid not null,
  position    integer not null check (position > 0),
  primary key (club_id, comment_id, media_id),
  foreign key (club_id, comment_id) references comments (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id)
);

create index comment_images_media_idx on comment_images (club_id, media_id);

-- A kept answer may be about several people: who wrote a comment, and whom it names.
drop index idempotency_keys_about_idx;
alter table idempotency_keys alter column about type uuid[] using case when about is not null then array[about] end;
create index idempotency_keys_about_idx on idempotency_keys using gin (about) where about is not null;

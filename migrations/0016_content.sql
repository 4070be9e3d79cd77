-- What is taught: courses, their modules, the lessons in them, and the blocks that a lesson is made of.
-- What is deleted keeps its row: what students did with it, and the events that tell of it, refer to it.

create table courses (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  public_id   text not null check (public_id ~ '^[A-Za-z0-9_-]{1,32}$'),
  title       text not null check (char_length(title) between 1 and 200),
  position    integer not null check (position > 0),
  created_at  timestamptz not null,
  deleted_at  timestamptz,
  primary key (club_id, id),
  constraint courses_public_id_key unique (club_id, public_id)
);

create index courses_order_idx on courses (club_id, position, id) where deleted_at is null;

create table modules (
  club_id     uuid not null,
  id          uuid not null,
  course_id   uuid not null,
  title       text not null check (char_length(title) between 1 and 200),
  position    integer not null check (position > 0),
  created_at  timestamptz not null,
  deleted_at  timestamptz,
  primary key (club_id, id),
  unique (club_id, course_id, id),
  foreign key (club_id, course_id) references courses (club_id, id)
);

create index modules_order_idx on modules (club_id, course_id, position, id) where deleted_at is null;

-- A lesson is live from `published_at` on; null is a draft. `public_id` is in its address in the classroom.
create table lessons (
  club_id       uuid not null,
  id            uuid not null,
  course_id     uuid not null,
  module_id     uuid not null,
  public_id     text not null check (public_id ~ '^[A-Za-z0-9_-]{1,32}$'),
  title         text not null check (char_length(title) between 1 and 200),
  position      integer not null check (position > 0),
  published_at  timestamptz,
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  primary key (club_id, id),
  constraint lessons_public_id_key unique (club_id, public_id),
  foreign key (club_id, course_id, module_id) references modules (club_id, course_id, id)
);

create index lessons_order_idx on lessons (club_id, module_id, position, id) where deleted_at is null;
create index lessons_course_idx on lessons (club_id, course_id, id) where deleted_at is null and published_at is not null;

-- `body` of text and assignments, `media_id` of video and file until they are deleted, `questions` and `pass_percent` of a quiz:
-- [{id, text, options: [{id, text, correct}]}].
create table blocks (
  club_id       uuid not null,
  id            uuid not null,
  lesson_id     uuid not null,
  kind          text not null check (kind in ('text', 'video', 'quiz', 'assignment', 'file')),
  title         text check (char_length(title) between 1 and 200),
  position      integer not null check (position > 0),
  body          text check (char_length(body) <= 100000),
  media_id      uuid,
  questions     jsonb,
  pass_percent  integer check (pass_percent between 1 and 100),
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  primary key (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id),
  check ((kind in ('text', 'assignment')) = (body is not null)),
  check (kind in ('video', 'file') or media_id is null),
  check (kind not in ('video', 'file') or media_id is not null or deleted_at is not null),
  check ((kind = 'quiz') = (questions is not null)),
  check ((kind = 'quiz') = (pass_percent is not null))
);

create index blocks_order_idx on blocks (club_id, lesson_id, position, id) where deleted_at is null;
create index blocks_media_idx on blocks (club_id, media_id) where media_id is not null;

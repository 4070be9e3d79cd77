-- The lesson assistant: who it is in a club, what students asked, what it answered, and how much of it was used.

-- Every club has one agent. `monthly_budget`: how many answers a month the club allows in all; null is as many as asked.
create table agents (
  club_id         uuid primary key references clubs (id),
  id              uuid not null,
  name            text not null check (char_length(name) between 1 and 80),
  enabled         boolean not null,
  daily_limit     integer not null check (daily_limit between 0 and 1000),
  monthly_budget  integer check (monthly_budget between 0 and 1000000),
  created_at      timestamptz not null
);

insert into agents (club_id, id, name, enabled, daily_limit, created_at)
select id, gen_random_uuid(), case locale when 'pt-BR' then 'Assistente' else 'Assistant' end, true, 10, created_at
from clubs;

-- One row for each student and day, and one for each club and month, as the club's time zone counts them.
create table assistant_days (
  club_id     uuid not null,
  student_id  uuid not null,
  day         date not null,
  used        integer not null check (used >= 0),
  primary key (club_id, student_id, day),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index assistant_days_day_idx on assistant_days (day);

create table assistant_months (
  club_id  uuid not null references clubs (id),
  month    date not null,
  used     integer not null check (used >= 0),
  primary key (club_id, month)
);

create table conversations (
  club_id          uuid not null,
  id               uuid not null,
  student_id       uuid not null,
  lesson_id        uuid not null,
  title            text not null check (char_length(title) between 1 and 120),
  created_at       timestamptz not null,
  last_message_at  timestamptz not null,
  primary key (club_id, id),
  unique (club_id, student_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id)
);

create index conversations_latest_idx on conversations (club_id, student_id, lesson_id, last_message_at desc, id desc);

-- A question of the student, or the answer to it, which is a job while it is `generating`: `leased_until` keeps a second
-- worker away. `citations` is what the contract's Citation says. `day` and `month` are whose allowance it took.
create table messages (
  club_id          uuid not null,
  id               uuid not null,
  conversation_id  uuid not null,
  student_id       uuid not null,
  role             text not null check (role in ('user', 'assistant')),
  content          text not null,
  status           text not null check (status in ('generating', 'completed', 'failed', 'canceled')),
  citations        jsonb not null default '[]',
  error_code       text check (error_code in ('timeout', 'interrupted', 'provider_unavailable', 'provider_rate_limited', 'answer_refused')),
  reply_to         uuid,
  day              date,
  month            date,
  tries            integer not null default 0,
  leased_until     timestamptz,
  created_at       timestamptz not null,
  completed_at     timestamptz,
  primary key (club_id, id),
  foreign key (club_id, student_id, conversation_id) references conversations (club_id, student_id, id),
  foreign key (club_id, reply_to) references messages (club_id, id),
  check ((role = 'assistant') = (reply_to is not null)),
  check ((status = 'generating') = (completed_at is null)),
  check ((status = 'failed') = (error_code is not null))
);

create index messages_conversation_idx on messages (club_id, conversation_id, id desc);
create index messages_student_idx on messages (club_id, student_id);
create index messages_reply_idx on messages (club_id, reply_to) where reply_to is not null;
-- One answer at a time: the database decides.
create unique index messages_generating_key on messages (club_id, conversation_id) where status = 'generating';
create index messages_jobs_idx on messages (leased_until nulls first, id) where status = 'generating';

create table message_images (
  club_id     uuid not null,
  message_id  uuid not null,
  media_id    uuid not null,
  position    integer not null check (position > 0),
  primary key (club_id, message_id, media_id),
  foreign key (club_id, message_id) references messages (club_id, id) on delete cascade,
  foreign key (club_id, media_id) references media (club_id, id)
);

create index message_images_media_idx on message_images (club_id, media_id);

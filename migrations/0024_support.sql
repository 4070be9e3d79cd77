-- Support: conversations between a student and the staff, and what each member has not read of them.

-- One row per club. `activity` counts the messages of the club; whoever writes one raises it first, so that numbers are
-- given in the order in which messages are committed.
create table support_desks (
  club_id   uuid primary key references clubs (id),
  activity  integer not null check (activity > 0)
);

-- `activity` is that of the last message: the order of every list. `last_number` is the number of that message.
-- `assignee_user_id` may have left the club since. A removed student's `subject` is empty.
create table support_conversations (
  club_id              uuid not null,
  id                   uuid not null,
  student_id           uuid not null,
  subject              text not null check (char_length(subject) <= 200),
  status               text not null check (status in ('open', 'pending', 'closed')),
  assignee_user_id     uuid references users (id),
  activity             integer not null,
  last_number          integer not null check (last_number > 0),
  student_unread       integer not null check (student_unread >= 0),
  student_read_number  integer not null check (student_read_number between 0 and last_number),
  created_at           timestamptz not null,
  last_message_at      timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id)
);

create index support_conversations_activity_idx on support_conversations (club_id, status, activity desc);
create index support_conversations_assignee_idx on support_conversations (club_id, assignee_user_id, status, activity desc)
  where assignee_user_id is not null;
create index support_conversations_student_idx on support_conversations (club_id, student_id, activity desc);

-- Written by the student of the conversation or by a member of the staff. Numbers count from 1 in each conversation.
create table support_messages (
  club_id          uuid not null,
  conversation_id  uuid not null,
  number           integer not null check (number > 0),
  id               uuid not null,
  student_id       uuid,
  user_id          uuid references users (id),
  body             text not null check (char_length(body) <= 5000),
  created_at       timestamptz not null,
  primary key (club_id, conversation_id, number),
  foreign key (club_id, conversation_id) references support_conversations (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(student_id, user_id) = 1)
);

-- Who reads the conversations of a club. What was last written at the activity `since` or before is no news to them.
create table support_inboxes (
  club_id  uuid not null references clubs (id),
  user_id  uuid not null references users (id),
  since    integer not null check (since >= 0),
  primary key (club_id, user_id)
);

-- How far a member has read a conversation, and a copy of what lists choose conversations by. Everything in which a
-- message was written after an inbox's `since` has a mark there; one of an earlier `activity` is left from a time before
-- and means nothing.
create table support_marks (
  club_id           uuid not null,
  conversation_id   uuid not null,
  user_id           uuid not null references users (id),
  activity          integer not null,
  status            text not null check (status in ('open', 'pending', 'closed')),
  assignee_user_id  uuid,
  unread            integer not null check (unread >= 0),
  is_unread         boolean not null generated always as (unread > 0) stored,
  read_number       integer not null check (read_number >= 0),
  primary key (club_id, conversation_id, user_id),
  foreign key (club_id, conversation_id) references support_conversations (club_id, id)
);

create index support_marks_activity_idx on support_marks (club_id, user_id, is_unread, status, activity desc);
create index support_marks_assignee_idx on support_marks (club_id, user_id, is_unread, assignee_user_id, status, activity desc)
  where assignee_user_id is not null;

-- Sessions of both identities, sign-ups that wait for their mail to be answered, and one-time tokens.
-- Of every token only the SHA-256 is stored.

create table user_sessions (
  id            uuid primary key,
  token_hash    bytea not null unique check (octet_length(token_hash) = 32),
  user_id       uuid not null references users (id),
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null
);

create index user_sessions_user_id_idx on user_sessions (user_id, id);
create index user_sessions_expires_at_idx on user_sessions (expires_at);

create table student_sessions (
  id            uuid primary key,
  token_hash    bytea not null unique check (octet_length(token_hash) = 32),
  club_id       uuid not null,
  student_id    uuid not null,
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null,
  foreign key (club_id, student_id) references students (club_id, id)
);

create index student_sessions_student_idx on student_sessions (club_id, student_id, id);
create index student_sessions_expires_at_idx on student_sessions (expires_at);

-- What each sign-up entered, until its own link is used: the link applies these credentials and no others.
-- `organization_id` is null for administrators; for students it is as sent, whether or not the club exists.
-- `password_hash` is null once the link was used; the row stays until it expires, so that nobody sees that it was.
create table sign_ups (
  id                 uuid primary key,
  organization_id    uuid,
  email              text not null check (char_length(email) between 3 and 320),
  name               text not null check (char_length(name) between 1 and 200),
  password_hash      text,
  registration_code  text,
  created_at         timestamptz not null,
  expires_at         timestamptz not null
);

create index sign_ups_email_idx on sign_ups (email, created_at desc);
create index sign_ups_expires_at_idx on sign_ups (expires_at);

-- What somebody asked to be mailed about an address. The look-ups happen when it is worked off,
-- so the request itself does the same work whether or not the account exists.
create table credential_requests (
  id               uuid primary key,
  kind             text not null check (kind in ('sign_up', 'resend', 'forgot', 'access')),
  organization_id  uuid,
  email            text not null check (char_length(email) between 3 and 320),
  locale           text not null check (locale in ('pt-BR', 'en')),
  sign_up_id       uuid references sign_ups (id) on delete cascade,
  failures         integer not null default 0,
  due_at           timestamptz not null,
  created_at       timestamptz not null
);

create index credential_requests_due_at_idx on credential_requests (due_at);
create index credential_requests_sign_up_id_idx on credential_requests (sign_up_id);

-- Each is bound to one purpose and one account, and redeemed by deleting it.
create table one_time_tokens (
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  purpose     text not null check (purpose in ('confirm', 'reset', 'access')),
  sign_up_id  uuid references sign_ups (id) on delete cascade,
  user_id     uuid references users (id),
  club_id     uuid,
  student_id  uuid,
  expires_at  timestamptz not null,
  foreign key (club_id, student_id) references students (club_id, id),
  check (num_nonnulls(sign_up_id, user_id, student_id) = 1),
  check ((purpose = 'confirm') = (sign_up_id is not null)),
  check ((club_id is null) = (student_id is null))
);

create index one_time_tokens_sign_up_id_idx on one_time_tokens (sign_up_id);
create index one_time_tokens_user_id_idx on one_time_tokens (user_id);
create index one_time_tokens_student_idx on one_time_tokens (club_id, student_id);
create index one_time_tokens_expires_at_idx on one_time_tokens (expires_at);

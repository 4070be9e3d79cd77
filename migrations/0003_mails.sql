-- Mails that wait to be sent. A row is deleted once its mail has been sent or given up, so nothing personal stays.

-- `content` is sealed: recipient, subject and both bodies, which hold links with one-time secrets.
-- A claim counts the attempt and moves `next_attempt_at` to the end of its lease, so `attempts` names the lease:
-- whoever holds a lower number has lost the mail. A process that dies gives it back by doing nothing.
create table mails (
  id               uuid primary key,
  content          bytea not null,
  attempts         integer not null check (attempts >= 0),
  next_attempt_at  timestamptz not null,
  last_error       text check (last_error ~ '^[A-Za-z0-9_ ]{1,60}$'),
  created_at       timestamptz not null
);

-- The claim and the readiness figure read what is due, oldest first.
create index mails_next_attempt_at_idx on mails (next_attempt_at);

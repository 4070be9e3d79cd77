-- Inboxes: addresses of our own that take any request for an hour, so that a webhook is seen before there is a receiver.
-- `slot` keeps the limit of 5 under concurrent creates. The token is found by its hash, and sealed to be shown again.
-- `received` numbers the requests, and `erasures` counts removals of students: what was read before one is not stored
-- after it.
create table webhook_inboxes (
  club_id              uuid not null references clubs (id),
  id                   uuid not null,
  slot                 smallint not null check (slot between 1 and 5),
  token_hash           bytea not null unique,
  token                bytea not null,
  status               smallint not null check (status between 200 and 599),
  delay_ms             integer not null check (delay_ms between 0 and 20000),
  retry_after_seconds  integer check (retry_after_seconds between 0 and 86400),
  received             bigint not null default 0,
  erasures             integer not null default 0,
  created_at           timestamptz not null,
  expires_at           timestamptz not null,
  primary key (club_id, id),
  unique (club_id, slot)
);

-- What is over is looked for every minute.
create index webhook_inboxes_expires_at_idx on webhook_inboxes (expires_at);

-- The newest 100 requests of each: `slot` is the number modulo 100, so that a later one takes the place of the oldest.
-- `head` (query, headers, what its signature is worth) and `body` are sealed; a body that was too large is null.
create table webhook_inbox_requests (
  club_id      uuid not null,
  inbox_id     uuid not null,
  slot         smallint not null check (slot between 0 and 99),
  number       bigint not null,
  id           uuid not null,
  received_at  timestamptz not null,
  method       text not null check (char_length(method) between 1 and 20),
  head         bytea not null,
  body         bytea,
  message      bytea,
  status       smallint not null,
  delay_ms     integer not null,
  primary key (club_id, inbox_id, slot),
  foreign key (club_id, inbox_id) references webhook_inboxes (club_id, id) on delete cascade
);

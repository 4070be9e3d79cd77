-- Outgoing webhooks: endpoints, their lanes, messages, deliveries and attempts.

-- `slot` keeps the limit of 20 under concurrent creates: the database decides. Secrets are sealed.
-- A deleted endpoint stays, without its secrets, until the history that names it is gone.
create table webhook_endpoints (
  club_id                     uuid not null references clubs (id),
  id                          uuid not null,
  slot                        smallint not null check (slot between 1 and 20),
  url                         text not null check (char_length(url) <= 2048),
  description                 text not null check (char_length(description) <= 500),
  event_types                 text[] not null,
  status                      text not null check (status in ('enabled', 'paused', 'disabled')),
  disabled_reason             text check (disabled_reason in ('failing', 'manual')),
  disabled_at                 timestamptz,
  secret                      bytea,
  previous_secret             bytea,
  previous_secret_expires_at  timestamptz,
  created_at                  timestamptz not null,
  updated_at                  timestamptz not null,
  deleted_at                  timestamptz,
  primary key (club_id, id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((disabled_reason is null) = (disabled_at is null)),
  check ((secret is null) = (deleted_at is not null)),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);

create unique index webhook_endpoints_slot_key on webhook_endpoints (club_id, slot) where deleted_at is null;
create index webhook_endpoints_previous_secret_idx on webhook_endpoints (previous_secret_expires_at)
  where previous_secret_expires_at is not null;
create index webhook_endpoints_deleted_at_idx on webhook_endpoints (deleted_at) where deleted_at is not null;

-- One row per endpoint: who works on it and what its circuit breaker says.
-- `due_at` is when a worker may take the lane: the earliest work, the end of the lease of who has it, or never (null).
-- `lease_id` names the lease; whoever has another one has lost the lane. `wakes` counts what was added or changed, so
-- that a lane is given back only by who has seen all of it. `breaker_epoch` counts resets by a person: a breaker loaded
-- before one is not written back. `holds` counts the holds since the last 2xx; 0 is the normal state.
create table webhook_lanes (
  club_id               uuid not null,
  endpoint_id           uuid not null,
  due_at                timestamptz,
  lease_id              uuid,
  wakes                 bigint not null default 0,
  breaker_epoch         integer not null default 0,
  consecutive_failures  integer not null default 0,
  holds                 integer not null default 0,
  hold_until            timestamptz,
  failing_since         timestamptz,
  last_success_at       timestamptz,
  last_failure_at       timestamptz,
  primary key (club_id, endpoint_id),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id)
) with (fillfactor = 50);

create index webhook_lanes_due_at_idx on webhook_lanes (due_at) where due_at is not null;
-- How many are held and how many are disabled is counted for the metrics.
create index webhook_lanes_held_idx on webhook_lanes (club_id, endpoint_id) where holds > 0;
create index webhook_endpoints_disabled_idx on webhook_endpoints (club_id, id)
  where status = 'disabled' and deleted_at is null;

-- The next three are partitioned by time through their UUIDv7 ids, without a default partition: dropping a partition is
-- the whole clean-up. Workers make the partitions ahead.

-- An assembled event as it is sent: bytes, since the order of keys is part of the signature. `body` is null once erased.
create table webhook_messages (
  club_id      uuid not null,
  id           uuid not null,
  type         text not null,
  student_id   uuid,
  occurred_at  timestamptz not null,
  created_at   timestamptz not null,
  body         bytea,
  primary key (club_id, id)
) partition by range (id);

-- One message to one endpoint. `next_attempt_at` is set exactly while an attempt is owed, whatever the status: a
-- finished delivery that somebody resends keeps its status until that attempt has ended.
-- `rung` counts the scheduled attempts, `trigger` is what the next attempt comes from, `once` says that it is the only
-- one: it ends succeeded or failed.
create table webhook_deliveries (
  club_id           uuid not null,
  endpoint_id       uuid not null,
  id                uuid not null,
  event_id          uuid not null,
  event_type        text not null,
  student_id        uuid,
  status            text not null check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  cancel_reason     text check (cancel_reason in ('expired', 'student_removed', 'endpoint_disabled', 'endpoint_deleted')),
  body_erased       boolean not null default false,
  attempts_count    integer not null default 0,
  rung              integer not null default 0,
  trigger           text not null check (trigger in ('schedule', 'manual', 'test', 'recover')),
  once              boolean not null default false,
  next_attempt_at   timestamptz,
  last_attempt_at   timestamptz,
  last_status_code  integer,
  last_error        text,
  last_duration_ms  integer,
  created_at        timestamptz not null,
  finished_at       timestamptz,
  primary key (club_id, endpoint_id, id),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id),
  check ((status = 'canceled') = (cancel_reason is not null)),
  check ((status = 'pending') = (finished_at is null)),
  check (status <> 'pending' or next_attempt_at is not null)
) partition by range (id);

-- What an endpoint owes, oldest due first; and of it what a person asked for, which does not wait for a hold. Without the
-- club, which the endpoint tells: by two columns that go together PostgreSQL expects too few rows.
create index webhook_deliveries_due_idx on webhook_deliveries (endpoint_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index webhook_deliveries_requested_idx on webhook_deliveries (endpoint_id, next_attempt_at, id)
  where next_attempt_at is not null and trigger <> 'schedule';
-- Recovering, and the lists of what failed or was canceled.
create index webhook_deliveries_dead_idx on webhook_deliveries (club_id, endpoint_id, id)
  where status in ('failed', 'canceled');
create index webhook_deliveries_event_idx on webhook_deliveries (club_id, event_id);
create index webhook_deliveries_student_idx on webhook_deliveries (club_id, student_id, id) where student_id is not null;

-- What each attempt met. `response_body` is the start of the answer, readable, at most 2 KB.
create table webhook_attempts (
  club_id              uuid not null,
  delivery_id          uuid not null,
  id                   uuid not null,
  number               integer not null check (number > 0),
  trigger              text not null check (trigger in ('schedule', 'manual', 'test', 'recover')),
  started_at           timestamptz not null,
  duration_ms          integer not null check (duration_ms >= 0),
  status_code          integer,
  error                text check (error in (
    'timeout', 'dns', 'connection', 'tls', 'address_not_allowed', 'redirect', 'http_status', 'protocol'
  )),
  response_body        text check (octet_length(response_body) <= 2048),
  retry_after_seconds  integer,
  primary key (club_id, delivery_id, id)
) partition by range (id);

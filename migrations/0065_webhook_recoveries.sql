-- Recoveries as jobs: what would be sent is counted first, then moved into the lane slice by slice, at a rate that somebody
-- chose. All that a job knows is in its row and is written by the transaction that counts or moves a slice, so a process
-- that dies repeats nothing. `due_at` is when a worker looks at it again, null when never. What had ended by `created_at`
-- is recovered, in the order of ids from `cursor_id` on. `tokens` is what the rate allows, as of `tokens_at`.
create table webhook_recoveries (
  club_id        uuid not null,
  endpoint_id    uuid not null,
  id             uuid not null,
  status         text not null check (status in (
    'counting', 'previewed', 'running', 'paused', 'completed', 'canceled'
  )),
  starts         boolean not null,
  cancel_reason  text check (cancel_reason in ('requested', 'replaced', 'endpoint_disabled', 'endpoint_deleted')),
  blocked_by     text check (blocked_by in ('endpoint_paused', 'endpoint_held')),
  since          timestamptz not null,
  until          timestamptz,
  event_types    text[],
  newest_first   boolean not null,
  rate           integer check (rate between 1 and 1000),
  time_zone      text not null,
  preview        jsonb not null,
  cursor_id      uuid,
  reached_end    boolean not null default false,
  moved          integer not null default 0,
  succeeded      integer not null default 0,
  failed         integer not null default 0,
  canceled       integer not null default 0,
  room           integer not null,
  tokens         double precision not null default 0,
  tokens_at      timestamptz not null,
  due_at         timestamptz,
  created_by     uuid not null,
  created_at     timestamptz not null,
  started_at     timestamptz,
  finished_at    timestamptz,
  primary key (club_id, endpoint_id, id),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id),
  check ((status = 'canceled') = (cancel_reason is not null)),
  check ((status in ('completed', 'canceled')) = (finished_at is not null))
);

-- One at a time for each endpoint: the database decides.
create unique index webhook_recoveries_open_key on webhook_recoveries (club_id, endpoint_id) where finished_at is null;
create index webhook_recoveries_due_at_idx on webhook_recoveries (due_at) where due_at is not null;
create index webhook_recoveries_created_at_idx on webhook_recoveries (created_at);

-- What a job has moved and what has not ended since, with how many attempts there had been: some thousand rows at most.
create table webhook_recovery_moves (
  club_id         uuid not null,
  endpoint_id     uuid not null,
  recovery_id     uuid not null,
  delivery_id     uuid not null,
  attempts_count  integer not null,
  primary key (club_id, endpoint_id, recovery_id, delivery_id),
  foreign key (club_id, endpoint_id, recovery_id) references webhook_recoveries (club_id, endpoint_id, id)
    on delete cascade
);

-- The job that moved a delivery last; null unless one did. Such an attempt waits for the end of a hold, as those of the
-- retry schedule do, however many a job has moved.
alter table webhook_deliveries add column recovery_id uuid;

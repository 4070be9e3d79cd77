-- Gradings: what probes have shown of the receiver at an endpoint. `due_at` is when a worker may take it: at once, or when
-- the lease of who has it is over; null once it has ended. `tries` counts who took it. `report` is sealed, since it holds
-- what the receiver answered. `newest_proved`: during a rotation, whether the receiver took what the newest secret alone
-- signed; null where that was not seen. At most one of an endpoint is under way: the database decides.
create table webhook_gradings (
  club_id          uuid not null,
  id               uuid not null,
  endpoint_id      uuid not null,
  organization_id  uuid not null,
  status           text not null check (status in ('running', 'done', 'failed')),
  failure          text check (failure in ('endpoint_changed', 'interrupted')),
  grade            text check (grade in ('A', 'B', 'C', 'D', 'E', 'F')),
  report           bytea,
  newest_proved    boolean,
  tries            smallint not null default 0,
  due_at           timestamptz,
  lease_id         uuid,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  primary key (club_id, id),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id) on delete cascade,
  check ((status = 'running') = (finished_at is null)),
  check ((status = 'running') = (due_at is not null)),
  check ((status = 'failed') = (failure is not null)),
  check ((status = 'done') = (grade is not null and report is not null))
);

create unique index webhook_gradings_running_key on webhook_gradings (club_id, endpoint_id) where finished_at is null;
create index webhook_gradings_proof_idx on webhook_gradings (club_id, endpoint_id, id) where newest_proved is not null;
create index webhook_gradings_endpoint_idx on webhook_gradings (club_id, endpoint_id, id);
-- Those of the last hour are counted.
create index webhook_gradings_club_idx on webhook_gradings (club_id, created_at);
create index webhook_gradings_due_at_idx on webhook_gradings (due_at) where due_at is not null;
-- What is past its 30 days is looked for every hour.
create index webhook_gradings_created_at_idx on webhook_gradings (created_at);

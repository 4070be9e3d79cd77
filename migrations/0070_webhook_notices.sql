-- Why the last attempt failed and since when an endpoint is held: said in diagnoses and mails without looking through its
-- deliveries. Both change with what a failure changes anyway.
alter table webhook_lanes
  add column last_failure_error text check (
    last_failure_error in (
      'timeout', 'dns', 'connection', 'tls', 'address_not_allowed', 'redirect', 'http_status', 'protocol'
    )
  ),
  add column last_failure_status integer,
  add column held_since timestamptz;

-- Endpoints that have been held for an hour.
create index webhook_lanes_held_since_idx on webhook_lanes (held_since) where held_since is not null and not rests;

-- Whether the administrators of the club are mailed about it.
alter table webhook_endpoints add column notices boolean not null default true;

-- What the administrators of a club were told about an endpoint: one a day, whoever finds out.
create table webhook_notices (
  club_id uuid not null,
  endpoint_id uuid not null,
  day date not null,
  kind text not null check (kind in ('held', 'recovered', 'disabling', 'disabled')),
  at timestamptz not null,
  -- That it delivers again is still to be told.
  is_open boolean not null,
  primary key (club_id, endpoint_id, day),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id)
);
create index webhook_notices_open_idx on webhook_notices (club_id, endpoint_id) where is_open;
create index webhook_notices_at_idx on webhook_notices (at);

-- Whether the administrators were told that a secret is about to end.
alter table webhook_previous_secrets add column end_told boolean not null default false;

-- The shape of what is sent to an endpoint, each null where it is as ever: how many attempts a second and at once, and at
-- which rate what waited is drained until nothing is left that was due at `drain_until`. While a lane is given back,
-- `tokens_full_at` is when its bucket of attempts is full again.
alter table webhook_lanes
  add column max_per_second integer check (max_per_second between 1 and 1000),
  add column max_in_flight integer check (max_in_flight between 1 and 1000),
  add column drain_rate integer check (drain_rate between 1 and 1000),
  add column drain_until timestamptz,
  add column tokens_full_at timestamptz,
  add check ((drain_rate is null) = (drain_until is null));

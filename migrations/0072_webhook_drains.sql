-- What became of the latest drain of an endpoint: kept on its lane when it has ended, and null where there was none.
alter table webhook_lanes
  add column drain_begun_at timestamptz,
  add column drain_ended_at timestamptz,
  add column drain_canceled boolean,
  add column drain_total integer check (drain_total >= 0);

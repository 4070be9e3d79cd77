-- A document's tries count once its file is there. `outages` counts how often in a row storage did not hand it over, and
-- until `waits_until` nobody asks for it again.
alter table media_readings
  add column outages integer not null default 0 check (outages >= 0),
  add column waits_until timestamptz;

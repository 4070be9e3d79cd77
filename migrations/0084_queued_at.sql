-- beside: 0074
-- Since when something waits, as the ids of what is made of it need it: whoever restores a backup makes the same again.
-- An inbound event has waited since `due_at` until it fails, and since `queued_at` then, or where another event put it
-- back.
alter table inbound_events add column queued_at timestamptz;
-- When a free delivery whose students do not all have it yet became free.
alter table deliveries add column free_since timestamptz;

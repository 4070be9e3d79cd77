-- beside: 0074
-- How many attempts a second a recovery makes at most, while one has something in the lane: the worker that has the lane keeps
-- to it. While the lane is given back, `recovery_full_at` is when that bucket of attempts is full again.
alter table webhook_lanes add column recovery_rate integer, add column recovery_full_at timestamptz;

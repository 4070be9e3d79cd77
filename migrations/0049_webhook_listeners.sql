-- Listeners: webhook endpoints without an address. Whoever listens asks for what waits and says what became of it, so
-- that a machine without a public address receives. `listening_until` is when a listener is removed unless it is asked
-- for something before; null exactly for endpoints that have an address.
--
-- The lane of a listener is leased for good, to the listener itself: `lease_id` is the endpoint's id and `due_at` null.
-- So no worker ever claims it, and no wake makes it due.
alter table webhook_endpoints
  add column kind text not null default 'https' check (kind in ('https', 'listener')),
  add column listening_until timestamptz,
  add check ((kind = 'listener') = (listening_until is not null));

-- Those that nobody polls any more are looked for every minute.
create index webhook_endpoints_listening_until_idx on webhook_endpoints (listening_until)
  where listening_until is not null and deleted_at is null;

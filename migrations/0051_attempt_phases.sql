-- Where the time of an attempt went, and the signature that it was sent with. `lookup_ms` and the next five are in
-- milliseconds, null where there was no such phase; `connection_reused` is null where there was no connection. `signature`
-- is the one header that nothing else tells: the secrets that made it are gone a day after a rotation.
--
-- Without constraints and defaults, which PostgreSQL would check or write on every row while nobody reads or writes.
alter table webhook_attempts
  add column lookup_ms integer,
  add column connect_ms integer,
  add column tls_ms integer,
  add column send_ms integer,
  add column wait_ms integer,
  add column read_ms integer,
  add column connection_reused boolean,
  add column signature text;

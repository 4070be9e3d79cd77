-- Whom an attempt was sent to: the address of the socket, the version of TLS and the end of the certificate that was shown,
-- so that an administrator sees a certificate end before it does. Null where there was no connection, or no TLS on it.
--
-- Without constraints and defaults, which PostgreSQL would check or write on every row while nobody reads or writes.
alter table webhook_attempts
  add column peer_address text,
  add column tls_version text,
  add column certificate_ends_at timestamptz;

-- Answers to POSTs that came with an Idempotency-Key, for 24 hours.

-- `id` is the SHA-256 of session, route and key, `request_hash` that of these and the request: nothing anyone sent is here.
-- `answer` is sealed: it may hold a secret that is shown once.
create table idempotency_keys (
  id            bytea primary key check (octet_length(id) = 32),
  request_hash  bytea not null check (octet_length(request_hash) = 32),
  answer        bytea not null,
  expires_at    timestamptz not null
);

create index idempotency_keys_expires_at_idx on idempotency_keys (expires_at);

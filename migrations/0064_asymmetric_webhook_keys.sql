-- Ed25519 beside HMAC, or instead of it (Standard Webhooks, `v1a`). `signing` says what signs. `signing_key` is the seed of
-- the private key, sealed as secrets are; `public_key` is what receivers verify with. An endpoint gets them when it first
-- signs so and keeps them until it is deleted; a rotation replaces them together with the secret, so a replaced key lies
-- beside the replaced secret and ends with it.
alter table webhook_endpoints
  add column signing text not null default 'hmac' check (signing in ('hmac', 'ed25519', 'both')),
  add column signing_key bytea,
  add column public_key bytea check (octet_length(public_key) = 32),
  add check ((signing_key is null) = (public_key is null)),
  add check (signing = 'hmac' or signing_key is not null or deleted_at is not null);

alter table webhook_previous_secrets
  add column signing_key bytea,
  add column public_key bytea check (octet_length(public_key) = 32),
  add check ((signing_key is null) = (public_key is null));

-- Receivers ask for the keys of an endpoint by its id alone. Those without a key are not in it.
create index webhook_endpoints_public_key_idx on webhook_endpoints (id) where public_key is not null;

-- Keys with which a club's own servers, terminals and agents come in. A key has a role, scopes or both, and never more than its
-- maker may today: who is no member any more has no keys that work, until another administrator takes them over.
create table club_keys (
  club_id            uuid not null references clubs (id),
  id                 uuid not null,
  -- Eight characters of the token that people and lists know the key by.
  prefix             text not null unique check (prefix ~ '^[0-9A-Za-z]{8}$'),
  name               text not null check (char_length(name) between 1 and 80),
  role               text check (role in ('admin', 'editor', 'support', 'viewer')),
  scopes             text[] check (cardinality(scopes) between 1 and 40),
  -- In CIDR notation; none: from everywhere.
  allowed_networks   text[] not null check (cardinality(allowed_networks) <= 20),
  -- Whose right it shares: its maker, or who took it over. Null once they are no member.
  user_id            uuid,
  created_at         timestamptz not null,
  expires_at         timestamptz,
  revoked_at         timestamptz,
  -- Written at most every ten minutes.
  last_used_at       timestamptz,
  last_used_address  text check (char_length(last_used_address) <= 45),
  primary key (club_id, id),
  check (role is not null or scopes is not null),
  foreign key (club_id, user_id) references members (club_id, user_id) on delete set null (user_id)
);

-- A member who goes lets go of their keys.
create index club_keys_user_idx on club_keys (club_id, user_id);

-- The sweep asks which have ended.
create index club_keys_ended_idx on club_keys ((least(revoked_at, expires_at)));

-- What opens a key: its token, and after a rotation the one before, which ends 24 hours later. Only hashes.
create table club_key_tokens (
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  club_id     uuid not null,
  key_id      uuid not null,
  ends_at     timestamptz,
  foreign key (club_id, key_id) references club_keys (club_id, id) on delete cascade
);

create index club_key_tokens_key_idx on club_key_tokens (club_id, key_id);

create index club_key_tokens_ends_at_idx on club_key_tokens (ends_at) where ends_at is not null;

-- A terminal that asks for a key of a club while an administrator is elsewhere, in a browser: it waits with its device
-- code, which is redeemed once, and shows a code that the administrator enters. Ten minutes, then nothing is left.
create table device_logins (
  device_hash  bytea primary key check (octet_length(device_hash) = 32),
  user_hash    bytea not null unique check (octet_length(user_hash) = 32),
  name         text not null check (char_length(name) between 1 and 80),
  expires_at   timestamptz not null,
  -- Who said yes, for which club, and to which role; null until then.
  club_id      uuid,
  user_id      uuid,
  role         text check (role in ('admin', 'editor', 'support', 'viewer')),
  check (num_nulls(club_id, user_id, role) in (0, 3)),
  foreign key (club_id, user_id) references members (club_id, user_id) on delete cascade
);

create index device_logins_expires_at_idx on device_logins (expires_at);
create index device_logins_member_idx on device_logins (club_id, user_id) where club_id is not null;

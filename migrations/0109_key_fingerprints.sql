-- beside: 0074
-- Which keys have sealed what is here, so that a process with other keys is refused, and whether what is sealed opens. A
-- fingerprint is made of a key in one way: nobody learns the key by it.

-- One row of each key that seals or has sealed. `fingerprint` is null where the key was known by its id alone when it was
-- found. `lost_at`: somebody has said that nobody has the key any more, so that nobody is refused for want of it.
create table key_fingerprints (
  key          text primary key check (key ~ '^[0-9a-f]{8}$'),
  fingerprint  bytea check (octet_length(fingerprint) = 32),
  known_at     timestamptz not null,
  lost_at      timestamptz
);

-- When the process last could not open what is sealed.
alter table key_holders add column seal_broken_at timestamptz;

-- Which keys the processes hold that run, and which key is being changed for which. Keys are named by the first bytes of
-- their hashes, as in what they have sealed: no key is here.

-- One row of each process, which it renews every few seconds and deletes when it ends. `keys` are those that it opens with,
-- the one that it seals with first. `follows`: whether it is replaced by itself when its file of keys changes.
create table key_holders (
  id          uuid primary key,
  machine     text not null check (char_length(machine) between 1 and 255),
  pid         integer not null,
  role        text not null check (role in ('api', 'worker', 'all')),
  keys        text[] not null check (cardinality(keys) between 1 and 100),
  follows     boolean not null,
  started_at  timestamptz not null,
  seen_at     timestamptz not null
);

-- The latest change of the key. `sealed_at` is when every process was first seen to seal with the new one; workers that
-- learn of it move once more what is to be moved.
create table key_rotations (
  id         smallint primary key default 1 check (id = 1),
  old_key    text not null check (old_key ~ '^[0-9a-f]{8}$'),
  new_key    text not null check (new_key ~ '^[0-9a-f]{8}$'),
  begun_at   timestamptz not null,
  sealed_at  timestamptz,
  check (old_key <> new_key)
);

-- Each club's community and the spaces in it.

-- Created with the club. Whoever adds, archives or orders spaces locks this row first.
create table communities (
  club_id       uuid primary key references clubs (id),
  id            uuid not null unique,
  name          text not null check (char_length(name) between 1 and 120),
  description   text not null check (char_length(description) <= 2000),
  created_at    timestamptz not null,
  published_at  timestamptz
);

-- `position` orders the spaces that are not archived; archiving one leaves a gap.
create table spaces (
  club_id      uuid not null references communities (club_id),
  id           uuid not null,
  name         text not null check (char_length(name) between 1 and 120),
  description  text not null check (char_length(description) <= 2000),
  access       text not null check (access in ('community', 'delivery')),
  visibility   text not null check (visibility in ('members', 'public', 'hidden')),
  posting      text not null check (posting in ('members', 'staff')),
  position     integer not null check (position > 0),
  created_at   timestamptz not null,
  archived_at  timestamptz,
  primary key (club_id, id)
);

-- Files that came before keys said nothing of whose they are (0039) are in places that hold the internal id of their club.
-- Workers give them others. Media are locked for as long as those are looked for here.

-- The files that are still to move: none, once all have, so that nothing is read to find that out.
create index media_old_places_idx on media (created_at, id)
  where storage_key = club_id::text || '/' || id::text and status = 'ready' and removed_at is null;

-- The files that are being moved: what will be the place of which record's, and when whoever makes it is given up and
-- another begins again. Apart from `removed_files`, whose files processes of the version before would delete.
create table media_moves (
  club_id       uuid not null references clubs (id),
  media_id      uuid not null,
  storage_key   text not null check (char_length(storage_key) <= 255),
  leased_until  timestamptz not null,
  primary key (club_id, media_id)
);

create index media_moves_idx on media_moves (leased_until);

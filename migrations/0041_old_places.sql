-- Files that came before keys said nothing of whose they are (0039) are in places that hold the internal id of their club.
-- Workers give them others. Media are locked for as long as those are looked for here.

-- The files that are still to move: none, once all have, so that nothing is read to find that out.
create index media_old_places_idx on media (created_at, id)
  where storage_key = club_id::text || '/' || id::text and status = 'ready' and removed_at is null;

-- With `media_id` the file is not removed, but what will be that record's: `removed_at` is when whoever makes it is given up
-- and another begins again.
alter table removed_files add column media_id uuid;

create index removed_files_media_idx on removed_files (removed_at) where media_id is not null;
drop index removed_files_idx;
create index removed_files_idx on removed_files (removed_at) where media_id is null;

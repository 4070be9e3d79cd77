-- beside: 0074
-- run: alone
-- Which courses a record of media is the cover of, for its deletion.
create index concurrently if not exists courses_cover_idx on courses (club_id, cover_media_id) where cover_media_id is not null;

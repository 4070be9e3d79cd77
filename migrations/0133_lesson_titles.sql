-- beside: 0074
-- run: alone
-- Students search the titles of lessons, whatever their case and accents.
create index concurrently if not exists lessons_title_idx on lessons using gin (club_id, fold(title) gin_trgm_ops)
  where deleted_at is null;

-- How many lessons of a course are live is counted from this alone, however many courses a list has. It is the index that
-- finds the published lessons of a course too.
create index lessons_live_idx on lessons (club_id, course_id, published_at)
  where deleted_at is null and published_at is not null;

-- beside: 0074
-- run: alone
-- The pinned comments of a lesson, which students list alone.
create index concurrently if not exists comments_lesson_pinned_idx on comments (club_id, lesson_id, id desc)
  where pinned and lesson_id is not null and parent_id is null;

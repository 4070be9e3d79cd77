-- beside: 0074
-- run: alone
-- The pinned comments of a post, which students list alone.
create index concurrently if not exists comments_post_pinned_idx on comments (club_id, post_id, id desc)
  where pinned and post_id is not null and parent_id is null;

-- How many comments the assistant answered a day is counted from these alone, without the rest of the club's comments.
create index comments_assistant_created_idx on comments (club_id, created_at) where author = 'assistant';

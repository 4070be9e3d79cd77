-- What a club's assistant was asked a day is counted from this alone. What an answer says while it is written is not in it,
-- so that writing it as it comes costs no more.
create index messages_asked_idx on messages (club_id, created_at) include (status, month) where role = 'assistant';

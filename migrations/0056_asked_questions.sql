-- What a club's staff reads of the questions to its assistant: the newest of a status, or of a lesson, and how many there
-- were a day. An answer that is being generated is in none of them, so that writing it as it comes costs no more.
create index messages_ended_idx on messages (club_id, status, reply_to desc) include (created_at, month)
  where role = 'assistant' and status <> 'generating';

create index conversations_club_lesson_idx on conversations (club_id, lesson_id, id);

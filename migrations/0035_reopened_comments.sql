-- What the assistant has answered can be opened again: by the staff (`reopened_at`: nothing said before counts as its
-- answer), or by deleting the reply (`answers_id`: the comment that a reply of the assistant answers; null in those from
-- before: the first of the thread). Who answers holds the thread, so that one does.
alter table comments
  add column reopened_at timestamptz,
  add column answers_id uuid,
  add constraint comments_answers_id_fkey foreign key (club_id, answers_id) references comments (club_id, id) not valid;

drop index comments_assistant_key;

-- beside: 0074
-- The rows from before 0035 are looked at, too, while others write: what is known of a key must hold for every row.
alter table comments validate constraint comments_answers_id_fkey;

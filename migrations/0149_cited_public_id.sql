-- beside: 0074
-- The `public_id` of the lesson that a student asked in, of an answer whose citations all name this lesson. They have the
-- key in them then, so they are read as they are until the lesson gets another key.
alter table messages add column cited_public_id text;

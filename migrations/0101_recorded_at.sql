-- beside: 0074
-- When a fact was recorded, which neither its id (work that waited) nor `occurred_at` (a sale's own time) says: an endpoint
-- gets no fact from before it was made. Null in rows of programs that do not know the column; those go to every endpoint.
alter table event_outbox add column recorded_at timestamptz;

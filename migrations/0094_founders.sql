-- beside: 0074
-- Who founded each club, for good: its live streams and waits count with those of the founder's other clubs. Null where a
-- version wrote the club that does not know of it. No foreign key: no account is ever deleted, and nothing depends on it.
alter table clubs add column founder_user_id uuid;

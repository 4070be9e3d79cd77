-- beside: 0074
-- The trace of the request that sent an import in, as in inbound_events: what its rows bring about belongs to it.
alter table student_imports add column trace bytea;

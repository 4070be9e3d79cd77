-- beside: 0074
-- The trace that a fact, its message or a sale belongs to: 16 bytes of the trace and 8 of the span that caused it, as a
-- collector knows them. Null where no collector takes spans, or where the request is not in its sample.
alter table inbound_events add column trace bytea;
alter table event_outbox add column trace bytea;
alter table webhook_messages add column trace bytea;

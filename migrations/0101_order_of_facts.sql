-- beside: 0074
-- What was recorded and made in which order, whatever the clocks of the processes show: an endpoint gets no fact from before
-- it was made. By default, so that programs that do not know the columns have a place in it too. Rows from before this have
-- none: such facts go to every endpoint, and such endpoints get every fact.
create sequence facts_and_endpoints as bigint;
alter table event_outbox add column place bigint;
alter table event_outbox alter column place set default nextval('facts_and_endpoints');
alter table webhook_endpoints add column place bigint;
alter table webhook_endpoints alter column place set default nextval('facts_and_endpoints');

-- beside: 0074
-- Support conversations that a confirmed request for removal opened. A student has one that is not closed at most.
alter table support_conversations add column asks_removal boolean not null default false;

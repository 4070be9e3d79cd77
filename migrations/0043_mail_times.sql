-- When mails of one kind to one address leave: those of the last hour, and those that wait for an hour with room. So that
-- in no hour, wherever it begins, there are too many. From `closes_at` on none of them counts any more.
alter table address_mails add column times timestamptz[] not null default '{}';
update address_mails set times = array_fill(closes_at - interval '1 hour', array[used]);

-- Processes of the version before still count in `used`, beside those of this one, and name no `times`; each counts its own
-- mails until they are gone. A later version drops it.
alter table address_mails alter column used set default 1;

-- Against clubs as mail cannons: how many mails an address and a club have caused, and how many clubs an account founded.

-- Mails with which somebody gets in are sent before all others that are due.
alter table mails add column urgent boolean not null default false;
create index mails_due_idx on mails (urgent, next_attempt_at);
drop index mails_next_attempt_at_idx;

-- Mails of one kind to one address in an hour that begins with the first. `key` is a SHA-256 of both: the address itself is
-- not kept for this.
create table address_mails (
  key        bytea primary key check (octet_length(key) = 32),
  used       integer not null check (used > 0),
  closes_at  timestamptz not null
);

create index address_mails_closes_at_idx on address_mails (closes_at);

-- Mails that a club's members and sales caused on a day of its time zone.
create table club_mails (
  club_id  uuid not null references clubs (id),
  day      date not null,
  used     integer not null check (used > 0),
  primary key (club_id, day)
);

create index club_mails_day_idx on club_mails (day);

-- Counted where it is locked, so that of several at once none slips through. Who owned a club before is taken for its
-- founder.
alter table users add column clubs_founded integer not null default 0 check (clubs_founded >= 0);
update users set clubs_founded = owned.clubs
from (select user_id, count(*) as clubs from members where role = 'owner' group by user_id) owned
where owned.user_id = users.id;

-- The backups that workers make: one row, so that of any number of machines one makes the next. Whoever makes it has the
-- claim, which ends by itself unless it is extended. Everything here is of the last backup that was made and verified, but
-- for the failures since.
create table backup_runs (
  id             boolean primary key default true check (id),
  claim          uuid,
  claimed_until  timestamptz,
  -- When it began, by which the next is due, and when it was verified.
  began_at       timestamptz,
  verified_at    timestamptz,
  bytes          bigint not null default 0,
  seconds        float8 not null default 0,
  failures       int not null default 0,
  -- Before this moment a run that has failed is not tried again.
  retry_at       timestamptz,
  check ((claim is null) = (claimed_until is null))
);

insert into backup_runs default values;

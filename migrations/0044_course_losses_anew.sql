-- A course whose students were looked at is begun anew for those who could not be settled: `missed` says that this round
-- has some, `rounds` how many rounds had.
alter table course_losses
  add column missed boolean not null default false,
  add column rounds integer not null default 0;

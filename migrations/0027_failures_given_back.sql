-- How many failed answers of a day were given back to a student: questions can make the model fail after it was called,
-- and no more than a few of those are for nothing.
alter table assistant_days
  add column failures_given_back integer not null default 0 check (failures_given_back >= 0);

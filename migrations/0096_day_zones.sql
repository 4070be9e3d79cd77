-- beside: 0074
-- In which time zone a club's day in hand ends where another one was chosen meanwhile, and when: budgets of a day count on until then.
alter table clubs
  add column day_zone text,
  add column day_zone_until timestamptz;

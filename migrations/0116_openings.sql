-- beside: 0074
-- When a module or a lesson opens for a student: so many days after their access began, or at a moment; null is at once.
alter table modules
  add column opens_after_days integer check (opens_after_days between 0 and 3650),
  add column opens_at timestamptz,
  add constraint modules_opening_check check (num_nonnulls(opens_after_days, opens_at) <= 1) not valid;
alter table lessons
  add column opens_after_days integer check (opens_after_days between 0 and 3650),
  add column opens_at timestamptz,
  add constraint lessons_opening_check check (num_nonnulls(opens_after_days, opens_at) <= 1) not valid;

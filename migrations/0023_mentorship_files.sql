-- Files of mentorships: media for a purpose of their own, which is in no library. The rows that are there are looked at by
-- a later migration, so that this one holds its lock for a moment only.

alter table media add constraint media_purposes_check
  check (purpose in ('library', 'mentorship', 'comment', 'ask', 'submission')) not valid;
alter table media drop constraint media_purpose_check;

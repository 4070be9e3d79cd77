-- beside: 0074
-- Links by which students confirm that they ask for their removal. The rows that were there before are checked in 0122.
alter table one_time_tokens add constraint one_time_tokens_purposes_check
  check (purpose in ('confirm', 'reset', 'access', 'removal')) not valid;
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;

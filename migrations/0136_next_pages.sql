-- beside: 0074
-- A link that was used stays known for 30 days, so that its page can offer a new one. A request for a mail may say which page
-- of ours its link leads to.

-- When a link was used; null until then. Its `expires_at` becomes the same time: the version before, which deletes used links,
-- then finds an expired one.
alter table one_time_tokens add column used_at timestamptz;

-- The page that the link leads to, below the classroom or the console; null for the home of either.
alter table credential_requests add column next text;
alter table credential_requests add constraint credential_requests_next_check
  check (char_length(next) between 1 and 200) not valid;

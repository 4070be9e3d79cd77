-- beside: 0074
-- The requests from before name no page.
alter table credential_requests validate constraint credential_requests_next_check;

-- beside: 0111
-- The requests from before name no page.
alter table credential_requests validate constraint credential_requests_next_check;

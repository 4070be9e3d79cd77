-- beside: 0074
-- run: alone
-- The administrators whose address is not in ASCII: those alone may be stored in another spelling than addresses have now.
create index concurrently if not exists users_odd_email_idx on users (id) where octet_length(email) > char_length(email);

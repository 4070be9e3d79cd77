-- beside: 0074
-- run: alone
-- The students whose address is not in ASCII, as above.
create index concurrently if not exists students_odd_email_idx on students (club_id, id)
  where octet_length(email) > char_length(email);

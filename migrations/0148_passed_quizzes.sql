-- beside: 0074
-- run: alone
-- The passed attempts of a student by quiz, so that a home tells without reading failed ones whether a quiz is passed.
create index concurrently if not exists quiz_attempts_passed_idx on quiz_attempts (club_id, student_id, block_id)
  where passed;

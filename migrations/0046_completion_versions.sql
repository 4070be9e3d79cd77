-- Who completes a lesson decides by what was read without a lock whether the course is finished, and writes only if nothing
-- of the student's was completed or undone meanwhile: `version` counts those changes, each in the transaction that makes
-- it. Who has no row has version 0; a row stays for good. Processes of the version before count nothing: what one of them
-- changes in that very moment may leave a course to be finished by the next completion.
-- Half of each page is left free, so that counting touches no index.
create table completion_versions (
  club_id     uuid not null,
  student_id  uuid not null,
  version     integer not null check (version > 0),
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id)
) with (fillfactor = 50);

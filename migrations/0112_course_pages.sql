-- beside: 0074
-- What a student reads of a course before its lessons. `description` is Markdown. With `listed`, students without the course
-- see that there is such a course.
alter table courses
  add column subtitle text check (char_length(subtitle) between 1 and 200),
  add column description text check (char_length(description) between 1 and 5000),
  add column instructor_name text check (char_length(instructor_name) between 1 and 120),
  add column cover_media_id uuid,
  add column listed boolean not null default false,
  add constraint courses_cover_fkey foreign key (club_id, cover_media_id) references media (club_id, id) not valid;

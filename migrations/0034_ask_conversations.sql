-- A student's conversations about a lesson, as they are listed.
create index conversations_lesson_idx on conversations (club_id, student_id, lesson_id, id desc);

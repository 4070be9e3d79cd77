-- How many students a club has is counted from this alone: students who were removed stay as rows.
create index students_present_idx on students (club_id, id) where removed_at is null;

-- beside: 0074
-- run: alone
-- The removals that are not beside the backups yet: a worker looks for them every minute.
create index concurrently if not exists erased_students_to_keep_idx on erased_students (erased_at) where kept_at is null;

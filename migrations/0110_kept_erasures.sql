-- beside: 0074
-- A restored backup brings back students who were removed after it was made. Their ids are kept beside the backups, from which
-- a restore takes them.

-- When the removal was written beside the backups; null until then.
alter table erased_students add column kept_at timestamptz;

-- Whom the next start removes again before it serves. A restore of an older backup makes this table itself.
create table if not exists restored_erasures (
  club_id     uuid not null,
  student_id  uuid not null,
  primary key (club_id, student_id)
);

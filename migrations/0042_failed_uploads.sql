-- A record whose upload has failed counts no more by itself. Its file is queued when it fails, and counts there like any
-- that is deleted: until nothing can bring it again.

create or replace function count_storage() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'INSERT' then 1 else -1 end;
  counts text := case
    when tg_table_name = 'media' then 'storage_key is not null and removed_at is null and status <> ''failed'''
    else 'true'
  end;
begin
  execute format(
    'select add_storage(array_agg(club_id), array_agg(student_id), array_agg(coalesce(size_bytes, 0) * %s))
     from changed where %s having count(*) > 0',
    sign,
    counts
  );
  return null;
end $$;

drop trigger count_removed on media;
create trigger count_ended after update of removed_at, status on media
  for each row when (
    old.storage_key is not null and old.removed_at is null and old.status <> 'failed'
    and (new.removed_at is not null or new.status = 'failed')
  )
  execute function uncount_removed_media();

-- Those that have failed so far. Of no upload an address lives for more than a day.
insert into removed_files (club_id, storage_key, size_bytes, student_id, open_until, removed_at)
select club_id, storage_key, coalesce(size_bytes, 0), student_id, created_at + interval '1 day', created_at from media
where status = 'failed' and storage_key is not null and removed_at is null;

select add_storage(array_agg(club_id), array_agg(student_id), array_agg(-coalesce(size_bytes, 0))) from media
where status = 'failed' and storage_key is not null and removed_at is null having count(*) > 0;

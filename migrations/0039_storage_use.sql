-- How much each club and each student keeps in storage, in bytes: what was announced of each file, from its ticket until
-- the file is deleted. `count_storage` keeps it equal to the sum over `media` and `removed_files`, in the statement that
-- changes them. Media are locked for as long as they are added up here.

create table club_storage (
  club_id  uuid primary key references clubs (id),
  bytes    bigint not null
);

create table student_storage (
  club_id     uuid not null,
  student_id  uuid not null,
  bytes       bigint not null,
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id)
);

-- `size_bytes` is what the file still counts, for the student too who uploaded it, if one did. It is deleted from
-- `removed_at` on, and where its address may bring it again until `open_until`, once more then.
alter table removed_files
  add column size_bytes bigint not null default 0 check (size_bytes >= 0),
  add column student_id uuid,
  add column open_until timestamptz;

-- Students' rows before clubs', both in the order of their ids: whoever changes several waits for nobody in a circle.
create function add_storage(clubs uuid[], students uuid[], sizes bigint[]) returns void language plpgsql as $$
begin
  insert into student_storage (club_id, student_id, bytes)
  select club_id, student_id, sum(size) from unnest(clubs, students, sizes) as t (club_id, student_id, size)
  where student_id is not null and size <> 0 group by 1, 2 order by 1, 2
  on conflict (club_id, student_id) do update set bytes = student_storage.bytes + excluded.bytes;

  insert into club_storage (club_id, bytes)
  select club_id, sum(size) from unnest(clubs, sizes) as t (club_id, size)
  where size <> 0 group by 1 order by 1
  on conflict (club_id) do update set bytes = club_storage.bytes + excluded.bytes;
end $$;

-- For both tables. A record whose student was removed counts no more: its file does, until it is deleted.
create function count_storage() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'INSERT' then 1 else -1 end;
  counts text := case when tg_table_name = 'media' then 'storage_key is not null and removed_at is null' else 'true' end;
begin
  execute format(
    'select add_storage(array_agg(club_id), array_agg(student_id), array_agg(coalesce(size_bytes, 0) * %s))
     from changed where %s having count(*) > 0',
    sign,
    counts
  );
  return null;
end $$;

create function uncount_removed_media() returns trigger language plpgsql as $$
begin
  perform add_storage(array[old.club_id], array[old.student_id], array[-old.size_bytes]);
  return null;
end $$;

create trigger count_added after insert on media
  referencing new table as changed for each statement execute function count_storage();
create trigger count_deleted after delete on media
  referencing old table as changed for each statement execute function count_storage();
create trigger count_removed after update of removed_at on media
  for each row when (old.removed_at is null and new.removed_at is not null and old.storage_key is not null)
  execute function uncount_removed_media();
create trigger count_added after insert on removed_files
  referencing new table as changed for each statement execute function count_storage();
create trigger count_deleted after delete on removed_files
  referencing old table as changed for each statement execute function count_storage();

-- What there is so far.
insert into student_storage (club_id, student_id, bytes)
select club_id, student_id, sum(size_bytes) from media
where storage_key is not null and removed_at is null and student_id is not null group by 1, 2;

insert into club_storage (club_id, bytes)
select club_id, sum(size_bytes) from media where storage_key is not null and removed_at is null group by 1;

-- What rankings are read from: each student's total, their points by day, and for each period the sums as of one day.
-- `count_points` keeps all of it equal to the ledger, in the statement that adds to the ledger.

-- `ranked` ends when the student is removed; the total stays that of the ledger.
-- Where rankings are read from is vacuumed often: a page is read from the index alone.
create table point_totals (
  club_id     uuid not null,
  student_id  uuid not null,
  total       bigint not null,
  ranked      boolean not null default true,
  primary key (club_id, student_id),
  foreign key (club_id, student_id) references students (club_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index point_totals_ranking_idx on point_totals (club_id, total desc, student_id desc) where ranked and total > 0;

-- The day is the club's when the entry was made, and stays so if the club moves to another time zone.
create table point_days (
  club_id     uuid not null,
  student_id  uuid not null,
  day         date not null,
  points      bigint not null,
  primary key (club_id, student_id, day),
  foreign key (club_id, student_id) references point_totals (club_id, student_id)
);

-- A board has the sums of the periods that end on its day. It is laid the day before, student by student up to
-- `laid_to`, and read once `laid_at` is set; after its day it is closed and cleared away. So a new day costs no reader
-- anything. Points are added to every board that is not closed.
create table point_boards (
  club_id    uuid not null references clubs (id),
  day        date not null,
  laid_to    uuid,
  laid_at    timestamptz,
  closed_at  timestamptz,
  primary key (club_id, day)
);

create index point_boards_unfinished_idx on point_boards (day) where laid_at is null or closed_at is not null;

create table point_board_rows (
  club_id     uuid not null,
  day         date not null,
  student_id  uuid not null,
  points_7d   bigint not null,
  points_30d  bigint not null,
  primary key (club_id, day, student_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index point_board_rows_7d_idx on point_board_rows (club_id, day, points_7d desc, student_id desc)
  where points_7d > 0;
create index point_board_rows_30d_idx on point_board_rows (club_id, day, points_30d desc, student_id desc)
  where points_30d > 0;

-- How often an action with a daily cap was paid today.
create index point_entries_capped_idx on point_entries (club_id, student_id, action, created_at)
  where action in ('comment_posted', 'post_published');

-- Whoever opens or closes a board waits for entries that are being counted, and they for whoever opens one: otherwise a
-- student's first points could be counted before a board is seen and seen after it was laid. Few keys for all clubs, so
-- that a statement with entries of many does not hold a lock for each.
create function point_boards_lock(club_id uuid) returns integer
  language sql immutable strict parallel safe
  return hashtext(club_id::text) & 63;

-- The student's total comes first: who has that row is the only one to count anything of theirs.
create function count_points() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(14, stripe)
  from (select distinct point_boards_lock(club_id) as stripe from entered order by 1) stripes;

  insert into point_totals (club_id, student_id, total)
  select club_id, student_id, sum(points) from entered group by 1, 2 order by 1, 2
  on conflict (club_id, student_id) do update set total = point_totals.total + excluded.total;

  insert into point_days (club_id, student_id, day, points)
  select e.club_id, e.student_id, (e.created_at at time zone c.time_zone)::date, sum(e.points)
  from entered e join clubs c on c.id = e.club_id
  group by 1, 2, 3
  on conflict (club_id, student_id, day) do update set points = point_days.points + excluded.points;

  insert into point_board_rows (club_id, day, student_id, points_7d, points_30d)
  select e.club_id, b.day, e.student_id, coalesce(sum(e.points) filter (where e.day >= b.day - 6), 0), sum(e.points)
  from (
    select n.club_id, n.student_id, n.points, (n.created_at at time zone c.time_zone)::date as day
    from entered n join clubs c on c.id = n.club_id
  ) e join point_boards b on b.club_id = e.club_id and b.closed_at is null and b.day <= e.day + 29
  group by 1, 2, 3
  on conflict (club_id, day, student_id) do update
  set points_7d = point_board_rows.points_7d + excluded.points_7d,
    points_30d = point_board_rows.points_30d + excluded.points_30d;

  return null;
end $$;

create trigger count_points after insert on point_entries
  referencing new table as entered for each statement execute function count_points();

-- What the ledger has so far.
insert into point_totals (club_id, student_id, total, ranked)
select p.club_id, p.student_id, sum(p.points), s.removed_at is null
from point_entries p join students s on s.club_id = p.club_id and s.id = p.student_id
group by p.club_id, p.student_id, s.removed_at;

insert into point_days (club_id, student_id, day, points)
select p.club_id, p.student_id, (p.created_at at time zone c.time_zone)::date, sum(p.points)
from point_entries p join clubs c on c.id = p.club_id
join point_totals t on t.club_id = p.club_id and t.student_id = p.student_id and t.ranked
group by 1, 2, 3;

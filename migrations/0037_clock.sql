-- The newest moment up to which workers have deleted what was past its age. Where the database shares our clock, nothing
-- else says whether the clock has jumped.
create table clock_sweeps (
  id         boolean primary key default true check (id),
  swept_at   timestamptz not null
);

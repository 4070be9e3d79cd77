-- Lists of students that the administration sends in, worked through in the background.

-- `due_at` is when the next chunk may be taken: set exactly while there is one. The counts are of rows, but for `granted`,
-- which is of accesses.
create table student_imports (
  club_id        uuid not null references clubs (id),
  id             uuid not null,
  actor_user_id  uuid not null references users (id),
  dry_run        boolean not null,
  total          integer not null check (total between 1 and 5000),
  created        integer not null default 0,
  existing       integer not null default 0,
  granted        integer not null default 0,
  failed         integer not null default 0,
  created_at     timestamptz not null,
  started_at     timestamptz,
  due_at         timestamptz,
  finished_at    timestamptz,
  primary key (club_id, id),
  check (created + existing + failed <= total),
  check ((due_at is null) = (finished_at is not null)),
  check (finished_at is null or created + existing + failed = total)
);

create index student_imports_due_at_idx on student_imports (due_at) where due_at is not null;
-- A club's imports are done one after another: which is its oldest?
create index student_imports_waiting_idx on student_imports (club_id, id) where due_at is not null;
create index student_imports_created_at_idx on student_imports (created_at);

-- Rows that wait, sealed: names, addresses and documents. `position` is that of the first of them. Rows of one address
-- are in one chunk. A chunk is deleted by the transaction that does it.
create table student_import_chunks (
  club_id    uuid not null,
  import_id  uuid not null,
  position   integer not null check (position >= 0),
  failures   integer not null default 0,
  content    bytea not null,
  primary key (club_id, import_id, position),
  foreign key (club_id, import_id) references student_imports (club_id, id) on delete cascade
);

-- What is wrong with which line; never what stands there. What it says follows from field and code.
create table student_import_errors (
  club_id    uuid not null,
  id         uuid not null,
  import_id  uuid not null,
  line       integer not null check (line > 0),
  field      text not null check (field in ('row', 'name', 'email', 'document', 'delivery', 'cohort', 'expires_at')),
  code       text not null check (code in (
    'required', 'invalid', 'unknown', 'ambiguous', 'passed', 'too_many_cells', 'removed', 'internal'
  )),
  primary key (club_id, import_id, id),
  foreign key (club_id, import_id) references student_imports (club_id, id) on delete cascade
);

create index student_import_errors_line_idx on student_import_errors (club_id, import_id, line, id);

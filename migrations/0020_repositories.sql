-- Repositories: files to download, live from `published_at` on; null is a draft. What is deleted keeps its row.

create table repositories (
  club_id          uuid not null references clubs (id),
  id               uuid not null,
  public_id        text not null check (public_id ~ '^[A-Za-z0-9_-]{1,32}$'),
  title            text not null check (char_length(title) between 1 and 200),
  instructor_name  text check (char_length(instructor_name) between 1 and 120),
  cover_url        text check (char_length(cover_url) between 1 and 2048),
  published_at     timestamptz,
  created_at       timestamptz not null,
  deleted_at       timestamptz,
  primary key (club_id, id),
  constraint repositories_public_id_key unique (club_id, public_id)
);

create table repository_files (
  club_id        uuid not null,
  id             uuid not null,
  repository_id  uuid not null,
  media_id       uuid not null,
  title          text not null check (char_length(title) between 1 and 200),
  position       integer not null check (position > 0),
  created_at     timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, repository_id) references repositories (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id)
);

create index repository_files_order_idx on repository_files (club_id, repository_id, position, id);
create index repository_files_media_idx on repository_files (club_id, media_id);

-- What clubs and their students upload, or show from elsewhere.

create table media_folders (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  name        text not null check (char_length(name) between 1 and 120),
  created_at  timestamptz not null,
  primary key (club_id, id)
);

-- With the provider `storage` the file is ours, under `storage_key`; with any other it is there, under `external_id`.
-- `student_id` is the student who uploaded it, `purpose` what for. `removed_at`: the student was removed, what they called
-- it is emptied and its file is gone; the row stays for what refers to it.
create table media (
  club_id           uuid not null references clubs (id),
  id                uuid not null,
  kind              text not null check (kind in ('video', 'image', 'audio', 'document', 'file')),
  purpose           text not null check (purpose in ('library', 'comment', 'ask', 'submission')),
  title             text not null check (char_length(title) <= 200),
  provider          text not null check (provider in ('storage', 'youtube', 'vimeo', 'panda', 'bunny', 'mux')),
  status            text not null check (status in ('uploading', 'ready', 'failed')),
  visibility        text not null check (visibility in ('private', 'public')),
  file_name         text check (char_length(file_name) between 1 and 255),
  mime              text check (char_length(mime) between 1 and 127),
  size_bytes        bigint check (size_bytes > 0),
  storage_key       text check (char_length(storage_key) <= 255),
  external_id       text check (char_length(external_id) between 1 and 255),
  error             text check (char_length(error) <= 500),
  duration_seconds  integer check (duration_seconds >= 0),
  width             integer check (width > 0),
  height            integer check (height > 0),
  preview_url       text check (char_length(preview_url) <= 2048),
  thumbnail_url     text check (char_length(thumbnail_url) <= 2048),
  favorite          boolean not null default false,
  folder_id         uuid,
  student_id        uuid,
  user_id           uuid references users (id),
  created_at        timestamptz not null,
  archived_at       timestamptz,
  removed_at        timestamptz,
  primary key (club_id, id),
  foreign key (club_id, folder_id) references media_folders (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check ((provider = 'storage') = (storage_key is not null)),
  check ((provider = 'storage') = (external_id is null))
);

-- The library, and what of it is archived; either may be nearly all.
create index media_library_idx on media (club_id, id desc)
  where purpose = 'library' and removed_at is null and archived_at is null;
create index media_kind_idx on media (club_id, kind, id desc)
  where purpose = 'library' and removed_at is null and archived_at is null;
create index media_archived_idx on media (club_id, id desc)
  where purpose = 'library' and removed_at is null and archived_at is not null;
create index media_archived_kind_idx on media (club_id, kind, id desc)
  where purpose = 'library' and removed_at is null and archived_at is not null;
create index media_favorites_idx on media (club_id, id desc)
  where purpose = 'library' and removed_at is null and favorite;
create index media_folder_idx on media (club_id, folder_id, id desc) where folder_id is not null;
create index media_student_idx on media (club_id, student_id) where student_id is not null;
create index media_uploading_idx on media (created_at) where status = 'uploading';
create index media_lent_idx on media (created_at, id) where student_id is not null and removed_at is null;

-- Files that no row of `media` names any more, until storage has deleted them.
create table removed_files (
  club_id      uuid not null references clubs (id),
  storage_key  text not null check (char_length(storage_key) <= 255),
  removed_at   timestamptz not null,
  primary key (club_id, storage_key)
);

create index removed_files_idx on removed_files (removed_at);

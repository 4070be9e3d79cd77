-- What the assistant may quote: the text of lessons, and of files and videos that are shown in them.

-- Text of a media record: what a person wrote as the transcript (`page` 0), or a page of a document, from 1.
create table media_texts (
  club_id   uuid not null,
  media_id  uuid not null,
  page      integer not null check (page >= 0),
  body      text not null check (char_length(body) <= 500000),
  primary key (club_id, media_id, page),
  foreign key (club_id, media_id) references media (club_id, id) on delete cascade
);

-- Which documents were read for their text. One that cannot be read is noted, and not tried for ever: `reading` counts its
-- tries, and is anybody's again some time after `started_at`.
create table media_readings (
  club_id     uuid not null,
  media_id    uuid not null,
  outcome     text not null check (outcome in ('reading', 'read', 'unreadable')),
  tries       integer not null default 1,
  started_at  timestamptz not null,
  primary key (club_id, media_id),
  foreign key (club_id, media_id) references media (club_id, id) on delete cascade
);

-- Lessons whose chunks are to be made anew. `asked` counts, so that a change during the work is not lost. Who works on
-- one has the lease; until `due_at` nobody else takes it, unless the lesson changes.
create table material_queue (
  club_id    uuid not null,
  lesson_id  uuid not null,
  asked      integer not null default 1,
  due_at     timestamptz not null,
  failures   integer not null default 0,
  lease_id   uuid,
  primary key (club_id, lesson_id),
  foreign key (club_id, lesson_id) references lessons (club_id, id)
);

create index material_queue_due_idx on material_queue (due_at, lesson_id);

-- Words alone, as a question is taken apart: what stands between these marks would otherwise be one lexeme, as an address.
create function spaced(value text) returns text
  language sql immutable strict parallel safe
  return translate(value, './@:_-', '      ');

-- A piece of a lesson's text or of a media record's page. `source_id` is the block, or the media record.
-- `search` holds the lexemes of both languages, so that a question in either finds it: Portuguese as it is written, for
-- its endings have accents, and everything without accents, for that is how many type.
create table material_chunks (
  club_id       uuid not null,
  id            uuid not null,
  course_id     uuid not null,
  lesson_id     uuid not null,
  source_kind   text not null check (source_kind in ('lesson', 'media')),
  source_id     uuid not null,
  source_title  text not null,
  media_id      uuid,
  page          integer check (page > 0),
  position      integer not null check (position > 0),
  body          text not null check (char_length(body) between 1 and 4000),
  search        tsvector not null generated always as (
    to_tsvector('portuguese', spaced(body)) || to_tsvector('portuguese', fold(spaced(body)))
      || to_tsvector('english', fold(spaced(body)))
  ) stored,
  primary key (club_id, id),
  foreign key (club_id, lesson_id) references lessons (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id) on delete cascade,
  check ((source_kind = 'media') = (media_id is not null))
);

create index material_chunks_lesson_idx on material_chunks (club_id, lesson_id, position);
create index material_chunks_media_idx on material_chunks (club_id, media_id) where media_id is not null;
create index material_chunks_search_idx on material_chunks using gin (club_id, course_id, search);

-- What a club gives access to: deliveries, what is in them, and their cohorts; and links that register for one.

-- `free_from` is set while a free delivery has not yet been given to every student that there was when it became free:
-- the id of the last student who has been looked at.
create table deliveries (
  club_id              uuid not null references clubs (id),
  id                   uuid not null,
  name                 text not null check (char_length(name) between 1 and 120),
  free                 boolean not null,
  default_access_days  integer check (default_access_days between 1 and 36500),
  free_from            uuid,
  created_at           timestamptz not null,
  archived_at          timestamptz,
  primary key (club_id, id)
);

-- Free deliveries are read at every student's birth.
create index deliveries_free_idx on deliveries (club_id, id) where free and archived_at is null;
create index deliveries_free_from_idx on deliveries (free_from, id) where free_from is not null;

-- `item_id` is of the table that `kind` names; the service asks the feature whether the club has it.
create table delivery_items (
  club_id      uuid not null,
  delivery_id  uuid not null,
  kind         text not null check (kind in ('course', 'repository', 'community', 'live')),
  item_id      uuid not null,
  position     integer not null check (position > 0),
  primary key (club_id, delivery_id, kind, item_id),
  foreign key (club_id, delivery_id) references deliveries (club_id, id) on delete cascade
);

-- Who may see this course, this repository?
create index delivery_items_item_idx on delivery_items (club_id, kind, item_id);

create table cohorts (
  club_id      uuid not null,
  id           uuid not null,
  delivery_id  uuid not null,
  name         text not null check (char_length(name) between 1 and 120),
  starts_at    timestamptz,
  ends_at      timestamptz,
  created_at   timestamptz not null,
  primary key (club_id, id),
  unique (club_id, delivery_id, id),
  foreign key (club_id, delivery_id) references deliveries (club_id, id) on delete cascade,
  check (ends_at > starts_at)
);

-- A link without a delivery lets in and gives nothing; a cohort is one of its delivery.
alter table registration_links
  add column delivery_id uuid,
  add column cohort_id uuid,
  add foreign key (club_id, delivery_id) references deliveries (club_id, id),
  add foreign key (club_id, delivery_id, cohort_id) references cohorts (club_id, delivery_id, id),
  add check (cohort_id is null or delivery_id is not null);

create index registration_links_delivery_idx on registration_links (club_id, delivery_id, cohort_id);

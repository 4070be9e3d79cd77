-- Administrator accounts, clubs, who administers them, and the students of each club.
-- An address is stored in the lower case in which it is compared.

-- A row exists only once the link in a sign-up mail was used, so every user is verified.
create table users (
  id             uuid primary key,
  email          text not null unique check (char_length(email) between 3 and 320),
  name           text not null check (char_length(name) between 1 and 200),
  password_hash  text not null,
  verified_at    timestamptz not null,
  created_at     timestamptz not null
);

-- `id` is in every key of a club's rows and never leaves the service; `organization_id` is the public one.
create table clubs (
  id               uuid primary key,
  organization_id  uuid not null unique,
  name             text not null check (char_length(name) between 1 and 120),
  slug             text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60),
  time_zone        text not null,
  locale           text not null check (locale in ('pt-BR', 'en')),
  sign_up_open     boolean not null,
  created_at       timestamptz not null
);

create table members (
  club_id     uuid not null references clubs (id),
  user_id     uuid not null references users (id),
  role        text not null check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
  created_at  timestamptz not null,
  primary key (club_id, user_id)
);

-- `GET /v1/me` asks for the clubs of a person.
create index members_user_id_idx on members (user_id);

-- One open invitation per address; inviting again replaces it.
create table invitations (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  email       text not null check (char_length(email) between 3 and 320),
  role        text not null check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
  invited_by  uuid not null references users (id),
  token_hash  bytea not null unique check (octet_length(token_hash) = 32),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (club_id, id),
  unique (club_id, email)
);

-- What has expired is deleted by this order.
create index invitations_expires_at_idx on invitations (expires_at);

-- The same person in two clubs is two students. Null `password_hash`: they enter by access links.
create table students (
  club_id        uuid not null references clubs (id),
  id             uuid not null unique,
  email          text not null check (char_length(email) between 3 and 320),
  name           text not null check (char_length(name) between 1 and 200),
  password_hash  text,
  verified_at    timestamptz,
  created_at     timestamptz not null,
  primary key (club_id, id),
  unique (club_id, email)
);

-- A code that lets a person sign up in a club, an open or a closed one.
create table registration_links (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  code        text not null unique check (char_length(code) between 8 and 64),
  max_uses    integer check (max_uses > 0),
  uses        integer not null default 0 check (uses <= max_uses),
  created_at  timestamptz not null,
  expires_at  timestamptz,
  primary key (club_id, id)
);

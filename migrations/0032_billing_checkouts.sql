-- A subscription at Stripe becomes a club's plan only if the club asked for it: what a payer writes about whom it is for is
-- not believed.

-- Checkouts that an administrator of the club began. The subscription that comes of one names it.
create table billing_checkouts (
  club_id     uuid not null references clubs (id),
  id          uuid not null,
  created_at  timestamptz not null,
  primary key (club_id, id)
);

create index billing_checkouts_created_at_idx on billing_checkouts (created_at);

-- Subscriptions that say by themselves that they are for the club: an administrator confirms one, or nothing comes of it.
create table billing_claims (
  club_id          uuid not null references clubs (id),
  id               uuid not null,
  subscription_id  text not null check (char_length(subscription_id) between 1 and 255),
  plan_key         text not null check (char_length(plan_key) between 1 and 64),
  created_at       timestamptz not null,
  primary key (club_id, id),
  unique (subscription_id, club_id)
);

-- Sales platforms: where they write to, what they wrote, what they sell, and what came of it.

-- The URL holds a token: found by its hash, shown again to the administration from `token`, which is sealed, as is
-- `secret`. After a rotation the token before works for a day. A deleted one stays, without token and secret, until the
-- events that name it are gone.
create table inbound_webhooks (
  club_id                    uuid not null references clubs (id),
  id                         uuid not null,
  platform                   text not null check (platform in ('hotmart', 'kiwify', 'stripe', 'hubla', 'eduzz', 'generic')),
  name                       text not null check (char_length(name) between 1 and 120),
  enabled                    boolean not null,
  token_only                 boolean not null,
  secret                     bytea,
  token                      bytea,
  token_hash                 bytea unique check (octet_length(token_hash) = 32),
  previous_token_hash        bytea unique check (octet_length(previous_token_hash) = 32),
  previous_token_expires_at  timestamptz,
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null,
  deleted_at                 timestamptz,
  primary key (club_id, id),
  check ((token is null) = (deleted_at is not null)),
  check ((token_hash is null) = (deleted_at is not null)),
  check ((previous_token_hash is null) = (previous_token_expires_at is null))
);

create index inbound_webhooks_deleted_at_idx on inbound_webhooks (deleted_at) where deleted_at is not null;

-- One request that was accepted. `due_at` is set exactly while it waits to be processed, and `outcome` once it was.
-- `raw` is the body, sealed, for 30 days; the rest stays for 90. `body_hash` tells the same bytes again.
-- `order_key` names the purchase or the subscription: what shares it is processed in the order of its arrival.
-- `purchase_ref` is what the platform calls the purchase, for those that wait for one to be known. `offer_ids` are the
-- offers of `product_ids`, each in the same place, null where there is none.
-- `person_key` is a hash of club and address, to find what is to be forgotten.
create table inbound_events (
  club_id             uuid not null references clubs (id),
  id                  uuid not null,
  inbound_webhook_id  uuid not null,
  platform            text not null,
  event_name          text not null check (char_length(event_name) <= 120),
  external_event_id   text check (char_length(external_event_id) <= 200),
  body_hash           bytea not null check (octet_length(body_hash) = 32),
  order_key           text not null check (char_length(order_key) <= 300),
  purchase_ref        text check (char_length(purchase_ref) <= 200),
  product_ids         text[] not null,
  offer_ids           text[] not null,
  person_key          bytea check (octet_length(person_key) = 32),
  student_id          uuid,
  raw                 bytea,
  received_at         timestamptz not null,
  due_at              timestamptz,
  failures            integer not null default 0,
  outcome             text check (outcome in ('processed', 'ignored', 'duplicate', 'unmapped', 'failed')),
  detail              text check (char_length(detail) <= 300),
  finished_at         timestamptz,
  primary key (club_id, id),
  unique (club_id, inbound_webhook_id, body_hash),
  foreign key (club_id, inbound_webhook_id) references inbound_webhooks (club_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  check ((due_at is null) = (outcome is not null)),
  check ((outcome is null) = (finished_at is null)),
  check (cardinality(product_ids) = cardinality(offer_ids))
);

-- Clubs take turns, so what is due is looked up club by club.
create index inbound_events_due_at_idx on inbound_events (club_id, due_at, id) where due_at is not null;
-- Is there an earlier one of the same purchase?
create index inbound_events_order_idx on inbound_events (club_id, order_key, id) where due_at is not null;
create index inbound_events_list_idx on inbound_events (club_id, inbound_webhook_id, id desc);
create index inbound_events_outcome_idx on inbound_events (club_id, inbound_webhook_id, outcome, id desc);
create index inbound_events_unmapped_idx on inbound_events (club_id, platform, purchase_ref) where outcome = 'unmapped';
create index inbound_events_person_idx on inbound_events (club_id, person_key) where person_key is not null;
create index inbound_events_student_idx on inbound_events (club_id, student_id) where student_id is not null;
create index inbound_events_raw_idx on inbound_events (received_at) where raw is not null;
create index inbound_events_received_at_idx on inbound_events (received_at);

-- A product may give several deliveries; an offer of its own, or with null all of its offers.
create table product_mappings (
  club_id              uuid not null,
  id                   uuid not null,
  platform             text not null check (platform in ('hotmart', 'kiwify', 'stripe', 'hubla', 'eduzz', 'generic')),
  external_product_id  text not null check (char_length(external_product_id) between 1 and 200),
  external_offer_id    text check (char_length(external_offer_id) between 1 and 200),
  delivery_id          uuid not null,
  cohort_id            uuid,
  access_days          integer check (access_days between 1 and 36500),
  created_at           timestamptz not null,
  primary key (club_id, id),
  constraint product_mappings_key unique nulls not distinct
    (club_id, platform, external_product_id, external_offer_id, delivery_id),
  foreign key (club_id, delivery_id) references deliveries (club_id, id),
  foreign key (club_id, delivery_id, cohort_id) references cohorts (club_id, delivery_id, id)
);

create index product_mappings_delivery_idx on product_mappings (club_id, delivery_id);

-- `status` and the four times follow from all that was told, in whatever order. `past_dues_told` and
-- `cancellations_told` count the events that went out.
create table subscriptions (
  club_id              uuid not null,
  id                   uuid not null,
  student_id           uuid not null,
  platform             text not null,
  external_id          text not null check (char_length(external_id) between 1 and 200),
  status               text not null check (status in ('active', 'past_due', 'canceled')),
  plan_name            text check (char_length(plan_name) <= 200),
  product_external_id  text not null check (char_length(product_external_id) <= 200),
  product_name         text check (char_length(product_name) <= 200),
  current_period_end   timestamptz,
  past_due_since       timestamptz,
  canceled_at          timestamptz,
  canceled_until       timestamptz,
  past_dues_told       integer not null default 0,
  cancellations_told   integer not null default 0,
  created_at           timestamptz not null,
  primary key (club_id, id),
  unique (club_id, platform, external_id),
  foreign key (club_id, student_id) references students (club_id, id),
  check (canceled_until is null or canceled_at is not null)
);

create index subscriptions_student_idx on subscriptions (club_id, student_id);

-- When a charge was late, once for each: `key` is the charge or the period. A charge that is paid settles it.
create table subscription_latenesses (
  club_id          uuid not null,
  subscription_id  uuid not null,
  key              text not null check (char_length(key) between 1 and 200),
  since            timestamptz not null,
  primary key (club_id, subscription_id, key),
  foreign key (club_id, subscription_id) references subscriptions (club_id, id)
);

-- When it was canceled, as often as that was told; `until` is when the access ends, where the platform says so.
create table subscription_cancellations (
  club_id          uuid not null,
  subscription_id  uuid not null,
  at               timestamptz not null,
  until            timestamptz,
  primary key (club_id, subscription_id, at),
  foreign key (club_id, subscription_id) references subscriptions (club_id, id)
);

-- One charge. The times say what the platform has told, in whatever order; `status` follows from them.
create table purchases (
  club_id              uuid not null,
  id                   uuid not null,
  student_id           uuid not null,
  subscription_id      uuid,
  platform             text not null,
  external_id          text not null check (char_length(external_id) between 1 and 200),
  status               text not null check (status in ('paid', 'refunded', 'chargeback')),
  product_external_id  text not null check (char_length(product_external_id) <= 200),
  product_name         text check (char_length(product_name) <= 200),
  offer_external_id    text check (char_length(offer_external_id) <= 200),
  amount_cents         bigint,
  currency             text check (char_length(currency) <= 10),
  payment_method       text check (char_length(payment_method) <= 60),
  recurrence           integer,
  lateness_key         text check (char_length(lateness_key) between 1 and 200),
  period_end           timestamptz,
  paid_at              timestamptz,
  refunded_at          timestamptz,
  charged_back_at      timestamptz,
  dispute_won_at       timestamptz,
  created_at           timestamptz not null,
  primary key (club_id, id),
  unique (club_id, platform, external_id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, subscription_id) references subscriptions (club_id, id)
);

create index purchases_student_idx on purchases (club_id, student_id);
create index purchases_subscription_idx on purchases (club_id, subscription_id) where subscription_id is not null;

-- Other names of a purchase: Stripe names an invoice in one event and its payment in another.
create table purchase_aliases (
  club_id      uuid not null references clubs (id),
  platform     text not null,
  alias        text not null check (char_length(alias) between 1 and 200),
  external_id  text not null check (char_length(external_id) between 1 and 200),
  primary key (club_id, platform, alias)
);

create index purchase_aliases_external_id_idx on purchase_aliases (club_id, platform, external_id);

alter table enrollments
  add foreign key (club_id, purchase_id) references purchases (club_id, id),
  add foreign key (club_id, subscription_id) references subscriptions (club_id, id);

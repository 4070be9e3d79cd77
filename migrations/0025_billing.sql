-- Billing: which plan and add-ons a club has, what it used, what was charged and credited, and what the payment provider
-- still has to be told or has told us.

-- A club with no row, with one that has ended, or with one of another provider than the environment's, has no plan.
-- `anchor` is where its months are counted from; `invoiced_until` is the end of the last period whose beginning was
-- invoiced. `customer_id` and `subscription_id` are the provider's. `version` counts what was changed of the account or its
-- add-ons where a provider has them too: what was read of the provider before that is asked again.
create table billing_accounts (
  club_id          uuid primary key references clubs (id),
  provider         text not null check (provider in ('local', 'stripe')),
  plan_key         text not null check (char_length(plan_key) between 1 and 64),
  anchor           timestamptz not null,
  invoiced_until   timestamptz not null,
  customer_id      text check (char_length(customer_id) between 1 and 255),
  subscription_id  text unique check (char_length(subscription_id) between 1 and 255),
  version          integer not null default 0,
  created_at       timestamptz not null,
  ended_at         timestamptz,
  check ((provider = 'stripe') = (subscription_id is not null)),
  check ((provider = 'stripe') = (customer_id is not null))
);

-- Which accounts begin a period that was not invoiced.
create index billing_accounts_due_idx on billing_accounts (invoiced_until, club_id)
  where ended_at is null and provider = 'local';

-- Which accounts of Stripe's ended a period whose overage it was not told.
create index billing_accounts_overage_idx on billing_accounts (invoiced_until) where ended_at is null and provider = 'stripe';

-- One row for each time that an add-on was contracted. `external_id` is the provider's subscription item.
create table billing_addons (
  club_id        uuid not null references billing_accounts (club_id),
  id             uuid not null,
  addon_key      text not null check (char_length(addon_key) between 1 and 64),
  contracted_at  timestamptz not null,
  removed_at     timestamptz,
  external_id    text check (char_length(external_id) between 1 and 255),
  primary key (club_id, id),
  check (removed_at >= contracted_at)
);

create unique index billing_addons_contracted_idx on billing_addons (club_id, addon_key) where removed_at is null;
create index billing_addons_external_idx on billing_addons (club_id, external_id) where external_id is not null;

-- What was invoiced. `number` counts from 1 in each club; `external_id` is the provider's invoice.
create table billing_invoices (
  club_id       uuid not null references billing_accounts (club_id),
  id            uuid not null,
  number        integer not null check (number > 0),
  status        text not null check (status in ('issued', 'paid', 'void')),
  currency      text not null check (char_length(currency) = 3),
  period_start  timestamptz not null,
  period_end    timestamptz not null,
  total_cents   bigint not null check (total_cents >= 0),
  issued_at     timestamptz not null,
  external_id   text check (char_length(external_id) between 1 and 255),
  primary key (club_id, id),
  unique (club_id, number),
  check (period_start <= period_end)
);

create unique index billing_invoices_external_idx on billing_invoices (external_id) where external_id is not null;

-- The ledger: what a club owes (above zero) and what it gets back (below), never changed but for the invoice that it went
-- on. `credited_id` is the charge that a credit gives back the rest of, so each charge is credited once at most. What is
-- left of credit when an invoice would be below nothing is carried: once with each sign, so the ledger's sum is unchanged.
create table billing_entries (
  club_id      uuid not null references billing_accounts (club_id),
  id           uuid not null,
  kind         text not null check (kind in ('plan', 'addon', 'overage', 'credit', 'carried')),
  key          text not null check (char_length(key) between 1 and 64),
  name         text not null check (char_length(name) between 1 and 200),
  amount_cents bigint not null,
  currency     text not null check (char_length(currency) = 3),
  starts_at    timestamptz not null,
  ends_at      timestamptz not null,
  addon_id     uuid,
  credited_id  uuid,
  invoice_id   uuid,
  external_id  text check (char_length(external_id) between 1 and 255),
  created_at   timestamptz not null,
  primary key (club_id, id),
  foreign key (club_id, addon_id) references billing_addons (club_id, id),
  foreign key (club_id, credited_id) references billing_entries (club_id, id),
  foreign key (club_id, invoice_id) references billing_invoices (club_id, id),
  check (starts_at <= ends_at),
  check (case kind when 'credit' then amount_cents <= 0 else amount_cents >= 0 end),
  check (credited_id is null or kind = 'credit')
);

create unique index billing_entries_credited_idx on billing_entries (club_id, credited_id) where credited_id is not null;
create unique index billing_entries_external_idx on billing_entries (club_id, external_id) where external_id is not null;
create index billing_entries_open_idx on billing_entries (club_id) where invoice_id is null;
create index billing_entries_invoice_idx on billing_entries (club_id, invoice_id) where invoice_id is not null;
create index billing_entries_plan_idx on billing_entries (club_id, ends_at) where kind = 'plan';
create index billing_entries_addon_idx on billing_entries (club_id, addon_id) where addon_id is not null;

-- How much of a metered resource a club used in one of its periods.
create table billing_usage (
  club_id       uuid not null references billing_accounts (club_id),
  resource_key  text not null check (char_length(resource_key) between 1 and 64),
  period_start  timestamptz not null,
  used          bigint not null check (used >= 0),
  primary key (club_id, resource_key, period_start)
);

-- What the provider has to be told, in the order of `position`, one club's one after another: given under the lock of the
-- account, so that clocks do not matter. `leased_until` keeps a second process away while one is told. With `key_number`,
-- `id` tells the provider that it has heard it before; another number follows once it has said that it failed, as it says
-- so again and again to the same one. `customers` are the provider's that were told, or may have been.
create table billing_changes (
  club_id          uuid not null references billing_accounts (club_id),
  id               uuid not null,
  position         bigint not null generated always as identity,
  kind             text not null check (kind in ('contract', 'remove', 'credit', 'overage')),
  addon_id         uuid,
  entry_id         uuid,
  status           text not null check (status in ('pending', 'done', 'refused')),
  attempts         integer not null default 0 check (attempts >= 0),
  key_number       integer not null default 0 check (key_number >= 0),
  customers        text[] not null default '{}',
  next_attempt_at  timestamptz not null,
  leased_until     timestamptz,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  primary key (club_id, id),
  foreign key (club_id, addon_id) references billing_addons (club_id, id),
  foreign key (club_id, entry_id) references billing_entries (club_id, id),
  check ((status = 'pending') = (finished_at is null))
);

create index billing_changes_pending_idx on billing_changes (next_attempt_at) where status = 'pending';
create index billing_changes_club_idx on billing_changes (club_id, position) where status = 'pending';
create index billing_changes_addon_idx on billing_changes (club_id, addon_id) where addon_id is not null;
create index billing_changes_entry_idx on billing_changes (club_id, entry_id) where entry_id is not null;

-- What the provider told us: its id, what happened and to what. What it means is asked again when it is dealt with, so that
-- the order in which it came does not matter. `listed`: all that the provider lists until then is here, so that the list is
-- gone through from the newest of these on.
create table billing_events (
  id               text primary key check (char_length(id) between 1 and 255),
  type             text not null check (char_length(type) between 1 and 100),
  object_id        text not null check (char_length(object_id) between 1 and 255),
  occurred_at      timestamptz not null,
  received_at      timestamptz not null,
  status           text not null check (status in ('pending', 'done', 'ignored')),
  attempts         integer not null default 0 check (attempts >= 0),
  next_attempt_at  timestamptz not null,
  leased_until     timestamptz,
  listed           boolean not null
);

create index billing_events_pending_idx on billing_events (next_attempt_at) where status = 'pending';
create index billing_events_occurred_at_idx on billing_events (occurred_at);
create index billing_events_listed_idx on billing_events (occurred_at) where listed;

-- The period of the plan that an answer of the assistant was counted in, so that it goes back to where it came from.
alter table messages add column plan_period timestamptz;

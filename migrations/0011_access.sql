-- Who has access to what, from when until when, and how it came to that.

-- Whether an enrollment is active is computed when it is read. A purchase or a subscription has enrollments of its own,
-- so that a refund ends what it paid for and nothing else.
-- `lapse_noted` says that the history has the end that `expires_at` made; a later end takes it back.
create table enrollments (
  club_id          uuid not null,
  id               uuid not null,
  student_id       uuid not null,
  delivery_id      uuid not null,
  cohort_id        uuid,
  source           text not null check (source in (
    'purchase', 'subscription', 'grant', 'invitation', 'import', 'registration_link', 'free'
  )),
  purchase_id      uuid,
  subscription_id  uuid,
  starts_at        timestamptz not null,
  expires_at       timestamptz,
  created_at       timestamptz not null,
  revoked_at       timestamptz,
  revoke_reason    text check (revoke_reason in (
    'refund', 'chargeback', 'subscription_canceled', 'manual', 'student_removed'
  )),
  lapse_noted      boolean not null default false,
  primary key (club_id, id),
  unique (club_id, student_id, id),
  foreign key (club_id, student_id) references students (club_id, id),
  foreign key (club_id, delivery_id) references deliveries (club_id, id),
  foreign key (club_id, delivery_id, cohort_id) references cohorts (club_id, delivery_id, id),
  check (expires_at > starts_at),
  check ((revoked_at is null) = (revoke_reason is null)),
  check ((source = 'purchase') = (purchase_id is not null)),
  check ((source = 'subscription') = (subscription_id is not null))
);

create index enrollments_student_idx on enrollments (club_id, student_id, delivery_id);
create index enrollments_delivery_idx on enrollments (club_id, delivery_id, student_id);
create index enrollments_cohort_idx on enrollments (club_id, cohort_id, student_id) where cohort_id is not null;
create index enrollments_lapsed_idx on enrollments (expires_at)
  where revoked_at is null and not lapse_noted and expires_at is not null;
-- Twice the same sale, or the same free delivery, is once: the database decides.
create unique index enrollments_purchase_key on enrollments (club_id, purchase_id, delivery_id)
  where purchase_id is not null;
create unique index enrollments_subscription_key on enrollments (club_id, subscription_id, delivery_id)
  where subscription_id is not null;
create unique index enrollments_free_key on enrollments (club_id, student_id, delivery_id) where source = 'free';

-- The history. Rows are added and never changed; an erasure empties `reason`, which people write.
create table access_events (
  club_id               uuid not null,
  id                    uuid not null,
  student_id            uuid not null,
  enrollment_id         uuid not null,
  kind                  text not null check (kind in (
    'granted', 'revoked', 'extended', 'shortened', 'restored', 'moved', 'expired'
  )),
  occurred_at           timestamptz not null,
  effective_expires_at  timestamptz,
  reason                text check (char_length(reason) between 1 and 500),
  actor_user_id         uuid references users (id),
  platform_event_id     uuid,
  primary key (club_id, id),
  foreign key (club_id, student_id, enrollment_id) references enrollments (club_id, student_id, id)
);

create index access_events_student_idx on access_events (club_id, student_id, id desc);

create function keep_access_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.reason is null and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    return new;
  end if;
  raise exception 'access_events is append-only';
end $$;

create trigger keep_access_events before update or delete on access_events
  for each row execute function keep_access_events();

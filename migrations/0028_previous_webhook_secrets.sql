-- Secrets that a rotation replaced. Each goes on signing until its own end, so after several rotations several of them do:
-- a column of the endpoint held one, and the next rotation silenced it early. `number` counts up; the highest is the
-- newest. Sealed as the secret of the endpoint is, and gone with it.
create table webhook_previous_secrets (
  club_id      uuid not null,
  endpoint_id  uuid not null,
  number       integer not null check (number > 0),
  secret       bytea not null,
  expires_at   timestamptz not null,
  primary key (club_id, endpoint_id, number),
  foreign key (club_id, endpoint_id) references webhook_endpoints (club_id, id)
);

-- The clean-up finds those that sign no more.
create index webhook_previous_secrets_expires_at_idx on webhook_previous_secrets (expires_at);

insert into webhook_previous_secrets (club_id, endpoint_id, number, secret, expires_at)
select club_id, id, 1, previous_secret, previous_secret_expires_at from webhook_endpoints
where previous_secret is not null;

alter table webhook_endpoints drop column previous_secret, drop column previous_secret_expires_at;

-- An endpoint that fails and accepts nothing is disabled when its time is over, also if nothing is sent to it any more.
-- What is watched for that is in an index of its own: `rests` says that the endpoint is paused, disabled or deleted, so
-- those that were given up are not looked at again and again. Enabling forgets since when it fails.
alter table webhook_lanes add column rests boolean not null default false;

update webhook_lanes l set rests = true
from webhook_endpoints e
where e.club_id = l.club_id and e.id = l.endpoint_id and (e.status <> 'enabled' or e.deleted_at is not null);

create index webhook_lanes_failing_idx on webhook_lanes (failing_since) where failing_since is not null and not rests;

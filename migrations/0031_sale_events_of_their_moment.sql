-- An event about a subscription carries the moment of its fact, so each lateness and each cancellation knows whether one
-- went out as of it. Of those before now as many are marked as were told.

alter table subscription_latenesses add column told boolean not null default false;
alter table subscription_cancellations add column told boolean not null default false;

update subscription_latenesses l set told = true
from (
  select club_id, subscription_id, key, row_number() over (partition by club_id, subscription_id order by since, key) as n
  from subscription_latenesses
) as counted
join subscriptions s on s.club_id = counted.club_id and s.id = counted.subscription_id
where l.club_id = counted.club_id and l.subscription_id = counted.subscription_id and l.key = counted.key
  and counted.n <= s.past_dues_told;

update subscription_cancellations c set told = true
from (
  select club_id, subscription_id, at, row_number() over (partition by club_id, subscription_id order by at) as n
  from subscription_cancellations
) as counted
join subscriptions s on s.club_id = counted.club_id and s.id = counted.subscription_id
where c.club_id = counted.club_id and c.subscription_id = counted.subscription_id and c.at = counted.at
  and counted.n <= s.cancellations_told;

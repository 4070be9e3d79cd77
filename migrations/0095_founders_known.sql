-- beside: 0074
-- run: batches
-- The founder of a club from before is taken to be the owner who has been a member for longest.
update clubs
set founder_user_id = found.user_id
from (
  select c.id, owner.user_id
  from clubs c cross join lateral (
    select m.user_id from members m
    where m.club_id = c.id and m.role = 'owner'
    order by m.created_at, m.user_id limit 1
  ) owner
  where c.founder_user_id is null
  limit 2000
) found
where clubs.id = found.id
returning 1

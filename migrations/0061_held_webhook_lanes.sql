-- Held is what would be sent to: what is paused, disabled or deleted rests, whatever held it before. It is not in the index
-- any more, so that what rests for good is not counted through again and again.
drop index webhook_lanes_held_idx;
create index webhook_lanes_held_idx on webhook_lanes (club_id, endpoint_id) where holds > 0 and not rests;

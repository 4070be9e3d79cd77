-- The feed of a club's events, in an order on which readers can rely: that of commits.

-- Where the feed of a club ends. Whoever assembles events of the club locks this row until the transaction ends, so a
-- place is visible only when all before it are. `position` is that of the newest event.
create table webhook_feeds (
  club_id   uuid not null primary key references clubs (id),
  position  uuid not null
) with (fillfactor = 50);

-- An event of the feed. `position` is a UUIDv7 without chance: it has the moment of the assembly, never before that of an
-- earlier event, and in its last 15 digits the event's number, of which 1 is the club's first and none is left out. So one
-- key is the order, the partition and the age. Bodies are those of the messages, states those of the deliveries.
create table webhook_feed_events (
  club_id      uuid not null,
  position     uuid not null,
  event_id     uuid not null,
  type         text not null,
  student_id   uuid,
  occurred_at  timestamptz not null,
  created_at   timestamptz not null,
  primary key (club_id, position)
) partition by range (position);

-- The feed of one student, and the messages that their erasure must find: of some no delivery tells.
create index webhook_feed_events_student_idx on webhook_feed_events (club_id, student_id, position)
  where student_id is not null;

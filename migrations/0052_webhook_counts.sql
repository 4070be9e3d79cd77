-- What became of the attempts of an endpoint, by quarters of an hour: of these the hours and days of every time zone are
-- made up. Written by the statement that writes the attempts, which has locked the lane, so no two write a row at once.
-- Kept for as long as the history. There is nothing of a student in it, and the erasure leaves it alone.
--
-- `given_up` counts the deliveries that an attempt ended as failed. Durations are counted by how long they took: each
-- `under_N` is of those below N milliseconds and not below the one before; `longer` is the rest.
--
-- It refers to the lane and not to the endpoint: the check of the reference locks the row that it refers to, and whoever
-- locks both locks the endpoint first.
create table webhook_counts (
  club_id      uuid not null,
  endpoint_id  uuid not null,
  at           timestamptz not null,
  accepted     integer not null,
  failed       integer not null,
  given_up     integer not null,
  under_5      integer not null,
  under_10     integer not null,
  under_15     integer not null,
  under_20     integer not null,
  under_30     integer not null,
  under_40     integer not null,
  under_60     integer not null,
  under_80     integer not null,
  under_120    integer not null,
  under_160    integer not null,
  under_240    integer not null,
  under_320    integer not null,
  under_480    integer not null,
  under_640    integer not null,
  under_960    integer not null,
  under_1280   integer not null,
  under_1920   integer not null,
  under_2560   integer not null,
  under_3840   integer not null,
  under_5120   integer not null,
  under_7680   integer not null,
  under_10240  integer not null,
  under_15360  integer not null,
  under_30720  integer not null,
  longer       integer not null,
  primary key (club_id, endpoint_id, at),
  foreign key (club_id, endpoint_id) references webhook_lanes (club_id, endpoint_id)
) with (fillfactor = 70);

-- The clean-up finds what is past its age.
create index webhook_counts_at_idx on webhook_counts (at);

-- beside: 0074
-- Lives that a delivery contains anew: the students who have it are notified, in the order of their ids, a page at a time, and
-- `after_student_id` is how far that came. Of a deleted live the notifications are withdrawn in the same way.
create table live_announcements (
  club_id           uuid not null,
  live_id           uuid not null,
  after_student_id  uuid,
  due_at            timestamptz not null,
  primary key (club_id, live_id),
  foreign key (club_id, live_id) references lives (club_id, id)
);

create index live_announcements_due_idx on live_announcements (due_at);

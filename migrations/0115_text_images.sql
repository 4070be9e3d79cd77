-- beside: 0074
-- The images of the library that texts name: an image that a block or a course shows is not deleted.
create table block_images (
  club_id   uuid not null,
  block_id  uuid not null,
  media_id  uuid not null,
  primary key (club_id, block_id, media_id),
  foreign key (club_id, block_id) references blocks (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id)
);

create index block_images_media_idx on block_images (club_id, media_id);

create table course_images (
  club_id    uuid not null,
  course_id  uuid not null,
  media_id   uuid not null,
  primary key (club_id, course_id, media_id),
  foreign key (club_id, course_id) references courses (club_id, id),
  foreign key (club_id, media_id) references media (club_id, id)
);

create index course_images_media_idx on course_images (club_id, media_id);

-- beside: 0074
-- How a club looks to its students: two images of its library, a colour and a greeting. In a table of its own, so that a
-- change locks no row that students refer to. A club without a row has no face of its own.
create table club_faces (
  club_id         uuid primary key references clubs (id),
  logo_media_id   uuid,
  cover_media_id  uuid,
  accent          text check (accent ~ '^#[0-9a-f]{6}$'),
  welcome         text check (char_length(welcome) between 1 and 300),
  foreign key (club_id, logo_media_id) references media (club_id, id),
  foreign key (club_id, cover_media_id) references media (club_id, id)
);

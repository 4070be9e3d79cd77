-- beside: 0074
-- Why a document that was read has no text: its pages are pictures, or there is nothing on them. Null where it has some.
alter table media_readings
  add column without_text text check (without_text in ('pictures', 'nothing'));

-- beside: 0074
alter table courses validate constraint courses_cover_fkey;

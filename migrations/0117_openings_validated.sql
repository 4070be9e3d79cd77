-- beside: 0074
alter table modules validate constraint modules_opening_check;
alter table lessons validate constraint lessons_opening_check;

/** Migrations that each version after 0.2.0 may add: an index, a column, and values for it, in the fullest table. */
export const later = {
  "0991_index.sql": "-- beside: 0074\n-- run: alone\n" +
    "create index concurrently if not exists students_later_idx on students (name, email)",
  "0992_column.sql": "-- beside: 0074\nalter table students add column later_note text;",
  "0993_fill.sql": "-- beside: 0074\n-- run: batches\nupdate students set later_note = '' where (club_id, id) in (\n" +
    "  select club_id, id from students where later_note is null limit 2000\n) returning 1"
}

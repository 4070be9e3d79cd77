-- beside: 0074
-- The columns of an import's file that nobody knows. And what a row's error is more exactly than its `code`, which is one that
-- the version before knows, too.
alter table student_imports
  add column unknown_columns text[] not null default '{}' check (cardinality(unknown_columns) <= 500);

alter table student_import_errors
  add column detail text check (detail in ('quotes', 'encoding', 'scientific_notation'));

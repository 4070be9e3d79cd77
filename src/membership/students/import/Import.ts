import { Schema } from "effect"
import { UserId } from "../../../identity/ids/UserId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { ErrorCode, ErrorField } from "./Problem.ts"

/** UUIDv7. */
export const ImportId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ImportId"))
export type ImportId = typeof ImportId.Type

/** Rows that one import has at most (http-surface, Students). */
export const maxRows = 5000

/** A row is at most so long, in UTF-16 units: longer than all that can be in it, and short enough to be read in a moment. */
export const longestRow = 32_768

/** `completed` means that every row was looked at, not that all of them are right. */
export const ImportStatus = Schema.Literals(["pending", "running", "completed"])

const Instant = Schema.DateTimeUtcFromDate

/** An import and how far it is. `created`, `existing` and `failed` count rows and make `processed` together. */
export class StudentImport extends Schema.Class<StudentImport>("StudentImport")({
  id: ImportId,
  status: ImportStatus,
  /** Nothing is written: the counts and errors tell what would be. */
  dry_run: Schema.Boolean,
  total: Schema.Int,
  processed: Schema.Int,
  /** Rows that made a student. */
  created: Schema.Int,
  /** Rows of students that there were, earlier rows of the same address included. */
  existing: Schema.Int,
  /** Accesses that were given to either. */
  granted: Schema.Int,
  /** Rows with errors. */
  failed: Schema.Int,
  /** The member who sent it. */
  actor_user_id: UserId,
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
}) {}

/** What is wrong with one cell, or with the whole `row`. The line is the file's, or counts the rows of a JSON body. */
export class StudentImportError extends Schema.Class<StudentImportError>("StudentImportError")({
  id: Schema.String,
  line: Schema.Int,
  field: ErrorField,
  code: ErrorCode,
  message: Schema.String
}) {}

const Cell = Schema.optionalKey(Schema.NullOr(Schema.String))

/** Rows as JSON. What stands in a cell is judged row by row; null and empty text are no value. */
export const ImportRows = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    name: Schema.String,
    email: Schema.String,
    document: Schema.optionalKey(Schema.NullOr(Schema.RedactedFromValue(Schema.String))),
    delivery: Cell,
    cohort: Cell,
    expires_at: Cell
  })).check(Schema.isMinLength(1))
})

/** More rows than one import has. */
export class TooManyRows extends ApiError<TooManyRows>()("TooManyRows", {
  status: 422,
  code: "too_many_rows",
  message: `rows: Expected at most ${maxRows}`
}) {}

/** The text is no table, or not one with the column that every row needs. */
export class CsvInvalid extends ApiError<CsvInvalid>()("CsvInvalid", {
  status: 422,
  code: "csv_invalid",
  message: "The text is no CSV"
}) {}

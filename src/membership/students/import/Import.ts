import { Schema } from "effect"
import { UserId } from "../../../identity/ids/UserId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { ErrorCode, ErrorField } from "./Problem.ts"

/** UUIDv7. */
export const ImportId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ImportId"))
export type ImportId = typeof ImportId.Type

/** Rows that one import has at most (http-surface, Students). */
export const maxRows = 5000

/** The maximal length of a row in UTF-16 units: longer than all valid content, and short enough to be read quickly. */
export const longestRow = 32_768

/** `completed` means that every row was processed, not that all of them were valid. */
const ImportStatus = Schema.Literals(["pending", "running", "completed"])

const Instant = Schema.DateTimeUtcFromDate

/** An import and its progress. `created`, `existing` and `failed` count rows; their sum is `processed`. */
export class StudentImport extends Schema.Class<StudentImport>("StudentImport")({
  id: ImportId,
  status: ImportStatus,
  /** Writes nothing; the counts and errors are those of a real import. */
  dry_run: Schema.Boolean,
  total: Schema.Int,
  processed: Schema.Int,
  /** Rows that created a student. */
  created: Schema.Int,
  /** Rows of existing students, and of addresses of earlier rows. */
  existing: Schema.Int,
  /** Accesses granted to either. */
  granted: Schema.Int,
  /** Rows with errors. */
  failed: Schema.Int,
  /** The member who sent it. */
  actor_user_id: UserId,
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
}) {}

/** An error in one cell, or in the whole `row`. The line is that of the file, or the number of a row in a JSON body. */
export class StudentImportError extends Schema.Class<StudentImportError>("StudentImportError")({
  id: Schema.String,
  line: Schema.Int,
  field: ErrorField,
  code: ErrorCode,
  message: Schema.String
}) {}

const Cell = Schema.optionalKey(Schema.NullOr(Schema.String))

/** Rows as JSON. Cells are checked row by row later; null and empty text are no value. */
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

/** More rows than one import may have. */
export class TooManyRows extends ApiError<TooManyRows>()("TooManyRows", {
  status: 422,
  code: "too_many_rows",
  message: `rows must have at most ${maxRows} items`
}) {}

/** The text is no table, or has no column `email`. */
export class CsvInvalid extends ApiError<CsvInvalid>()("CsvInvalid", {
  status: 422,
  code: "csv_invalid",
  message: "The text is no CSV: send columns name and email, divided by commas or semicolons"
}) {}

import { Schema } from "effect"

/**
 * The format of an archive, in the order of its files. A later version may add files and fields. A reader skips the
 * unknown ones, and refuses another `format`.
 * - `turma.json`: `Header`, the facts that a restore needs first.
 * - `database/<table>/<number>.json`: a JSON array of rows, each as PostgreSQL writes a row as text; about 1 MB each.
 * - `app-secret-key`: the generated key, only of an installation with the embedded database.
 * - `files/kept/…` and `files/uploads/…`: the files of `DATA_DIR/files`, unless they are in a bucket.
 * - `manifest.json`: `Manifest`, counts and checksums of everything. An archive without it is incomplete.
 */
export const format = 1

/** The first file, a `Header`. */
export const headerName = "turma.json"
/** The last file, a `Manifest`. */
export const manifestName = "manifest.json"
/** The file of the generated key. */
export const keyName = "app-secret-key"
/** Where rows are, in a folder for each table. */
export const databasePrefix = "database/"
/** Where the files of `DATA_DIR/files` are. */
export const filesPrefix = "files/"

const Table = Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) })
const Partition = Schema.Struct({ name: Schema.String, parent: Schema.String, bounds: Schema.String })

/** A migration that the database had. */
const Migration = Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String })

/** The facts that a restore needs before it can begin. */
export const Header = Schema.Struct({
  format: Schema.Int,
  /** Of Turma and of PostgreSQL. */
  turma: Schema.String,
  postgresql: Schema.String,
  /** ISO 8601, UTC: everything is as it was at this moment. */
  taken_at: Schema.String,
  migrations: Schema.Array(Migration),
  tables: Schema.Array(Table),
  partitions: Schema.Array(Partition),
  /** Ids of the keys that secrets are sealed with, the current one first. */
  keys: Schema.NonEmptyArray(Schema.String),
  /** Those of them that are in the archive. Without it, of an archive that has a key, only the first. */
  generated_keys: Schema.optionalKey(Schema.Array(Schema.String)),
  /** True if the key is in the archive, and likewise the files. */
  has_key: Schema.Boolean,
  has_files: Schema.Boolean
})
export type Header = typeof Header.Type

const Counted = Schema.Struct({ name: Schema.String, rows: Schema.Int, sha256: Schema.String })
const Sequence = Schema.Struct({ name: Schema.String, last_value: Schema.String, is_called: Schema.Boolean })

/** The content of a whole archive, for comparison with a restore. */
export const Manifest = Schema.Struct({
  tables: Schema.Array(Counted),
  sequences: Schema.Array(Sequence),
  /** `sha256` covers names, sizes and contents in their order. */
  files: Schema.Struct({ count: Schema.Int, bytes: Schema.Int, sha256: Schema.String })
})
export type Manifest = typeof Manifest.Type

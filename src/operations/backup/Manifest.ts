import { Schema } from "effect"

/**
 * What an archive is, in the order of its files. A later version may add files and fields; a reader leaves out what it
 * does not know, and refuses another `format`.
 *
 * - `turma.json`: `Header`, what is needed before anything else can be restored.
 * - `database/<table>/<number>.json`: a JSON array of rows, each as PostgreSQL writes a row as text; about 1 MB each.
 * - `app-secret-key`: the generated key, only of an installation with the embedded database.
 * - `files/kept/…` and `files/uploads/…`: the files of `DATA_DIR/files`, unless they are in a bucket.
 * - `manifest.json`: `Manifest`, what there was of everything. An archive without it was cut off.
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

/** What a restore needs before it can begin. */
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
  /** Whether the key is in the archive, and whether the files are. */
  has_key: Schema.Boolean,
  has_files: Schema.Boolean
})
export type Header = typeof Header.Type

const Counted = Schema.Struct({ name: Schema.String, rows: Schema.Int, sha256: Schema.String })
const Sequence = Schema.Struct({ name: Schema.String, last_value: Schema.String, is_called: Schema.Boolean })

/** What a whole archive contains, to compare what was restored with. */
export const Manifest = Schema.Struct({
  tables: Schema.Array(Counted),
  sequences: Schema.Array(Sequence),
  /** `sha256` is of names, sizes and contents in their order. */
  files: Schema.Struct({ count: Schema.Int, bytes: Schema.Int, sha256: Schema.String })
})
export type Manifest = typeof Manifest.Type

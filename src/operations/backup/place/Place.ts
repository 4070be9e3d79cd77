import type { Effect } from "effect"
import type { BackupError } from "../archive/BackupError.ts"
import type { Destination, Source } from "../archive/Ends.ts"

/** An archive that is whole, by a name that we have given. */
interface StoredBackup {
  readonly name: string
  readonly bytes: number
  /** True if it was restored and compared. A backup of a version that recorded no verification counts as verified. */
  readonly isVerified: boolean
}

/** A folder or a bucket in which backups are kept beside each other. */
export interface Place {
  /** The name in logs and errors: it contains no secret. */
  readonly name: string
  /** Our backups, the oldest first. Files with other names are not ours, and stay. */
  readonly list: Effect.Effect<ReadonlyArray<StoredBackup>, BackupError>
  /** The names of our lists of removals, the oldest first. */
  readonly erasures: Effect.Effect<ReadonlyArray<string>, BackupError>
  /** A new file there is not verified until a run confirms it. */
  readonly destination: (name: string) => Destination
  readonly source: (name: string) => Source
  /** Remembers that one of them was verified. */
  readonly confirm: (name: string) => Effect.Effect<void, BackupError>
  /** Deletes one of those that are listed, or a list of removals. */
  readonly remove: (name: string) => Effect.Effect<void, BackupError>
  /** Deletes what runs of this series that were killed have left half written, unless it is younger than a day. */
  readonly sweep: (series: string) => Effect.Effect<void, BackupError>
}

import type { Effect, Scope } from "effect"
import type { Readable, Writable } from "node:stream"
import type { BackupError } from "./BackupError.ts"

/** Where an archive is being written: nothing is there under its name before it is published. */
export interface Draft {
  /** Takes the bytes; who writes waits for it. Its error is the reason why they could not be kept. */
  readonly bytes: Writable
  /** Gives what was written its name, once all of it is there. Takes nobody's place. */
  readonly publish: Effect.Effect<void, BackupError>
}

/** A place for one archive. */
export interface Destination {
  /** The name in errors. */
  readonly name: string
  /** Begins a draft, which is deleted when the scope closes. Refuses a name that exists. */
  readonly open: Effect.Effect<Draft, BackupError, Scope.Scope>
}

/** An archive that can be read from its beginning. */
export interface Source {
  /** The name in errors. */
  readonly name: string
  readonly open: Effect.Effect<Readable, BackupError>
}

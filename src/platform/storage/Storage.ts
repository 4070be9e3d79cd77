import { Context, type DateTime, Duration, type Effect, type Option, type Redacted, Schema, type Stream } from "effect"
import type { StorageFull, UploadInPartsUnavailable } from "../http/errors.ts"

/** The place of a file: lower-case letters, digits, `-`, `_` and single `/` between; nothing of what a person entered. */
export const StorageKey = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/),
  Schema.isMaxLength(255)
).pipe(Schema.brand("StorageKey"))
export type StorageKey = typeof StorageKey.Type

/** The size and type of a coming upload. Both are bound into the address: another size or type is refused. */
export interface Expected {
  readonly key: StorageKey
  readonly mime: string
  readonly size_bytes: number
}

/** How a client uploads a file: one request with these headers and the file as its body. */
export interface Upload {
  readonly method: "PUT"
  readonly url: Redacted.Redacted
  readonly headers: Readonly<Record<string, string>>
  readonly expires_at: DateTime.Utc
}

/** A part that has not come. */
export interface Part {
  /** From 1 on. */
  readonly number: number
  readonly offset: number
  readonly size_bytes: number
}

/** A part that has not come, and where it is sent: as the body of one PUT. */
interface MissingPart extends Part {
  readonly url: Redacted.Redacted
}

/** How far an upload in parts has come, and how it goes on. */
export interface UploadInParts {
  readonly method: "PUT"
  readonly part_size: number
  readonly part_count: number
  /** The numbers of the parts that are there, ascending. */
  readonly received: ReadonlyArray<number>
  /** The first of the others. */
  readonly missing: ReadonlyArray<MissingPart>
  readonly expires_at: DateTime.Utc
}

/** The name of a download and its treatment by the browser: `inline` shows it, otherwise it is saved under the name. */
export interface Presentation {
  readonly file_name: string
  readonly mime: string
  readonly inline: boolean
}

/** An address that expires. Anybody who has it can use it. */
export interface Download {
  readonly url: Redacted.Redacted
  readonly expires_at: DateTime.Utc
}

/** How long an upload may begin. */
export const uploadLifetime = Duration.minutes(15)

/** How long a download may begin. */
export const downloadLifetime = Duration.hours(1)

/** Uploads that are not settled by then are deleted. */
export const uploadRetention = Duration.hours(24)

/** There is no such file. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", {}) {}

/** Where files are. Nothing here reads a file as a whole into memory. */
export class Storage extends Context.Service<Storage, {
  readonly upload: (expected: Expected) => Effect.Effect<Upload>
  /**
   * How to send the file in parts instead, and which of them are there. A part may be sent again as often as needed.
   * Begins such an upload unless there is one. For a file that came as a whole, settled or not, all parts are there.
   * `UploadInPartsUnavailable`: this storage has no parts, and begins nothing.
   */
  readonly resume: (expected: Expected) => Effect.Effect<UploadInParts, StorageFull | UploadInPartsUnavailable>
  /**
   * Makes an upload of the parts, to be settled; false where not all of them are there. Of two at a time either may say
   * so, and the upload is there for both.
   */
  readonly assemble: (expected: Expected) => Effect.Effect<boolean, StorageFull>
  readonly download: (key: StorageKey, presentation: Presentation) => Effect.Effect<Download>
  /**
   * Ends the upload and answers its size, in bytes; `None` if no whole file was uploaded. From then on the file can be
   * read, and its upload address replaces nothing any longer. The second time the answer is the same. `StorageFull`:
   * the upload stays, and can be ended later.
   */
  readonly settle: (key: StorageKey) => Effect.Effect<Option.Option<number>, StorageFull>
  /** The bytes of a settled file: from `offset` on, at most `bytes` of them. */
  readonly read: (
    key: StorageKey,
    range?: { readonly offset?: number; readonly bytes?: number }
  ) => Stream.Stream<Uint8Array, FileMissing>
  /**
   * Gives a settled file another place beside its own; false without such a file. A file that is at the other place
   * already stays, so the second time nothing changes.
   */
  readonly copy: (key: StorageKey, other: StorageKey) => Effect.Effect<boolean, StorageFull>
  /** Settled or not, parts among it. Deleting a file that is not there succeeds. */
  readonly remove: (key: StorageKey) => Effect.Effect<void>
  /** Deletes what was uploaded longer than `uploadRetention` ago and is not settled. */
  readonly sweep: Effect.Effect<void>
}>()("turma/platform/storage/Storage") {}

import { Context, DateTime, Effect, Layer, Option, Struct } from "effect"
import type { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import type { NotFound, StorageFull } from "../../platform/http/errors.ts"
import { type Expected, Storage, StorageKey } from "../../platform/storage/Storage.ts"
import { fileTypeOf, limitOf } from "./FileTypes.ts"
import type { Media, MediaId, MediaKind, MediaPurpose } from "./Media.ts"
import { MediaChanges } from "./MediaChanges.ts"
import { type Ending, type MediaOwner, MediaRepo, type StoredMedia } from "./MediaRepo.ts"
import { removedFile, removedFileColumns } from "./RemovedFiles.ts"
import { MimeNotAllowed, SizeTooLarge, UploadMismatch, UploadNotFound, type UploadTicket } from "./Upload.ts"
import { inspect } from "./UploadedFile.ts"

interface Announced {
  readonly purpose: MediaPurpose
  readonly mime: string
  readonly size_bytes: number
}

/** A new place for a file. It says nothing of whose the file is, since whoever may fetch the file sees its place. */
export const newKey = Effect.fnUntraced(function*(random: SecureRandom.SecureRandom["Service"]) {
  const name = Buffer.from(yield* Effect.orDie(random.randomBytes(16))).toString("hex")
  // So that no folder has all of them.
  return StorageKey.make(`${name.slice(0, 2)}/${name}`)
})

/** What uploads of the staff and of students have in common (http-surface, Mentorship files, for all of them). */
export class Uploads extends Context.Service<Uploads, {
  /** What a file like this is, if it is taken for this purpose. */
  admit(announced: Announced): Effect.Effect<MediaKind, MimeNotAllowed | SizeTooLarge>
  /** How the file is sent, for the next minutes. */
  ticket(expected: Expected): Effect.Effect<typeof UploadTicket.Type>
  /**
   * Confirms that the file has come, by what storage says: its size, and its type by its first bytes. Repeating answers
   * the same. `UploadMismatch`: it is something else; the record says so and the file is deleted. `StorageFull`: there is no
   * room for its name at the moment, and nothing has changed.
   */
  complete(
    club_id: ClubId,
    id: MediaId,
    owner: MediaOwner
  ): Effect.Effect<Media, NotFound | StorageFull | StudentRemoved | UploadMismatch | UploadNotFound>
}>()("turma/content/media/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MediaRepo
      const storage = yield* Storage
      const students = yield* StudentRows
      const changes = yield* MediaChanges

      const admit = Effect.fnUntraced(function*({ mime, purpose, size_bytes }: Announced) {
        const kind = fileTypeOf(mime)?.kind
        const limit = kind && limitOf(purpose, kind)
        if (kind === undefined || limit === undefined) return yield* new MimeNotAllowed()
        if (size_bytes <= limit) return kind
        return yield* new SizeTooLarge({ error: { message: `size_bytes: Expected at most ${limit}` } })
      })

      const ticket = (expected: Expected) =>
        Effect.map(storage.upload(expected), Struct.pick(["method", "url", "headers", "expires_at"]))

      const answer = Effect.fnUntraced(function*({ media }: StoredMedia) {
        if (media.status === "uploading") return yield* new UploadNotFound()
        if (media.status === "ready") return media
        const message = `The uploaded file is not what was announced: ${media.error}`
        return yield* new UploadMismatch({ error: { message } })
      })

      // Its file counts on there, until nothing can bring it again.
      const queueFile = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId) {
        yield* sql`
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, DateTime.toDateUtc(yield* DateTime.now))} from media m
          where m.club_id = ${club_id} and m.id = ${id}`
      })

      // Of two at a time one ends it. Who comes too late answers what the other found.
      const end = Effect.fnUntraced(
        function*(club_id: ClubId, id: MediaId, owner: MediaOwner, ending: Ending) {
          if ("student_id" in owner) yield* students.hold(club_id, owner.student_id)
          const ended = yield* repo.end(club_id, id, ending)
          if (ended.length === 0) return
          if (ending.status === "ready") yield* changes.announce(club_id, id)
          else yield* queueFile(club_id, id)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const endingOf = (expected: Expected, settled: number) =>
        Effect.orElseSucceed(inspect(storage, expected, settled), (): Ending => ({
          status: "failed",
          error: "The file is gone"
        }))

      const finish = Effect.fnUntraced(
        function*(club_id: ClubId, id: MediaId, owner: MediaOwner, expected: Expected) {
          const settled = yield* storage.settle(expected.key)
          if (Option.isNone(settled)) return
          const ending = yield* endingOf(expected, settled.value)
          // Who is removed at this moment leaves no file.
          yield* Effect.tapError(end(club_id, id, owner, ending), () => storage.remove(expected.key))
          if (ending.status === "failed") yield* storage.remove(expected.key)
        }
      )

      const complete = Effect.fn("Uploads.complete")(function*(club_id: ClubId, id: MediaId, owner: MediaOwner) {
        const found = yield* repo.find(club_id, id, owner)
        const { mime, size_bytes, status } = found.media
        const key = found.storage_key
        if (status !== "uploading" || key === null || mime === null || size_bytes === null) return yield* answer(found)
        yield* finish(club_id, id, owner, { key, mime, size_bytes })
        return yield* answer(
          yield* repo.find(club_id, id, owner).pipe(
            // Removed at this moment: what has just been settled is nobody's.
            Effect.tapError(() => storage.remove(key))
          )
        )
      })

      return Uploads.of({ admit, ticket, complete })
    })
  ).pipe(Layer.provide(MediaRepo.layer))
}

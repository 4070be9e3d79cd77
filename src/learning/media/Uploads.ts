import { Context, DateTime, Effect, Layer, Option, Struct } from "effect"
import type { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { saying } from "../../platform/http/ApiError.ts"
import {
  type NotFound,
  type StorageFull,
  UploadCompleted,
  type UploadInPartsUnavailable
} from "../../platform/http/errors.ts"
import { mediaTypeOf } from "../../platform/http/MediaType.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { type Expected, Storage, StorageKey } from "../../platform/storage/Storage.ts"
import { fileTypeOf, limitOf, takenFor } from "./FileType.ts"
import type { Media, MediaId, MediaKind, MediaPurpose } from "./Media.ts"
import { MediaChanges } from "./MediaChanges.ts"
import { type MediaOwner, MediaRepo, type StoredMedia, type UploadOutcome } from "./MediaRepo.ts"
import { removedFile, removedFileColumns } from "./RemovedFiles.ts"
import { MimeNotAllowed, SizeTooLarge, UploadMismatch, UploadNotFound, type UploadTicket } from "./Upload.ts"
import { inspectUpload } from "./UploadInspection.ts"
import type { UploadParts } from "./UploadParts.ts"

interface AnnouncedUpload {
  readonly purpose: MediaPurpose
  readonly file_name: string
  /** As it was sent. */
  readonly mime: string
  readonly size_bytes: number
}

/** A new key for a file. It does not reveal whose the file is, because everybody who may fetch the file sees it. */
export const newStorageKey = Effect.fnUntraced(function*(random: SecureRandom.SecureRandom["Service"]) {
  const name = Buffer.from(yield* Effect.orDie(random.randomBytes(16))).toString("hex")
  // Files are spread over folders, so that no folder gets too large.
  return StorageKey.make(`${name.slice(0, 2)}/${name}`)
})

/** The common part of uploads by the staff and by students (http-surface, Mentorship files). */
export class Uploads extends Context.Service<Uploads, {
  /** The type of the file by its one name, and its kind, if it is accepted for this purpose. */
  admit(
    upload: AnnouncedUpload
  ): Effect.Effect<{ readonly mime: string; readonly kind: MediaKind }, MimeNotAllowed | SizeTooLarge>
  /** How the file is sent, in the next minutes. */
  ticket(expected: Expected): Effect.Effect<typeof UploadTicket.Type>
  /**
   * The parts of the file that have arrived, and the addresses for the others. `UploadCompleted`: the upload has ended.
   */
  resume(
    club_id: ClubId,
    id: MediaId,
    owner: MediaOwner
  ): Effect.Effect<typeof UploadParts.Type, NotFound | StorageFull | UploadCompleted | UploadInPartsUnavailable>
  /**
   * Confirms an upload with data from storage: the size of the file, and its type by its first bytes. Repeating it
   * answers the same. `UploadMismatch`: it is something else; the record says so and the file is deleted.
   * `StorageFull`: storage has no room for its name at the moment, and nothing has changed.
   */
  complete(
    club_id: ClubId,
    id: MediaId,
    owner: MediaOwner
  ): Effect.Effect<Media, NotFound | StorageFull | StudentRemoved | UploadMismatch | UploadNotFound>
}>()("turma/learning/media/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MediaRepo
      const storage = yield* Storage
      const students = yield* StudentLocks
      const changes = yield* MediaChanges

      const admit = Effect.fnUntraced(function*({ file_name, purpose, size_bytes, ...sent }: AnnouncedUpload) {
        const mime = mediaTypeOf(sent.mime, file_name)
        const kind = fileTypeOf(mime)?.kind
        const limit = kind && limitOf(purpose, kind)
        if (kind === undefined || limit === undefined) {
          const taken = takenFor(purpose).join(", ")
          return yield* new MimeNotAllowed(saying({
            en: `mime must be one of ${taken}`,
            "pt-BR": `Arquivos deste tipo não são aceitos aqui. São aceitos: ${taken}.`
          }))
        }
        if (size_bytes <= limit) return { mime, kind }
        return yield* new SizeTooLarge(saying({
          en: `size_bytes must be at most ${limit}`,
          "pt-BR": `O arquivo é grande demais: pode ter até ${limit} bytes.`
        }))
      })

      const ticket = (expected: Expected) =>
        Effect.map(storage.upload(expected), Struct.pick(["method", "url", "headers", "expires_at"]))

      const announced = ({ media: { mime, size_bytes, status }, storage_key: key }: StoredMedia) =>
        status !== "uploading" || key === null || mime === null || size_bytes === null
          ? Option.none()
          : Option.some({ key, mime, size_bytes })

      const resume = Effect.fn("Uploads.resume")(function*(club_id: ClubId, id: MediaId, owner: MediaOwner) {
        const expected = announced(yield* repo.find(club_id, id, owner))
        if (Option.isNone(expected)) return yield* new UploadCompleted()
        return yield* storage.resume(expected.value)
      })

      const answer = Effect.fnUntraced(function*({ media }: StoredMedia) {
        if (media.status === "uploading") return yield* new UploadNotFound()
        if (media.status === "ready") return media
        const message = `The uploaded file is not what was announced: ${media.error}`
        return yield* new UploadMismatch({ error: { message } })
      })

      // The file counts for the quota in the queue, until nothing can be uploaded any more.
      const queueFile = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId) {
        yield* sql`
          insert into removed_files (${removedFileColumns(sql)})
          select ${removedFile(sql, DateTime.toDateUtc(yield* DateTime.now))} from media m
          where m.club_id = ${club_id} and m.id = ${id}`
      })

      // Of two at a time one ends the upload. The other answers the recorded outcome.
      const recordOutcome = Effect.fnUntraced(
        function*(club_id: ClubId, id: MediaId, owner: MediaOwner, outcome: UploadOutcome) {
          if ("student_id" in owner) yield* students.lock(club_id, owner.student_id)
          const ended = yield* repo.endUpload(club_id, id, outcome)
          if (ended.length === 0) return
          if (outcome.status === "ready") yield* changes.announce(club_id, id)
          else yield* queueFile(club_id, id)
        },
        sql.withTransaction,
        faultsDie
      )

      const outcomeOf = (expected: Expected, settled: number) =>
        Effect.orElseSucceed(inspectUpload(storage, expected, settled), (): UploadOutcome => ({
          status: "failed",
          error: "The file no longer exists"
        }))

      // A file that came as a whole has no parts to assemble.
      const settle = Effect.fnUntraced(function*(expected: Expected) {
        const settled = yield* storage.settle(expected.key)
        if (Option.isSome(settled) || !(yield* storage.assemble(expected))) return settled
        return yield* storage.settle(expected.key)
      })

      const finish = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId, owner: MediaOwner, expected: Expected) {
        const settled = yield* settle(expected)
        if (Option.isNone(settled)) return
        const outcome = yield* outcomeOf(expected, settled.value)
        // A student who is removed at this moment leaves no file.
        yield* Effect.tapError(recordOutcome(club_id, id, owner, outcome), () => storage.remove(expected.key))
        if (outcome.status === "failed") yield* storage.remove(expected.key)
      })

      const complete = Effect.fn("Uploads.complete")(function*(club_id: ClubId, id: MediaId, owner: MediaOwner) {
        const found = yield* repo.find(club_id, id, owner)
        const expected = announced(found)
        if (Option.isNone(expected)) return yield* answer(found)
        yield* finish(club_id, id, owner, expected.value)
        return yield* answer(yield* repo.find(club_id, id, owner).pipe(
          // The record was removed at this moment, so nobody owns the settled file.
          Effect.tapError(() => storage.remove(expected.value.key))
        ))
      })

      return Uploads.of({ admit, ticket, resume, complete })
    })
  ).pipe(Layer.provide(MediaRepo.layer))
}

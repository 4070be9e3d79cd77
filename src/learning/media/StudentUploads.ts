import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import type { NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable } from "../../platform/http/errors.ts"
import { faultsDie, one } from "../../platform/sql/Rows.ts"
import { type Media, MediaId } from "./Media.ts"
import { MediaRepo } from "./MediaRepo.ts"
import { StorageQuota } from "./StorageQuota.ts"
import { isUnusedUpload } from "./UnusedUpload.ts"
import {
  type CreateStudentMedia,
  type MimeNotAllowed,
  type SizeTooLarge,
  type StartedMedia,
  type StorageQuotaReached,
  titleOf,
  TooManyUploads,
  type UploadMismatch,
  type UploadNotFound
} from "./Upload.ts"
import type { UploadParts } from "./UploadParts.ts"
import { newStorageKey, Uploads } from "./Uploads.ts"

/** The most unused uploads of a student, and the most bytes in them together. */
const unusedLimit = 50
const unusedBytesLimit = 500 * 1024 * 1024

const decodeCount = one(Schema.Struct({ unused: Schema.Int, bytes: Schema.Number }))

/** The uploads of students for their own texts. Each sees and uses only their own. */
export class StudentUploads extends Context.Service<StudentUploads, {
  create(
    club_id: ClubId,
    student_id: StudentId,
    media: typeof CreateStudentMedia.Type
  ): Effect.Effect<
    StartedMedia,
    MimeNotAllowed | NotFound | SizeTooLarge | StorageQuotaReached | StudentRemoved | TooManyUploads
  >
  /** As `Uploads.resume`. */
  resume(
    club_id: ClubId,
    student_id: StudentId,
    id: MediaId
  ): Effect.Effect<typeof UploadParts.Type, NotFound | StorageFull | UploadCompleted | UploadInPartsUnavailable>
  /** As `Uploads.complete`. */
  complete(
    club_id: ClubId,
    student_id: StudentId,
    id: MediaId
  ): Effect.Effect<Media, NotFound | StorageFull | StudentRemoved | UploadMismatch | UploadNotFound>
}>()("turma/learning/media/StudentUploads") {
  static readonly layer = Layer.effect(
    StudentUploads,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* MediaRepo
      const students = yield* StudentLocks
      const uploads = yield* Uploads
      const quota = yield* StorageQuota

      // The student's row is locked, so the count is exact.
      const refuseTooMany = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, more: number) {
        const { bytes, unused } = yield* sql`
          select count(*)::int as unused, coalesce(sum(m.size_bytes), 0)::float8 as bytes from media m
          where m.club_id = ${club_id} and m.student_id = ${student_id} and m.removed_at is null and
          ${isUnusedUpload(sql)}`.pipe(decodeCount)
        if (unused >= unusedLimit || bytes + more > unusedBytesLimit) return yield* new TooManyUploads()
      })

      const create = Effect.fn("StudentUploads.create")(
        function*(
          club_id: ClubId,
          student_id: StudentId,
          { file_name, purpose, size_bytes, ...sent }: typeof CreateStudentMedia.Type
        ) {
          const { kind, mime } = yield* uploads.admit({ file_name, mime: sent.mime, purpose, size_bytes })
          yield* students.lock(club_id, student_id)
          yield* refuseTooMany(club_id, student_id, size_bytes)
          const id = MediaId.make(yield* Effect.orDie(random.uuidV7()))
          const storage_key = yield* newStorageKey(random)
          const { media } = yield* repo.insert({
            club_id,
            id,
            kind,
            purpose,
            title: titleOf(file_name),
            provider: "storage",
            status: "uploading",
            created_at: DateTime.toDateUtc(yield* DateTime.now),
            file_name,
            mime,
            size_bytes,
            storage_key,
            student_id
          })
          yield* quota.check(club_id, student_id)
          yield* answersAbout(student_id)
          return { media, upload: yield* uploads.ticket({ key: storage_key, mime, size_bytes }) }
        },
        sql.withTransaction,
        faultsDie
      )

      const resume = Effect.fn("StudentUploads.resume")((club_id: ClubId, student_id: StudentId, id: MediaId) =>
        uploads.resume(club_id, id, { student_id })
      )

      const complete = Effect.fn("StudentUploads.complete")((club_id: ClubId, student_id: StudentId, id: MediaId) =>
        uploads.complete(club_id, id, { student_id })
      )

      return StudentUploads.of({ create, resume, complete })
    })
  ).pipe(Layer.provide([MediaRepo.layer, StorageQuota.layer, NodeCrypto.layerSecureRandom]))
}

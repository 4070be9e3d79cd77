import { ByteSize, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { storageSettings } from "../../platform/storage/StorageSettings.ts"
import { StorageQuotaReached } from "./Upload.ts"

/**
 * The limits of clubs and students in storage. Announced uploads and files count until they are deleted or have failed.
 */
export class StorageQuota extends Context.Service<StorageQuota, {
  /**
   * Fails if the club, or the student, keeps more than they may. Call it in the transaction that has added the record.
   * That transaction has counted the record and locks the counts until it ends, so of two at a time the second counts
   * the first.
   */
  check(club_id: ClubId, student_id: StudentId | null): Effect.Effect<void, StorageQuotaReached>
}>()("turma/learning/media/StorageQuota") {
  static readonly layer = Layer.effect(
    StorageQuota,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ofClub = ByteSize.toNumberUnsafe(yield* storageSettings.STORAGE_QUOTA_CLUB.read)
      const ofStudent = ByteSize.toNumberUnsafe(yield* storageSettings.STORAGE_QUOTA_STUDENT.read)

      const check = Effect.fn("StorageQuota.check")(
        function*(club_id: ClubId, student_id: StudentId | null) {
          const full = yield* sql`
            select 1 from club_storage where club_id = ${club_id} and bytes > ${ofClub}::float8
            union all
            select 1 from student_storage
            where club_id = ${club_id} and student_id = ${student_id}::uuid and bytes > ${ofStudent}::float8`
          if (full.length > 0) return yield* new StorageQuotaReached()
        },
        faultsDie
      )

      return StorageQuota.of({ check })
    })
  )
}

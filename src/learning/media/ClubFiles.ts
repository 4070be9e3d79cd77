import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import {
  NotFound,
  type StorageFull,
  type UploadCompleted,
  type UploadInPartsUnavailable
} from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { type ClubPurpose, type FolderId, type Media, MediaId } from "./Media.ts"
import { MediaAddresses } from "./MediaAddresses.ts"
import { FolderUnknown } from "./MediaFolder.ts"
import { MediaRepo } from "./MediaRepo.ts"
import { deleteLegacyFile, hasFile, removedFile, removedFileColumns } from "./RemovedFiles.ts"
import { StorageQuota } from "./StorageQuota.ts"
import {
  type CreateFile,
  type MediaDownload,
  MediaInUse,
  MediaNotReady,
  type MimeNotAllowed,
  type SizeTooLarge,
  type StartedUpload,
  type StorageQuotaReached,
  titleOf,
  type UploadMismatch,
  type UploadNotFound
} from "./Upload.ts"
import type { UploadParts } from "./UploadParts.ts"
import { newStorageKey, Uploads } from "./Uploads.ts"

/** A file to upload, and its folder in the library, if any. */
type NewFile = typeof CreateFile.Type & { readonly folder_id?: FolderId | null }

/** The uploads of a club's staff, each purpose by itself. `NotFound`: this club has no such record for this purpose. */
export class ClubFiles extends Context.Service<ClubFiles, {
  /** Newest first. */
  list(club_id: ClubId, purpose: ClubPurpose, page: PageRequest): Effect.Effect<PageAnswer<Media>, InvalidCursor>
  get(club_id: ClubId, purpose: ClubPurpose, id: MediaId): Effect.Effect<Media, NotFound>
  begin(
    club_id: ClubId,
    purpose: ClubPurpose,
    user_id: UserId,
    file: NewFile
  ): Effect.Effect<StartedUpload, FolderUnknown | MimeNotAllowed | SizeTooLarge | StorageQuotaReached>
  /** As `Uploads.resume`. */
  resume(
    club_id: ClubId,
    purpose: ClubPurpose,
    id: MediaId
  ): Effect.Effect<typeof UploadParts.Type, NotFound | StorageFull | UploadCompleted | UploadInPartsUnavailable>
  /** As `Uploads.complete`. */
  complete(
    club_id: ClubId,
    purpose: ClubPurpose,
    id: MediaId
  ): Effect.Effect<Media, NotFound | StorageFull | UploadMismatch | UploadNotFound>
  /** The file is deleted shortly after. */
  remove(club_id: ClubId, purpose: ClubPurpose, id: MediaId): Effect.Effect<void, MediaInUse | NotFound>
  /** `inline`: the browser shows the file if it can. */
  download(
    club_id: ClubId,
    purpose: ClubPurpose,
    id: MediaId,
    inline: boolean
  ): Effect.Effect<MediaDownload, MediaNotReady | NotFound>
}>()("turma/learning/media/ClubFiles") {
  static readonly layer = Layer.effect(
    ClubFiles,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* MediaRepo
      const uploads = yield* Uploads
      const addresses = yield* MediaAddresses
      const quota = yield* StorageQuota

      const nowDate = Effect.map(DateTime.now, DateTime.toDateUtc)

      const list = Effect.fn("ClubFiles.list")((club_id: ClubId, purpose: ClubPurpose, page: PageRequest) =>
        repo.page(club_id, repo.ownedBy({ purpose }), page)
      )

      const get = Effect.fn("ClubFiles.get")((club_id: ClubId, purpose: ClubPurpose, id: MediaId) =>
        Effect.map(repo.find(club_id, id, { purpose }), ({ media }) => media)
      )

      // Only the constraint of the folder can fail.
      const begin = Effect.fn("ClubFiles.begin")(
        function*(
          club_id: ClubId,
          purpose: ClubPurpose,
          user_id: UserId,
          { file_name, folder_id = null, size_bytes, title, ...sent }: NewFile
        ) {
          const { kind, mime } = yield* uploads.admit({ file_name, mime: sent.mime, size_bytes, purpose })
          const id = MediaId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const storage_key = yield* newStorageKey(random)
          const { media } = yield* repo.insert({
            club_id,
            id,
            kind,
            purpose,
            title: title ?? titleOf(file_name),
            provider: "storage",
            status: "uploading",
            created_at: yield* nowDate,
            file_name,
            mime,
            size_bytes,
            storage_key,
            folder_id,
            user_id
          })
          yield* quota.check(club_id, null)
          return { media, upload: yield* uploads.ticket({ key: storage_key, mime, size_bytes }) }
        },
        sql.withTransaction,
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderUnknown())),
        faultsDie
      )

      const resume = Effect.fn("ClubFiles.resume")((club_id: ClubId, purpose: ClubPurpose, id: MediaId) =>
        uploads.resume(club_id, id, { purpose })
      )

      const complete = Effect.fn("ClubFiles.complete")(
        (club_id: ClubId, purpose: ClubPurpose, id: MediaId) => uploads.complete(club_id, id, { purpose }),
        // No student owns the file, so no student can be removed.
        Effect.catchTag("StudentRemoved", Effect.die)
      )

      // Whatever refers to the row keeps it from being deleted. The file is queued for deletion.
      const remove = Effect.fn("ClubFiles.remove")(
        function*(club_id: ClubId, purpose: ClubPurpose, id: MediaId) {
          const at = yield* nowDate
          const gone = yield* audited((audit) =>
            sql`
              with ${audit.before} gone as (
                delete from media m where m.club_id = ${club_id} and m.id = ${id} and ${repo.ownedBy({ purpose })}
                returning m.*
              ), queued as (
                insert into removed_files (${removedFileColumns(sql)})
                select ${removedFile(sql, at)} from gone m where ${hasFile(sql)}
              )
              select 1 from gone`
          )
          if (gone.length === 0) return yield* new NotFound()
          yield* deleteLegacyFile(sql, sql`(select ${club_id}::uuid as club_id, ${id}::uuid as id)`, at)
        },
        sql.withTransaction,
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new MediaInUse())),
        faultsDie
      )

      const download = Effect.fn("ClubFiles.download")(function*(
        club_id: ClubId,
        purpose: ClubPurpose,
        id: MediaId,
        inline: boolean
      ) {
        const found = yield* repo.find(club_id, id, { purpose })
        if (found.media.status !== "ready") return yield* new MediaNotReady()
        return yield* addresses.of(found, inline)
      })

      return ClubFiles.of({ list, get, begin, resume, complete, remove, download })
    })
  ).pipe(Layer.provide([MediaAddresses.layer, MediaRepo.layer, StorageQuota.layer, NodeCrypto.layerSecureRandom]))
}

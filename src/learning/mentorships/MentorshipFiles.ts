import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { ClubFiles } from "../media/ClubFiles.ts"
import type { Media, MediaId } from "../media/Media.ts"
import type {
  CreateFile,
  MediaDownload,
  MediaNotReady,
  MimeNotAllowed,
  SizeTooLarge,
  StartedUpload,
  StorageQuotaReached,
  UploadMismatch,
  UploadNotFound
} from "../media/Upload.ts"
import type { UploadParts } from "../media/UploadParts.ts"

/**
 * The files of a club's mentorships (contract, Endpoints 8): media apart from the library, in no folder, to which
 * nothing else refers. `NotFound`: this club has no such file.
 */
export class MentorshipFiles extends Context.Service<MentorshipFiles, {
  /** Newest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Media>, InvalidCursor>
  get(club_id: ClubId, id: MediaId): Effect.Effect<Media, NotFound>
  create(
    club_id: ClubId,
    user_id: UserId,
    file: typeof CreateFile.Type
  ): Effect.Effect<StartedUpload, MimeNotAllowed | SizeTooLarge | StorageQuotaReached>
  /** As `Uploads.resume`. */
  resume(
    club_id: ClubId,
    id: MediaId
  ): Effect.Effect<typeof UploadParts.Type, NotFound | StorageFull | UploadCompleted | UploadInPartsUnavailable>
  /**
   * Confirms the upload with data from storage. Repeating it answers the same. `UploadMismatch`: the record says so
   * too.
   */
  complete(club_id: ClubId, id: MediaId): Effect.Effect<Media, NotFound | StorageFull | UploadMismatch | UploadNotFound>
  /** The file is deleted shortly after. */
  remove(club_id: ClubId, id: MediaId): Effect.Effect<void, NotFound>
  /** `inline`: the browser shows the file if it can. */
  download(
    club_id: ClubId,
    id: MediaId,
    inline: boolean
  ): Effect.Effect<MediaDownload, MediaNotReady | NotFound>
}>()("turma/learning/mentorships/MentorshipFiles") {
  static readonly layer = Layer.effect(
    MentorshipFiles,
    Effect.map(ClubFiles, (files) => {
      const purpose = "mentorship"
      return MentorshipFiles.of({
        list: (club_id, page) => files.list(club_id, purpose, page),
        get: (club_id, id) => files.get(club_id, purpose, id),
        // The other two errors are an unknown folder and a use elsewhere. These files have no folder and no other use.
        create: (club_id, user_id, file) =>
          Effect.catchTag(files.begin(club_id, purpose, user_id, file), "FolderUnknown", Effect.die),
        resume: (club_id, id) => files.resume(club_id, purpose, id),
        complete: (club_id, id) => files.complete(club_id, purpose, id),
        remove: (club_id, id) => Effect.catchTag(files.remove(club_id, purpose, id), "MediaInUse", Effect.die),
        download: (club_id, id, inline) => files.download(club_id, purpose, id, inline)
      })
    })
  ).pipe(Layer.provide(ClubFiles.layer))
}

import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { wordsOf } from "../../membership/students/SearchWords.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { ClubFiles } from "./ClubFiles.ts"
import { hostedVideoAt, VideoAddressUnknown } from "./HostedAddress.ts"
import { type FolderId, type Media, MediaId, type MediaKind } from "./Media.ts"
import { FolderUnknown } from "./MediaFolder.ts"
import { MediaRepo } from "./MediaRepo.ts"
import type {
  CreateHosted,
  CreateHostedAt,
  CreateMedia,
  MediaDownload,
  MediaInUse,
  MediaNotReady,
  MediaPatch,
  MimeNotAllowed,
  SizeTooLarge,
  StartedMedia,
  StorageQuotaReached
} from "./Upload.ts"

/** A page of the library, and its filters. Absent: any. */
interface MediaListRequest extends PageRequest {
  readonly kind?: MediaKind | undefined
  readonly folder_id?: FolderId | undefined
  readonly archived: boolean
  readonly favorite?: boolean | undefined
  /** Words that are in the title or the file's name. */
  readonly search?: string | undefined
}

const hostedAt = ({ url, ...media }: typeof CreateHostedAt.Type) => {
  const video = hostedVideoAt(url)
  return video === null
    ? Effect.fail(new VideoAddressUnknown())
    : Effect.succeed({ ...media, ...video, kind: "video" as const })
}

/** The media that a club shows, without uploads of students. `NotFound`: this club has no such record. */
export class MediaLibrary extends Context.Service<MediaLibrary, {
  /** Newest first: those that are archived, or those that are not. A page of a search may be short and have a next one. */
  list(club_id: ClubId, request: MediaListRequest): Effect.Effect<PageAnswer<Media>, InvalidCursor>
  get(club_id: ClubId, id: MediaId): Effect.Effect<Media, NotFound>
  create(
    club_id: ClubId,
    user_id: UserId,
    media: typeof CreateMedia.Type
  ): Effect.Effect<
    StartedMedia,
    FolderUnknown | MimeNotAllowed | SizeTooLarge | StorageQuotaReached | VideoAddressUnknown
  >
  patch(
    club_id: ClubId,
    id: MediaId,
    patch: typeof MediaPatch.Type
  ): Effect.Effect<Media, FolderUnknown | NotFound>
  /** The file is deleted shortly after. */
  remove(club_id: ClubId, id: MediaId): Effect.Effect<void, MediaInUse | NotFound>
  /** `inline`: the browser shows the file if it can. */
  download(
    club_id: ClubId,
    id: MediaId,
    inline: boolean
  ): Effect.Effect<MediaDownload, MediaNotReady | NotFound>
}>()("turma/learning/media/MediaLibrary") {
  static readonly layer = Layer.effect(
    MediaLibrary,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* MediaRepo
      const files = yield* ClubFiles

      const nowDate = Effect.map(DateTime.now, DateTime.toDateUtc)
      const inLibrary = repo.ownedBy({ purpose: "library" })

      const list = Effect.fn("MediaLibrary.list")((
        club_id: ClubId,
        { archived, favorite, folder_id, kind, search = "", ...page }: MediaListRequest
      ) => {
        const condition = sql`
            ${inLibrary}
            and ${archived ? sql`m.archived_at is not null` : sql`m.archived_at is null`}
            and ${kind === undefined ? sql`true` : sql`m.kind = ${kind}`}
            and ${folder_id === undefined ? sql`true` : sql`m.folder_id = ${folder_id}`}
            and ${favorite === undefined ? sql`true` : favorite ? sql`m.favorite` : sql`not m.favorite`}`
        const words = wordsOf(search)
        if (words.length > 0) return repo.search(club_id, condition, words, page)
        // Each of these has an index in the order of the list, and no two have one together.
        const isScan = [kind, folder_id, favorite].filter((value) => value !== undefined).length > 1
        return isScan ? scanning(repo.page(club_id, condition, page)) : repo.page(club_id, condition, page)
      })

      const createHosted = Effect.fnUntraced(function*(
        club_id: ClubId,
        user_id: UserId,
        hosted: typeof CreateHosted.Type
      ) {
        const id = MediaId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const { media } = yield* repo.insert({
          ...hosted,
          club_id,
          id,
          purpose: "library",
          status: "ready",
          created_at: yield* nowDate,
          user_id
        })
        return { media, upload: null }
      })

      // Only the constraint of the folder can fail.
      const create = Effect.fn("MediaLibrary.create")(
        function*(club_id: ClubId, user_id: UserId, media: typeof CreateMedia.Type) {
          if ("provider" in media) return yield* createHosted(club_id, user_id, media)
          return "url" in media
            ? yield* createHosted(club_id, user_id, yield* hostedAt(media))
            : yield* files.begin(club_id, "library", user_id, media)
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderUnknown())),
        faultsDie
      )

      const patch = Effect.fn("MediaLibrary.patch")(
        function*(club_id: ClubId, id: MediaId, { archived, ...fields }: typeof MediaPatch.Type) {
          const now = yield* nowDate
          // A record that is archived already keeps its time.
          const archived_at = archived === undefined
            ? sql`m.archived_at`
            : archived
            ? sql`coalesce(m.archived_at, ${now})`
            : sql`null`
          const changes = Object.keys(fields).length === 0 ? sql`` : sql`${sql.update(fields)},`
          const found = yield* audited((audit) =>
            sql`
              ${audit.with}
              update media m set ${changes} archived_at = ${archived_at}
              where m.club_id = ${club_id} and m.id = ${id} and ${inLibrary} and m.removed_at is null
              returning ${repo.columns}`
          )
          return (yield* repo.decodeFirst(found)).media
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderUnknown())),
        faultsDie
      )

      return MediaLibrary.of({
        list,
        create,
        patch,
        get: (club_id, id) => files.get(club_id, "library", id),
        remove: (club_id, id) => files.remove(club_id, "library", id),
        download: (club_id, id, inline) => files.download(club_id, "library", id, inline)
      })
    })
  ).pipe(Layer.provide([ClubFiles.layer, MediaRepo.layer, NodeCrypto.layerSecureRandom]))
}

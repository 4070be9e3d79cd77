import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../auth/User.ts"
import type { ClubId } from "../../clubs/Club.ts"
import { NotFound } from "../../http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../http/Page.ts"
import { FolderUnknown } from "./Folder.ts"
import { type FolderId, type Media, MediaId, type MediaKind } from "./Media.ts"
import { MediaAddresses } from "./MediaAddresses.ts"
import { MediaRepo } from "./MediaRepo.ts"
import {
  type CreateHosted,
  type CreateMedia,
  type CreateUpload,
  type MediaDownload,
  MediaInUse,
  MediaNotReady,
  type MediaPatch,
  type MimeNotAllowed,
  type SizeTooLarge,
  type StartedMedia
} from "./Upload.ts"
import { keyOf, Uploads } from "./Uploads.ts"

/** What a list is narrowed to. Null: any. */
interface Narrowed extends PageRequest {
  readonly kind?: MediaKind | undefined
  readonly folder_id?: FolderId | undefined
  readonly archived: boolean
  readonly favorite?: boolean | undefined
}

/** The media that a club shows. What students upload is not among them. `NotFound`: this club has no such record. */
export class MediaLibrary extends Context.Service<MediaLibrary, {
  /** Newest first: those that are archived, or those that are not. */
  list(club_id: ClubId, narrowed: Narrowed): Effect.Effect<PageAnswer<Media>, InvalidCursor>
  get(club_id: ClubId, id: MediaId): Effect.Effect<Media, NotFound>
  create(
    club_id: ClubId,
    user_id: UserId,
    media: typeof CreateMedia.Type
  ): Effect.Effect<StartedMedia, FolderUnknown | MimeNotAllowed | SizeTooLarge>
  patch(
    club_id: ClubId,
    id: MediaId,
    patch: typeof MediaPatch.Type
  ): Effect.Effect<Media, FolderUnknown | NotFound>
  /** The file follows within moments. */
  remove(club_id: ClubId, id: MediaId): Effect.Effect<void, MediaInUse | NotFound>
  /** `inline`: to be shown by the browser, where it can be. */
  download(
    club_id: ClubId,
    id: MediaId,
    inline: boolean
  ): Effect.Effect<MediaDownload, MediaNotReady | NotFound>
}>()("turma/content/media/MediaLibrary") {
  static readonly layerNoDeps = Layer.effect(
    MediaLibrary,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* MediaRepo
      const uploads = yield* Uploads
      const addresses = yield* MediaAddresses

      const nowDate = Effect.map(DateTime.now, DateTime.toDateUtc)
      const freshId = Effect.map(Effect.orDie(random.uuidV7()), (id) => MediaId.make(id))

      const list = Effect.fn("MediaLibrary.list")(
        function*(club_id: ClubId, { archived, cursor, favorite, folder_id, kind, limit }: Narrowed) {
          const after = yield* afterCursor(cursor)
          const found = yield* sql`
            select ${repo.columns} from media m
            where m.club_id = ${club_id} and m.purpose = 'library' and m.removed_at is null
              and ${archived ? sql`m.archived_at is not null` : sql`m.archived_at is null`}
              and ${kind === undefined ? sql`true` : sql`m.kind = ${kind}`}
              and ${folder_id === undefined ? sql`true` : sql`m.folder_id = ${folder_id}`}
              and ${favorite === undefined ? sql`true` : favorite ? sql`m.favorite` : sql`not m.favorite`}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`m.id < ${id}` })}
            order by m.id desc limit ${limit + 1}`
          return pageOf((yield* repo.rows(found)).map(({ media }) => media), limit)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const get = Effect.fn("MediaLibrary.get")((club_id: ClubId, id: MediaId) =>
        Effect.map(repo.find(club_id, id, "library"), ({ media }) => media)
      )

      const begin = Effect.fnUntraced(function*(
        club_id: ClubId,
        user_id: UserId,
        { file_name, folder_id, mime, size_bytes, title }: typeof CreateUpload.Type
      ) {
        const kind = yield* uploads.admit({ mime, size_bytes, purpose: "library" })
        const id = yield* freshId
        const storage_key = keyOf(club_id, id)
        const { media } = yield* repo.insert({
          club_id,
          id,
          kind,
          purpose: "library",
          title: title ?? Array.from(file_name).slice(0, 200).join(""),
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
        return { media, upload: yield* uploads.ticket({ key: storage_key, mime, size_bytes }) }
      })

      const link = Effect.fnUntraced(function*(club_id: ClubId, user_id: UserId, hosted: typeof CreateHosted.Type) {
        const { media } = yield* repo.insert({
          ...hosted,
          club_id,
          id: yield* freshId,
          purpose: "library",
          status: "ready",
          created_at: yield* nowDate,
          user_id
        })
        return { media, upload: null }
      })

      // The folder is all that the database can refuse.
      const create = Effect.fn("MediaLibrary.create")(
        function*(club_id: ClubId, user_id: UserId, media: typeof CreateMedia.Type) {
          return "provider" in media ? yield* link(club_id, user_id, media) : yield* begin(club_id, user_id, media)
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderUnknown()), Effect.die)
      )

      const patch = Effect.fn("MediaLibrary.patch")(
        function*(club_id: ClubId, id: MediaId, { archived, ...fields }: typeof MediaPatch.Type) {
          const now = yield* nowDate
          // What is archived stays archived as of then.
          const archived_at = archived === undefined
            ? sql`m.archived_at`
            : archived
            ? sql`coalesce(m.archived_at, ${now})`
            : sql`null`
          const changes = Object.keys(fields).length === 0 ? sql`` : sql`${sql.update(fields)},`
          const found = yield* sql`
            update media m set ${changes} archived_at = ${archived_at}
            where m.club_id = ${club_id} and m.id = ${id} and ${repo.ownedBy("library")} and m.removed_at is null
            returning ${repo.columns}`
          return (yield* repo.one(found)).media
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderUnknown()), Effect.die)
      )

      // What refers to it keeps the row. The file waits in a row of its own until it is deleted.
      const remove = Effect.fn("MediaLibrary.remove")(
        function*(club_id: ClubId, id: MediaId) {
          const gone = yield* sql`
            with gone as (
              delete from media m where m.club_id = ${club_id} and m.id = ${id} and ${repo.ownedBy("library")}
              returning m.club_id, m.storage_key
            ), queued as (
              insert into removed_files (club_id, storage_key, removed_at)
              select club_id, storage_key, ${yield* nowDate}::timestamptz from gone where storage_key is not null
            )
            select 1 from gone`
          if (gone.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new MediaInUse()), Effect.die)
      )

      const download = Effect.fn("MediaLibrary.download")(function*(club_id: ClubId, id: MediaId, inline: boolean) {
        const found = yield* repo.find(club_id, id, "library")
        if (found.media.status !== "ready") return yield* new MediaNotReady()
        return yield* addresses.of(found, inline)
      })

      return MediaLibrary.of({ list, get, create, patch, remove, download })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([MediaAddresses.layer, MediaRepo.layer, NodeCrypto.layerSecureRandom])
  )
}

import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { faultsDie, firstOr, one, rows } from "../../platform/sql/Rows.ts"
import { FolderId } from "./Media.ts"
import { type CreateFolder, FolderInUse, type FolderPatch, MediaFolder } from "./MediaFolder.ts"

const decodeFolders = rows(MediaFolder)
const decodeFolder = firstOr(MediaFolder, () => new NotFound())
const decodeCreated = one(MediaFolder)

/** The folders of a club's library. `NotFound`: this club has no such folder. */
export class MediaFolders extends Context.Service<MediaFolders, {
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<MediaFolder>, InvalidCursor>
  get(club_id: ClubId, id: FolderId): Effect.Effect<MediaFolder, NotFound>
  create(club_id: ClubId, folder: typeof CreateFolder.Type): Effect.Effect<MediaFolder>
  patch(club_id: ClubId, id: FolderId, patch: typeof FolderPatch.Type): Effect.Effect<MediaFolder, NotFound>
  remove(club_id: ClubId, id: FolderId): Effect.Effect<void, FolderInUse | NotFound>
}>()("turma/learning/media/MediaFolders") {
  static readonly layer = Layer.effect(
    MediaFolders,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql`id, name, created_at`

      const list = Effect.fn("MediaFolders.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        const rows = yield* sql`
          select ${columns} from media_folders where club_id = ${club_id}
            and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`id > ${id}` })}
          order by id limit ${limit + 1}`.pipe(decodeFolders)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("MediaFolders.get")(function*(club_id: ClubId, id: FolderId) {
        return yield* sql`select ${columns} from media_folders where club_id = ${club_id} and id = ${id}`
          .pipe(decodeFolder)
      })

      const create = Effect.fn("MediaFolders.create")(function*(club_id: ClubId, { name }: typeof CreateFolder.Type) {
        const id = FolderId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              insert into media_folders ${sql.insert({ club_id, id, name, created_at })} returning ${columns}
          `
        ).pipe(decodeCreated)
      })

      const patch = Effect.fn("MediaFolders.patch")(function*(
        club_id: ClubId,
        id: FolderId,
        { name }: typeof FolderPatch.Type
      ) {
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update media_folders set name = coalesce(${name ?? null}, name)
              where club_id = ${club_id} and id = ${id} returning ${columns}`
        ).pipe(decodeFolder)
      })

      const remove = Effect.fn("MediaFolders.remove")(
        function*(club_id: ClubId, id: FolderId) {
          const gone = yield* audited((audit) =>
            sql`${audit.with} delete from media_folders where club_id = ${club_id} and id = ${id} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
        },
        Effect.catchReason("SqlError", "ConstraintError", () => Effect.fail(new FolderInUse())),
        faultsDie
      )

      return MediaFolders.of({ list, get, create, patch, remove })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

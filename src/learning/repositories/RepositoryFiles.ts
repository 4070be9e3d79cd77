import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { isOrderOf, OrderInvalid } from "../../platform/http/Order.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, inTransaction, rows } from "../../platform/sql/Rows.ts"
import { Attachments, MediaUnknown } from "../media/Attachments.ts"
import { type Media, MediaId } from "../media/Media.ts"
import type { RepositoryId } from "./Repository.ts"
import { type CreateFile, fileLimit, FileLimitReached, ManagedFile, RepositoryFileId } from "./RepositoryFile.ts"

const Row = Schema.Struct({
  id: RepositoryFileId,
  title: Schema.String,
  media_id: MediaId,
  position: Schema.Int,
  created_at: Instant
})
const decodeRows = rows(Row)
const decodeAdded = firstOr(Row, () => new FileLimitReached())

/** The files of repositories, in an order. `NotFound`: this club has no such repository, or it is deleted. */
export class RepositoryFiles extends Context.Service<RepositoryFiles, {
  /** In their order. */
  list(club_id: ClubId, repository_id: RepositoryId): Effect.Effect<ReadonlyArray<ManagedFile>, NotFound>
  /** Comes after all other files. `MediaUnknown`: also for media of a hosted provider, which nobody can download. */
  add(
    club_id: ClubId,
    repository_id: RepositoryId,
    file: typeof CreateFile.Type
  ): Effect.Effect<ManagedFile, FileLimitReached | MediaUnknown | NotFound>
  /** The file stays in the library. `NotFound`: also if the repository has no such file. */
  remove(club_id: ClubId, repository_id: RepositoryId, id: RepositoryFileId): Effect.Effect<void, NotFound>
  /** Takes every file, in their new order. */
  order(
    club_id: ClubId,
    repository_id: RepositoryId,
    ids: ReadonlyArray<RepositoryFileId>
  ): Effect.Effect<ReadonlyArray<ManagedFile>, NotFound | OrderInvalid>
}>()("turma/learning/repositories/RepositoryFiles") {
  static readonly layer = Layer.effect(
    RepositoryFiles,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const attachments = yield* Attachments

      const columns = sql`id, title, media_id, position, created_at`
      const ofRepository = (club_id: ClubId, id: RepositoryId) => sql`club_id = ${club_id} and repository_id = ${id}`

      /** Locks the repository for adding, ordering and deleting, so that two files never get one position. */
      const lockRepository = Effect.fnUntraced(function*(club_id: ClubId, id: RepositoryId) {
        const found = yield* sql`
          select 1 from repositories where club_id = ${club_id} and id = ${id} and deleted_at is null for no key update`
        if (found.length === 0) return yield* new NotFound()
      })

      const managedFile = (row: typeof Row.Type, { file_name, kind, mime, size_bytes }: Media) =>
        new ManagedFile({ ...row, kind, mime, size_bytes, file_name })

      const inOrder = Effect.fnUntraced(function*(club_id: ClubId, repository_id: RepositoryId) {
        const files = yield* sql`
          select ${columns} from repository_files where ${ofRepository(club_id, repository_id)}
          order by position, id`.pipe(decodeRows)
        const media = yield* attachments.records(club_id, files.map(({ media_id }) => media_id))
        return files.flatMap((file) => {
          const record = media.get(file.media_id)
          return record === undefined ? [] : [managedFile(file, record)]
        })
      })

      const list = Effect.fn("RepositoryFiles.list")(function*(club_id: ClubId, repository_id: RepositoryId) {
        const found = yield* sql`
          select 1 from repositories where club_id = ${club_id} and id = ${repository_id} and deleted_at is null`
        if (found.length === 0) return yield* new NotFound()
        return yield* inOrder(club_id, repository_id)
      }, faultsDie)

      const fileOfLibrary = Effect.fnUntraced(function*(club_id: ClubId, id: MediaId) {
        yield* attachments.check(club_id, { student_id: null, purpose: "library", ids: [id], images: false })
        const record = (yield* attachments.records(club_id, [id])).get(id)
        return record?.provider === "storage" ? record : yield* new MediaUnknown()
      })

      const add = Effect.fn("RepositoryFiles.add")(
        function*(club_id: ClubId, repository_id: RepositoryId, { media_id, title }: typeof CreateFile.Type) {
          yield* lockRepository(club_id, repository_id)
          const media = yield* fileOfLibrary(club_id, media_id)
          const id = yield* Effect.orDie(random.uuidV7())
          yield* creates(id)
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const file = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into repository_files (club_id, id, repository_id, media_id, title, created_at, position)
              select ${club_id}::uuid, ${id}::uuid, ${repository_id}::uuid, ${media_id}::uuid, ${title ?? media.title},
                ${created_at}::timestamptz, coalesce(max(position), 0) + 1
              from repository_files where ${ofRepository(club_id, repository_id)} having count(*) < ${fileLimit}
              returning ${columns}`
          ).pipe(decodeAdded)
          return managedFile(file, media)
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("RepositoryFiles.remove")(
        function*(club_id: ClubId, repository_id: RepositoryId, id: RepositoryFileId) {
          const gone = yield* audited((audit) =>
            sql`
              ${audit.with}
              delete from repository_files where ${ofRepository(club_id, repository_id)} and id = ${id} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
        },
        faultsDie
      )

      const order = Effect.fn("RepositoryFiles.order")(
        function*(club_id: ClubId, repository_id: RepositoryId, ids: ReadonlyArray<RepositoryFileId>) {
          yield* lockRepository(club_id, repository_id)
          const files = yield* sql`select ${columns} from repository_files where
            ${ofRepository(club_id, repository_id)}`.pipe(decodeRows)
          if (!isOrderOf(ids, files.map(({ id }) => id))) return yield* new OrderInvalid()
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update repository_files f set position = asked.position
              from unnest(${uuids(ids)}) with ordinality as asked (id, position)
              where f.club_id = ${club_id} and f.id = asked.id`
          )
          return yield* inOrder(club_id, repository_id)
        },
        inTransaction(sql)
      )

      return RepositoryFiles.of({ list, add, remove, order })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

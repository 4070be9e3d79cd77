import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import { newPublicId, type PublicIdTaken } from "../content/PublicId.ts"
import { orPublicIdTaken } from "../content/PublicIdWrite.ts"
import {
  type CreateRepository,
  ManagedRepository,
  type RepositoryId,
  repositoryLimit,
  RepositoryLimitReached,
  type RepositoryPatch
} from "./Repository.ts"

const decodeRepositories = rows(ManagedRepository)
const decodeRepository = firstOr(ManagedRepository, () => new NotFound())
const decodeCreated = firstOr(ManagedRepository, () => new RepositoryLimitReached())

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The repositories of clubs, as the staff keeps them. `NotFound`: this club has no such one, or it is deleted. */
export class Repositories extends Context.Service<Repositories, {
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<ManagedRepository>, InvalidCursor>
  get(club_id: ClubId, id: RepositoryId): Effect.Effect<ManagedRepository, NotFound>
  create(
    club_id: ClubId,
    repository: typeof CreateRepository.Type
  ): Effect.Effect<ManagedRepository, PublicIdTaken | RepositoryLimitReached>
  patch(
    club_id: ClubId,
    id: RepositoryId,
    patch: typeof RepositoryPatch.Type
  ): Effect.Effect<ManagedRepository, NotFound | PublicIdTaken>
  /** When students see it; null: never. */
  publish(
    club_id: ClubId,
    id: RepositoryId,
    published_at: DateTime.Utc | null
  ): Effect.Effect<ManagedRepository, NotFound>
  /** Its files stay in the library. */
  remove(club_id: ClubId, id: RepositoryId): Effect.Effect<void, NotFound>
}>()("turma/learning/repositories/Repositories") {
  static readonly layer = Layer.effect(
    Repositories,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const columns = sql`
        r.id, r.public_id, r.title, r.instructor_name, r.cover_url, r.published_at, r.created_at, (
          select count(*)::int from repository_files f where f.club_id = r.club_id and f.repository_id = r.id
        ) as file_count`
      const live = (club_id: ClubId) => sql`r.club_id = ${club_id} and r.deleted_at is null`

      const list = Effect.fn("Repositories.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = yield* afterCursor(cursor)
        const rows = yield* sql`
          select ${columns} from repositories r where ${live(club_id)}
            and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`r.id > ${id}` })}
          order by r.id limit ${limit + 1}`.pipe(decodeRepositories)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("Repositories.get")(function*(club_id: ClubId, id: RepositoryId) {
        return yield* sql`select ${columns} from repositories r where ${live(club_id)} and r.id = ${id}`
          .pipe(decodeRepository)
      })

      const create = Effect.fn("Repositories.create")(
        function*(club_id: ClubId, asked: typeof CreateRepository.Type) {
          const { cover_url = null, instructor_name = null, public_id, title } = asked
          const id = yield* Effect.orDie(random.uuidV7())
          yield* creates(id)
          const key = public_id ?? (yield* newPublicId(random))
          // The lock makes creates of a club come one after another, so that the limit holds.
          yield* sql`select pg_advisory_xact_lock(hashtextextended(${`repositories:${club_id}`}, 0))`
          const at = yield* now
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into repositories as r (club_id, id, public_id, title, instructor_name, cover_url, created_at)
              select ${club_id}::uuid, ${id}::uuid, ${key}, ${title}, ${instructor_name}, ${cover_url},
                ${at}::timestamptz
              from repositories r where ${live(club_id)} having count(*) < ${repositoryLimit}
              returning ${columns}`
          ).pipe(orPublicIdTaken, decodeCreated)
        },
        sql.withTransaction,
        faultsDie
      )

      const patch = Effect.fn("Repositories.patch")(function*(
        club_id: ClubId,
        id: RepositoryId,
        patch: typeof RepositoryPatch.Type
      ) {
        if (Object.keys(patch).length === 0) return yield* get(club_id, id)
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update repositories r set ${sql.update(patch)} where ${live(club_id)} and r.id = ${id}
              returning ${columns}`
        ).pipe(orPublicIdTaken, decodeRepository)
      })

      const publish = Effect.fn("Repositories.publish")(function*(
        club_id: ClubId,
        id: RepositoryId,
        published_at: DateTime.Utc | null
      ) {
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update repositories r set published_at = ${published_at && DateTime.toDateUtc(published_at)}
              where ${live(club_id)} and r.id = ${id} returning ${columns}`
        ).pipe(decodeRepository)
      })

      // Adding a file locks the repository's row, so no file is added after this deletion.
      const remove = Effect.fn("Repositories.remove")(
        function*(club_id: ClubId, id: RepositoryId) {
          const at = yield* now
          const gone = yield* audited((audit) =>
            sql`
              ${audit.with}
              update repositories r set deleted_at = ${at} where ${live(club_id)} and r.id = ${id} returning 1`
          )
          if (gone.length === 0) return yield* new NotFound()
          yield* sql`delete from repository_files where club_id = ${club_id} and repository_id = ${id}`
        },
        sql.withTransaction,
        faultsDie
      )

      return Repositories.of({ list, get, create, patch, publish, remove })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

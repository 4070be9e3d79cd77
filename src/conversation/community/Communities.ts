import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { isOrderOf, OrderInvalid } from "../../platform/http/Order.ts"
import { faultsDie, firstOr, one, rows } from "../../platform/sql/Rows.ts"
import {
  Community,
  CommunityId,
  type CommunityPatch,
  type CreateSpace,
  defaultSpaces,
  Space,
  SpaceId,
  spaceLimit,
  SpaceLimitReached,
  type SpacePatch
} from "./Community.ts"

const CommunityRow = Schema.Struct({ ...Community.fields, spaces: Schema.Array(Schema.toCodecJson(Space)) })

const decodeCommunity = one(CommunityRow)
const decodeCreated = firstOr(Space, () => new SpaceLimitReached())
const decodePatched = firstOr(Space, () => new NotFound())
const decodeIds = rows(Schema.Struct({ id: SpaceId }))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The tables `communities` and `spaces`: every club has one community, with spaces in an order. */
export class Communities extends Context.Service<Communities, {
  /** The community of a new club, unpublished, with its first spaces: in the caller's transaction. */
  open(club_id: ClubId, about: { readonly name: string; readonly locale: string }): Effect.Effect<void>
  /** In one statement, spaces included. */
  read(club_id: ClubId): Effect.Effect<Community>
  patch(club_id: ClubId, patch: typeof CommunityPatch.Type): Effect.Effect<Community>
  /** Comes after all other spaces. */
  createSpace(club_id: ClubId, space: typeof CreateSpace.Type): Effect.Effect<Space, SpaceLimitReached>
  /** Archived spaces too. */
  patchSpace(club_id: ClubId, id: SpaceId, patch: typeof SpacePatch.Type): Effect.Effect<Space, NotFound>
  /** Archiving again changes nothing. */
  archiveSpace(club_id: ClubId, id: SpaceId): Effect.Effect<void, NotFound>
  /** Takes every space that is not archived, in their new order. */
  orderSpaces(club_id: ClubId, ids: ReadonlyArray<SpaceId>): Effect.Effect<Community, OrderInvalid>
}>()("turma/conversation/community/Communities") {
  static readonly layer = Layer.effect(
    Communities,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const newId = Effect.orDie(random.uuidV7())

      const spaceColumns = sql`
        id, name, access, visibility, posting, position, archived_at is not null as archived, created_at, description`

      // A club can archive any number of spaces, so the answer has a cap on them.
      const communityColumns = sql`
        c.id, c.name, c.description, c.created_at, c.published_at,
        coalesce((
          select jsonb_agg(to_jsonb(s) order by s.archived, s.position, s.id)
          from (
            (select ${spaceColumns} from spaces where club_id = c.club_id and archived_at is null)
            union all
            (
              select ${spaceColumns} from spaces where club_id = c.club_id and archived_at is not null
              order by archived_at desc, id desc limit 100
            )
          ) s
        ), '[]') as spaces`

      /** Creating, archiving and ordering lock the club's community, so that each sees the result of the one before. */
      const withCommunityLocked = <A, E>(club_id: ClubId, change: Effect.Effect<A, E>) =>
        sql`select 1 from communities where club_id = ${club_id} for no key update`.pipe(
          Effect.andThen(change),
          sql.withTransaction,
          faultsDie
        )

      const open = Effect.fn("Communities.open")(
        function*(club_id: ClubId, { locale, name }: { readonly name: string; readonly locale: string }) {
          const created_at = yield* now
          const id = CommunityId.make(yield* newId)
          yield* sql`insert into communities ${sql.insert({ club_id, id, name, description: "", created_at })}`
          const spaces = yield* Effect.forEach(
            defaultSpaces(locale),
            (space, index) => Effect.map(newId, (id) => ({ ...space, club_id, id, position: index + 1, created_at }))
          )
          yield* sql`insert into spaces ${sql.insert(spaces)}`
        },
        sql.withTransaction,
        Effect.orDie
      )

      const read = Effect.fn("Communities.read")(function*(club_id: ClubId) {
        return new Community(yield* sql`select ${communityColumns} from communities c where c.club_id = ${club_id}`
          .pipe(decodeCommunity))
      })

      const patch = Effect.fn("Communities.patch")(function*(club_id: ClubId, patch: typeof CommunityPatch.Type) {
        const { description = null, name = null, published_at = null } = patch
        const row = yield* audited((audit) =>
          sql`
            ${audit.with}
            update communities c set
              name = coalesce(${name}, c.name),
              description = coalesce(${description}, c.description),
              published_at = case when ${"published_at" in patch}
                then ${published_at && DateTime.toDateUtc(published_at)}::timestamptz else c.published_at end
            where c.club_id = ${club_id}
            returning ${communityColumns}`
        ).pipe(decodeCommunity)
        return new Community(row)
      })

      const createSpace = Effect.fn("Communities.createSpace")(
        function*(club_id: ClubId, space: typeof CreateSpace.Type) {
          const { access = "community", description = "", name, posting = "members", visibility = "members" } = space
          const id = yield* newId
          yield* creates(id)
          // Archived spaces count for the position, so that two spaces never get one position.
          const at = yield* now
          return yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into spaces (club_id, id, name, description, access, visibility, posting, created_at, position)
              select ${club_id}::uuid, ${id}::uuid, ${name}, ${description}, ${access}, ${visibility}, ${posting},
                ${at}::timestamptz, coalesce(max(position), 0) + 1
              from spaces where club_id = ${club_id}
              having count(*) filter (where archived_at is null) < ${spaceLimit}
              returning ${spaceColumns}`
          ).pipe(decodeCreated)
        },
        (create, club_id) => withCommunityLocked(club_id, create)
      )

      const patchSpace = Effect.fn("Communities.patchSpace")(function*(
        club_id: ClubId,
        id: SpaceId,
        patch: typeof SpacePatch.Type
      ) {
        const { access = null, description = null, name = null, posting = null, visibility = null } = patch
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update spaces set
                name = coalesce(${name}, name),
                description = coalesce(${description}, description),
                access = coalesce(${access}, access),
                visibility = coalesce(${visibility}, visibility),
                posting = coalesce(${posting}, posting)
              where club_id = ${club_id} and id = ${id}
              returning ${spaceColumns}`
        ).pipe(decodePatched)
      })

      const archiveSpace = Effect.fn("Communities.archiveSpace")(function*(club_id: ClubId, id: SpaceId) {
        const at = yield* now
        const rows = yield* audited((audit) =>
          sql`
            ${audit.with}
            update spaces set archived_at = coalesce(archived_at, ${at})
            where club_id = ${club_id} and id = ${id} returning id`
        )
        if (rows.length === 0) return yield* new NotFound()
      }, (archive, club_id) => withCommunityLocked(club_id, archive))

      const orderSpaces = Effect.fn("Communities.orderSpaces")(
        function*(club_id: ClubId, ids: ReadonlyArray<SpaceId>) {
          const live = yield* sql`select id from spaces where club_id = ${club_id} and archived_at is null`
            .pipe(decodeIds)
          if (!isOrderOf(ids, live.map(({ id }) => id))) return yield* new OrderInvalid()
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update spaces set position = asked.position
              from unnest(${ids}::uuid[]) with ordinality as asked (id, position)
              where spaces.club_id = ${club_id} and spaces.id = asked.id`
          )
          return yield* read(club_id)
        },
        (order, club_id) => withCommunityLocked(club_id, order)
      )

      return Communities.of({ open, read, patch, createSpace, patchSpace, archiveSpace, orderSpaces })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

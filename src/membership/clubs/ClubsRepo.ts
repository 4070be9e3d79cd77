import { Context, DateTime, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { dayZoneOf } from "../../identity/people/DayZone.ts"
import { one, rows } from "../../platform/sql/Rows.ts"
import { type ClubPatch, ClubRow, SlugTaken } from "./Club.ts"
import type { FacePatch } from "./Face.ts"
import { Organization } from "./Me.ts"

const decodeClub = one(ClubRow)
const decodeOrganizations = rows(Organization)

/** A club to be inserted. */
export interface NewClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
  readonly name: string
  readonly slug: string
  readonly time_zone: string
  readonly locale: ClubRow["locale"]
  readonly sign_up_open: boolean
  readonly founder_user_id: UserId
}

/** The `clubs` table and the clubs of a person. */
export class ClubsRepo extends Context.Service<ClubsRepo, {
  /** The caller chooses a slug that no other club has. */
  insert(club: NewClub): Effect.Effect<void>
  /** The first owner of a club that was just inserted. */
  addOwner(club: NewClub["id"], owner: UserId): Effect.Effect<void>
  read(id: ClubId): Effect.Effect<ClubRow>
  /** Changes the club without its face. */
  update(id: ClubId, patch: typeof ClubPatch.Type): Effect.Effect<ClubRow, SlugTaken>
  /** The caller holds the images until its transaction ends. */
  updateFace(id: ClubId, patch: Schema.Struct<typeof FacePatch>["Type"]): Effect.Effect<void>
  /** Oldest membership first. */
  organizationsOf(user: UserId): Effect.Effect<ReadonlyArray<typeof Organization.Type>>
}>()("turma/membership/clubs/ClubsRepo") {
  static readonly layer = Layer.effect(
    ClubsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`
        c.organization_id, c.name, c.slug, c.time_zone, c.locale, c.sign_up_open, c.created_at,
        (select to_jsonb(f) - 'club_id' from club_faces f where f.club_id = c.id) as face`

      const insert = Effect.fn("ClubsRepo.insert")(function*(club: NewClub) {
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`insert into clubs ${sql.insert({ ...club, created_at })}`
      }, Effect.orDie)

      const addOwner = Effect.fn("ClubsRepo.addOwner")(function*(club_id: ClubId, user_id: UserId) {
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        yield* audited((audit) =>
          sql`${audit.with} insert into members ${sql.insert({ club_id, user_id, role: "owner", created_at })}`
        )
      }, Effect.orDie)

      const read = Effect.fn("ClubsRepo.read")(function*(id: ClubId) {
        return yield* sql`select ${columns} from clubs c where c.id = ${id}`.pipe(decodeClub)
      })

      // The zone that counts the current day stays until that day ends, however often the time zone changes before.
      const keepingDay = Effect.fnUntraced(function*(time_zone: string) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const zone = sql`(${dayZoneOf(sql, sql`c`, now)})`
        const end = sql`((${now}::timestamptz at time zone ${zone})::date + 1)::timestamp at time zone ${zone}`
        const isOther = sql`${zone} <> ${time_zone}`
        return sql`,
          day_zone = case when ${isOther} then ${zone} end, day_zone_until = case when ${isOther} then ${end} end`
      })

      const update = Effect.fn("ClubsRepo.update")(function*(id: ClubId, patch: typeof ClubPatch.Type) {
        const zone = patch.time_zone === undefined ? sql`` : yield* keepingDay(patch.time_zone)
        return yield* audited((audit) =>
          sql`
              ${audit.with}
              update clubs c set ${sql.update(patch)}${zone} where c.id = ${id} returning ${columns}
          `
        ).pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(new SlugTaken())),
          decodeClub
        )
      })

      const updateFace = Effect.fn("ClubsRepo.updateFace")(
        (club_id: ClubId, patch: Schema.Struct<typeof FacePatch>["Type"]) =>
          audited((audit) =>
            sql`
              ${audit.with}
              insert into club_faces ${sql.insert({ club_id, ...patch })}
              on conflict (club_id) do update set ${sql.update(patch)}`
          ),
        Effect.asVoid,
        Effect.orDie
      )

      const organizationsOf = Effect.fnUntraced(function*(user: UserId) {
        return yield* sql`
          select c.organization_id, c.name, m.role, c.slug
          from members m join clubs c on c.id = m.club_id
          where m.user_id = ${user}
          order by m.created_at, c.id
        `.pipe(decodeOrganizations)
      })

      return ClubsRepo.of({ insert, addOwner, read, update, updateFace, organizationsOf })
    })
  )
}

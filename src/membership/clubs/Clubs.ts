import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AuditRecorder } from "../../identity/audit/AuditRecorder.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { UserIdentity } from "../../identity/people/Identity.ts"
import { Users } from "../../identity/people/Users.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { capSettings } from "../caps/CapSettings.ts"
import { type Club, ClubLimitReached, type ClubPatch, type CreateClub, slugOf, type SlugTaken } from "./Club.ts"
import { ClubOpenings } from "./ClubOpenings.ts"
import { ClubsRepo } from "./ClubsRepo.ts"
import type { Me, MePatch } from "./Me.ts"

/** Creates and describes clubs, and lists the clubs of an account. */
export class Clubs extends Context.Service<Clubs, {
  me(identity: UserIdentity): Effect.Effect<Me>
  updateMe(identity: UserIdentity, patch: typeof MePatch.Type): Effect.Effect<Me>
  /**
   * The caller becomes its owner. Each feature's opening adds its own: a ladder, rules, an unpublished community, an
   * agent, a plan.
   */
  create(
    founder: { readonly user: { readonly id: UserId } },
    club: typeof CreateClub.Type
  ): Effect.Effect<Club, ClubLimitReached | SlugTaken | TemporarilyUnavailable>
  get(id: ClubId): Effect.Effect<Club>
  update(id: ClubId, patch: typeof ClubPatch.Type): Effect.Effect<Club, SlugTaken>
}>()("turma/membership/clubs/Clubs") {
  static readonly layer = Layer.effect(
    Clubs,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClubsRepo
      const users = yield* Users
      const openings = yield* ClubOpenings
      const auditRecorder = yield* AuditRecorder
      const random = yield* SecureRandom.SecureRandom
      const perAccount = yield* capSettings.CLUBS_PER_ACCOUNT.read

      const me = Effect.fnUntraced(function*({ user }: UserIdentity) {
        return { ...user, organizations: yield* repo.organizationsOf(user.id) }
      })

      const updateMe = Effect.fn("Clubs.updateMe")(function*(identity: UserIdentity, { name }: typeof MePatch.Type) {
        if (name === undefined) return yield* me(identity)
        yield* users.rename(identity.user.id, name)
        return yield* me({ ...identity, user: { ...identity.user, name } })
      })

      // Its slug is one that nobody waits for until the club has all that belongs to it.
      const insert = Effect.fnUntraced(function*(id: ClubId, founder_user_id: UserId, club: typeof CreateClub.Type) {
        const { locale = "en", name, sign_up_open = true, time_zone = "UTC" } = club
        const organization_id = OrganizationId.make(yield* Effect.orDie(random.uuidV4()))
        const slug = organization_id
        yield* repo.insert({ id, organization_id, name, slug, time_zone, locale, sign_up_open, founder_user_id })
        return { id, locale, name, organization_id }
      })

      // If another club has the slug, only this statement is undone.
      const claim = (id: ClubId, slug: string) => sql.withTransaction(repo.update(id, { slug }))

      // A slug made from the name gets a suffix if another club has it; a slug that was sent does not.
      const nameIt = (
        { id, name, organization_id }: Effect.Success<ReturnType<typeof insert>>,
        sent: string | undefined
      ) => {
        if (sent !== undefined) return claim(id, sent)
        const slug = slugOf(name)
        return Effect.catchTag(claim(id, slug), "SlugTaken", () => claim(id, `${slug}-${organization_id.slice(0, 8)}`))
      }

      // The slug and the count of the account come last, since others may wait for their locks. Otherwise clubs that one account
      // founds at once would wait for each other's whole opening.
      const create = Effect.fn("Clubs.create")(
        function*({ user }: { readonly user: { readonly id: UserId } }, club: typeof CreateClub.Type) {
          const id = ClubId.make(yield* Effect.orDie(random.uuidV7()))
          const inserted = yield* insert(id, user.id, club)
          const founder = { club_id: id, user_id: user.id, key_id: null }
          yield* auditRecorder.along(founder, "account.createClub")(repo.addOwner(id, founder.user_id))
          const { locale, name } = inserted
          yield* Effect.forEach(openings, (open) => open({ id, name, locale }), { discard: true })
          const created = yield* nameIt(inserted, club.slug)
          if (!(yield* users.countFoundedClub(user.id, perAccount))) return yield* new ClubLimitReached()
          return created
        },
        sql.withTransaction,
        faultsDie
      )

      const update = Effect.fn("Clubs.update")((id: ClubId, patch: typeof ClubPatch.Type) =>
        Object.keys(patch).length === 0 ? repo.read(id) : repo.update(id, patch)
      )

      return Clubs.of({ me, updateMe, create, get: repo.read, update })
    })
  ).pipe(Layer.provide([
    ClubsRepo.layer,
    AuditRecorder.layer,
    NodeCrypto.layerSecureRandom,
    Users.layer
  ]))
}

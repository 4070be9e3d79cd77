import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Deeds } from "../../identity/audit/Deeds.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { UserIdentity } from "../../identity/people/Identity.ts"
import { Users } from "../../identity/people/Users.ts"
import type { TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { capSettings } from "../caps/CapSettings.ts"
import { type Club, ClubLimitReached, type ClubPatch, type CreateClub, slugOf, SlugTaken } from "./Club.ts"
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
    identity: UserIdentity,
    club: typeof CreateClub.Type
  ): Effect.Effect<Club, ClubLimitReached | SlugTaken | TemporarilyUnavailable>
  get(id: ClubId): Effect.Effect<Club>
  update(id: ClubId, patch: typeof ClubPatch.Type): Effect.Effect<Club, SlugTaken>
}>()("turma/membership/clubs/Clubs") {
  static readonly layerNoDeps = Layer.effect(
    Clubs,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClubsRepo
      const users = yield* Users
      const openings = yield* ClubOpenings
      const deeds = yield* Deeds
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

      // A slug made from the name gets a suffix if another club has it; a slug that was sent does not.
      const insert = Effect.fnUntraced(function*(id: ClubId, club: typeof CreateClub.Type) {
        const { locale = "en", name, sign_up_open = true, slug = slugOf(name), time_zone = "UTC" } = club
        const organization_id = OrganizationId.make(yield* Effect.orDie(random.uuidV4()))
        const row = { id, organization_id, name, slug, time_zone, locale, sign_up_open }
        const inserted = yield* repo.insert(row)
        if (Option.isSome(inserted)) return inserted.value
        if (club.slug !== undefined) return yield* new SlugTaken()
        const suffixed = yield* repo.insert({ ...row, slug: `${slug}-${organization_id.slice(0, 8)}` })
        return Option.isSome(suffixed) ? suffixed.value : yield* new SlugTaken()
      })

      const create = Effect.fn("Clubs.create")(
        function*(identity: UserIdentity, club: typeof CreateClub.Type) {
          if (!(yield* users.countFoundedClub(identity.user.id, perAccount))) return yield* new ClubLimitReached()
          const id = ClubId.make(yield* Effect.orDie(random.uuidV7()))
          const created = yield* insert(id, club)
          const founder = { club_id: id, user_id: identity.user.id, key_id: null }
          yield* deeds.along(founder, "account.createClub")(repo.addOwner(id, founder.user_id))
          const { locale, name } = created
          yield* Effect.forEach(openings, (open) => open({ id, name, locale }), { discard: true })
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
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ClubsRepo.layer,
      Deeds.layer,
      NodeCrypto.layerSecureRandom,
      Users.layer
    ])
  )
}

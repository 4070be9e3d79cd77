import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, Effect, Layer, Option, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AuditRecorder } from "../../identity/audit/AuditRecorder.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { UserIdentity } from "../../identity/people/Identity.ts"
import { Users } from "../../identity/people/Users.ts"
import type { MediaUnknown, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { capSettings } from "../caps/CapSettings.ts"
import {
  Club,
  ClubLimitReached,
  type ClubPatch,
  type ClubRow,
  type CreateClub,
  slugOf,
  type SlugTaken
} from "./Club.ts"
import { ClubOpenings } from "./ClubOpenings.ts"
import { ClubsRepo } from "./ClubsRepo.ts"
import { faceImageUnknown, type FaceMediaId, FacePatch, mostFaceBytes } from "./Face.ts"
import { FaceAddresses } from "./FaceAddresses.ts"
import { FaceImages } from "./FaceImages.ts"
import type { Me, MePatch } from "./Me.ts"

const noFace: NonNullable<ClubRow["face"]> = { logo_media_id: null, cover_media_id: null, accent: null, welcome: null }
const faceKeys = Struct.keys(FacePatch)

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
  /** Holds the images of a changed face, so that they stay. */
  update(id: ClubId, patch: typeof ClubPatch.Type): Effect.Effect<Club, MediaUnknown | SlugTaken>
}>()("turma/membership/clubs/Clubs") {
  static readonly layer = Layer.effect(
    Clubs,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClubsRepo
      const users = yield* Users
      const openings = yield* ClubOpenings
      const addresses = yield* FaceAddresses
      const images = yield* FaceImages
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

      const shown = ({ face, ...club }: ClubRow): Club => {
        const { accent, cover_media_id, logo_media_id, welcome } = face ?? noFace
        return new Club({
          ...club,
          accent,
          welcome,
          logo_media_id,
          cover_media_id,
          logo_url: addresses.image(club.organization_id, "logo", logo_media_id),
          cover_url: addresses.image(club.organization_id, "cover", cover_media_id)
        })
      }

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
          return shown(created)
        },
        sql.withTransaction,
        faultsDie
      )

      const read = (id: ClubId) => Effect.map(repo.read(id), shown)

      const holdImage = Effect.fnUntraced(function*(id: ClubId, media: FaceMediaId) {
        const image = yield* images.hold(id, media)
        if (Option.isNone(image) || image.value.size_bytes > mostFaceBytes) return yield* faceImageUnknown()
      })

      const updateFace = Effect.fnUntraced(function*(id: ClubId, face: Partial<typeof noFace>) {
        const media = [face.logo_media_id, face.cover_media_id].filter((media) => media !== undefined && media !== null)
        // In one order, so that two changes at a time do not lock each other out.
        yield* Effect.forEach(media.toSorted(), (one) => holdImage(id, one), { discard: true })
        yield* repo.updateFace(id, face)
      })

      const updateBoth = Effect.fnUntraced(
        function*(id: ClubId, face: Partial<typeof noFace>, club: typeof ClubPatch.Type) {
          yield* updateFace(id, face)
          return yield* Object.keys(club).length === 0 ? repo.read(id) : repo.update(id, club)
        },
        sql.withTransaction,
        faultsDie
      )

      const update = Effect.fn("Clubs.update")(function*(id: ClubId, patch: typeof ClubPatch.Type) {
        const face = Struct.pick(patch, faceKeys.filter((key) => patch[key] !== undefined))
        const club = Struct.omit(patch, faceKeys)
        if (Object.keys(face).length > 0) return shown(yield* updateBoth(id, face, club))
        return shown(yield* Object.keys(club).length === 0 ? repo.read(id) : repo.update(id, club))
      })

      return Clubs.of({ me, updateMe, create, get: read, update })
    })
  ).pipe(Layer.provide([
    ClubsRepo.layer,
    AuditRecorder.layer,
    FaceAddresses.layer,
    NodeCrypto.layerSecureRandom,
    Users.layer
  ]))
}

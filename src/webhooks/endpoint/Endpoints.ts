import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, type Exit, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { beforehand } from "../../platform/http/Beforehand.ts"
import { NotFound, type TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { Addresses } from "../address/Addresses.ts"
import type { UrlNotHttps, UrlNotPublic } from "../address/AddressRules.ts"
import { countedDeliveries, HistoryRepo } from "../delivery/HistoryRepo.ts"
import { Queues } from "../delivery/Queues.ts"
import { LaneChanges } from "../dispatch/LaneChanges.ts"
import { formatSecret, newSecret } from "../Secret.ts"
import { WebhookRules } from "../WebhookSettings.ts"
import { diagnose, type WebhookDiagnosis } from "./Diagnosis.ts"
import {
  type CreateEndpoint,
  EndpointLimitReached,
  eventTypesNamed,
  type EventTypeUnknown,
  InvalidTransition,
  type PatchEndpoint,
  RotationLimitReached,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret
} from "./Endpoint.ts"
import { bindingOfSecret, EndpointId } from "./EndpointId.ts"
import { EndpointsRepo, type Held, type Settings } from "./EndpointsRepo.ts"
import { type EndpointMove, moveTo } from "./EndpointState.ts"

/** What an address was judged to be. */
class JudgedUrl extends Context.Service<JudgedUrl, Exit.Exit<string, UrlNotHttps | UrlNotPublic>>()(
  "turma/webhooks/JudgedUrl"
) {}

type Refused = UrlNotHttps | UrlNotPublic | EventTypeUnknown

const sameTypes = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) =>
  one.length === other.length && one.every((type, index) => type === other[index])

const changes = (held: Held, { description, event_types, url }: Settings) => ({
  any: description !== held.description || url !== held.url || !sameTypes(event_types, held.event_types),
  /** Of what a worker reads. */
  worked: url !== held.url || !sameTypes(event_types, held.event_types)
})

/**
 * The endpoints of a club (contract, Outgoing webhook endpoint). `NotFound`: this club has no such endpoint, or it is
 * deleted.
 */
export class Endpoints extends Context.Service<Endpoints, {
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<WebhookEndpoint>, InvalidCursor>
  get(club_id: ClubId, id: EndpointId): Effect.Effect<WebhookEndpoint, NotFound>
  /** With its secret, which nobody sees again. */
  create(
    club_id: ClubId,
    endpoint: typeof CreateEndpoint.Type
  ): Effect.Effect<WebhookEndpointWithSecret, Refused | EndpointLimitReached>
  /** All of it or nothing. Setting the status that it has changes nothing. */
  patch(
    club_id: ClubId,
    id: EndpointId,
    patch: typeof PatchEndpoint.Type
  ): Effect.Effect<WebhookEndpoint, Refused | InvalidTransition | NotFound>
  /** Its history stays, its queue is canceled. */
  remove(club_id: ClubId, id: EndpointId): Effect.Effect<void, NotFound>
  /**
   * With a new secret, which nobody sees again. The one before goes on signing for a day, as do those before it.
   * `TemporarilyUnavailable`: the clock is doubtful, and that day might be over.
   */
  rotateSecret(
    club_id: ClubId,
    id: EndpointId
  ): Effect.Effect<WebhookEndpointWithSecret, NotFound | RotationLimitReached | TemporarilyUnavailable>
  diagnose(club_id: ClubId, id: EndpointId): Effect.Effect<WebhookDiagnosis, NotFound>
}>()("turma/webhooks/Endpoints") {
  static readonly layerNoDeps = Layer.effect(
    Endpoints,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const addresses = yield* Addresses
      const queues = yield* Queues
      const history = yield* HistoryRepo
      const lanes = yield* LaneChanges
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* EndpointsRepo
      const sealing = yield* Sealing
      const guard = yield* ClockGuard
      const { disable_after, secret_overlap } = yield* WebhookRules

      const found = <A>(row: Effect.Effect<Option.Option<A>>) =>
        Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed }))

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.catchTag(sql.withTransaction(change), "SqlError", Effect.die)

      const list = Effect.fn("Endpoints.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        return pageOf(yield* repo.list(club_id, { after: yield* afterCursor(cursor), limit }), limit)
      })

      const get = Effect.fn("Endpoints.get")((club_id: ClubId, id: EndpointId) => found(repo.find(club_id, id)))

      const shown = (club_id: ClubId, id: EndpointId, secret: Redacted.Redacted) =>
        Effect.map(Effect.orDie(get(club_id, id)), (endpoint) => ({ ...endpoint, secret }))

      const makeSecret = Effect.fnUntraced(function*(id: EndpointId) {
        const secret = yield* newSecret
        const sealed = yield* sealing.seal(Redacted.value(secret), bindingOfSecret(id))
        return { sealed, secret: formatSecret(secret) }
      }, Effect.provideService(SecureRandom.SecureRandom, random))

      // Types first: judging an address asks a resolver, which may take seconds and holds no connection meanwhile.
      const create = Effect.fn("Endpoints.create")(
        function*(club_id: ClubId, { description, event_types, status, url }: typeof CreateEndpoint.Type) {
          const types = yield* Effect.fromResult(eventTypesNamed(event_types))
          const href = yield* beforehand(JudgedUrl, addresses.judge(url))
          const id = EndpointId.make(yield* Effect.orDie(random.uuidV7()))
          const { sealed, secret } = yield* makeSecret(id)
          const endpoint = { id, url: href, description, event_types: types, status, secret: sealed }
          return yield* inTransaction(Effect.gen(function*() {
            if (!(yield* repo.insert(club_id, endpoint))) return yield* new EndpointLimitReached()
            yield* lanes.open({ club_id, endpoint_id: id })
            return yield* shown(club_id, id, secret)
          }))
        }
      )

      const settle = Effect.fnUntraced(
        function*(club_id: ClubId, id: EndpointId, move: Exclude<EndpointMove, "none" | "refused">) {
          const lane = { club_id, endpoint_id: id }
          switch (move) {
            case "enable":
              yield* repo.setStatus(club_id, id, "enabled")
              return yield* lanes.enable(lane)
            case "pause":
              yield* repo.setStatus(club_id, id, "paused")
              return yield* lanes.rest(lane)
            case "disable":
              yield* repo.setStatus(club_id, id, "disabled")
              yield* lanes.rest(lane)
              yield* queues.begin(lane, "endpoint_disabled")
          }
        }
      )

      const patch = Effect.fn("Endpoints.patch")(
        function*(club_id: ClubId, id: EndpointId, patch: typeof PatchEndpoint.Type) {
          const named = patch.event_types && (yield* Effect.fromResult(eventTypesNamed(patch.event_types)))
          const href = patch.url === undefined ? undefined : yield* addresses.judge(patch.url)
          return yield* inTransaction(Effect.gen(function*() {
            const held = yield* found(repo.hold(club_id, id, "to change"))
            const move = moveTo(held.status, patch.status ?? held.status)
            if (move === "refused") return yield* new InvalidTransition()
            const settings = {
              url: href ?? held.url,
              event_types: named ?? held.event_types,
              description: patch.description === undefined ? held.description : patch.description ?? ""
            }
            const { any, worked } = changes(held, settings)
            if (any) yield* repo.update(club_id, id, settings)
            if (worked) yield* lanes.touch({ club_id, endpoint_id: id })
            if (move !== "none") yield* settle(club_id, id, move)
            return yield* get(club_id, id)
          })).pipe(
            Effect.tap(({ status }) =>
              status === "disabled" ? queues.finish({ club_id, endpoint_id: id }) : Effect.void
            )
          )
        }
      )

      const remove = Effect.fn("Endpoints.remove")(function*(club_id: ClubId, id: EndpointId) {
        if (!(yield* repo.remove(club_id, id))) return yield* new NotFound()
        const lane = { club_id, endpoint_id: id }
        yield* lanes.rest(lane)
        yield* queues.begin(lane, "endpoint_deleted")
      }, (removal, club_id, id) => Effect.andThen(inTransaction(removal), queues.finish({ club_id, endpoint_id: id })))

      const rotateSecret = Effect.fn("Endpoints.rotateSecret")(function*(club_id: ClubId, id: EndpointId) {
        const { sealed, secret } = yield* makeSecret(id)
        // Held first: only then does counting see the rotation that came in between.
        yield* found(repo.hold(club_id, id, "to change"))
        const previousUntil = DateTime.addDuration(yield* guard.agreedNow, secret_overlap)
        if (!(yield* repo.rotate(club_id, id, sealed, previousUntil))) return yield* new RotationLimitReached()
        yield* lanes.touch({ club_id, endpoint_id: id })
        return yield* shown(club_id, id, secret)
      }, inTransaction)

      const diagnosis = Effect.fn("Endpoints.diagnose")(function*(club_id: ClubId, id: EndpointId) {
        const [endpoint, queue] = yield* Effect.all([
          found(repo.condition(club_id, id)),
          history.queue({ club_id, endpoint_id: id })
        ], { concurrency: "unbounded" })
        return diagnose({ endpoint, queue, counted: countedDeliveries, disable_after })
      })

      return Endpoints.of({ list, get, create, patch, remove, rotateSecret, diagnose: diagnosis })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      Addresses.layer,
      Queues.layer,
      EndpointsRepo.layer,
      HistoryRepo.layer,
      LaneChanges.layer,
      NodeCrypto.layerSecureRandom
    ])
  )
}

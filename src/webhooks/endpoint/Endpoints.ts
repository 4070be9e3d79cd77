import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, type Exit, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound, type TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { beforeTransaction } from "../../platform/http/request/BeforeTransaction.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { LaneChanges } from "../engine/lane/LaneChanges.ts"
import { DeliveryQueueRepo } from "../engine/queue/DeliveryQueueRepo.ts"
import { QueueCancellation } from "../engine/queue/QueueCancellation.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { type InboxId, inboxUrl } from "../model/InboxId.ts"
import { noLimits } from "../model/LaneLimits.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { Addresses } from "../send/Addresses.ts"
import type { UrlRefusal } from "../send/AddressRules.ts"
import type { HeaderNotAllowed } from "../send/OwnHeaders.ts"
import { applyTransition } from "./applyTransition.ts"
import {
  type CreateEndpoint,
  EndpointLimitReached,
  InboxUnknown,
  InvalidTransition,
  ListenerHasNoUrl,
  type PatchEndpoint,
  RotationLimitReached,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret
} from "./Endpoint.ts"
import { changesOf } from "./EndpointChanges.ts"
import { EndpointsRepo, noHeaders } from "./EndpointsRepo.ts"
import { transitionTo } from "./EndpointTransition.ts"
import { type EventTypeUnknown, parseEventTypes } from "./EventTypeNames.ts"
import type { FilterInvalid } from "./filter/Filter.ts"
import { type FilterJson, judgeFilter } from "./filter/StoredFilter.ts"
import { headerChanges } from "./HeaderChanges.ts"
import { OwnInboxes } from "./OwnInboxes.ts"
import { sealedKey } from "./SealedKey.ts"
import { sealedSecret } from "./SealedSecret.ts"
import { ListenerPolls, namedLimits, NothingToDrain } from "./TrafficLimits.ts"

/** The reasons to refuse a target. */
type Unreachable = UrlRefusal | InboxUnknown

/** The answer to whether a URL may be stored. */
class JudgedUrl
  extends Context.Service<JudgedUrl, Exit.Exit<string, Unreachable>>()("turma/webhooks/endpoint/JudgedUrl")
{}

type Refused = Unreachable | EventTypeUnknown | FilterInvalid | HeaderNotAllowed

/** The reasons why a change does not fit the endpoint. */
type Unfitting = InvalidTransition | ListenerPolls | ListenerHasNoUrl | NothingToDrain

/** The target of events. The schemas allow one of the two at most. */
interface Target {
  readonly url?: string
  readonly inbox_id?: InboxId
}

const judged = (filter: FilterJson | null | undefined) =>
  filter ? Effect.asVoid(Effect.fromResult(judgeFilter(filter))) : Effect.void

/**
 * The endpoints of a club (contract, Outgoing webhook endpoint). `NotFound`: this club has no such endpoint, or it is
 * deleted.
 */
export class Endpoints extends Context.Service<Endpoints, {
  /** Oldest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<WebhookEndpoint>, InvalidCursor>
  get(club_id: ClubId, id: EndpointId): Effect.Effect<WebhookEndpoint, NotFound>
  /** Answers its secret, which is never shown again. */
  create(
    club_id: ClubId,
    endpoint: typeof CreateEndpoint.Type
  ): Effect.Effect<WebhookEndpointWithSecret, Refused | EndpointLimitReached>
  /** Makes all changes or no change. Setting the current status changes nothing. */
  patch(
    club_id: ClubId,
    id: EndpointId,
    patch: typeof PatchEndpoint.Type
  ): Effect.Effect<WebhookEndpoint, Refused | Unfitting | NotFound>
  /** Its history stays, its queue is canceled. */
  remove(club_id: ClubId, id: EndpointId): Effect.Effect<void, NotFound>
  /**
   * The same for a listener whose time to poll ended by `listening_until`. False if a poll has moved that time, or if
   * it no longer exists.
   */
  removeUnpolled(club_id: ClubId, id: EndpointId, listening_until: DateTime.Utc): Effect.Effect<boolean>
  /**
   * Answers the new secret, which is never shown again. Each previous secret goes on signing for its own day.
   * `TemporarilyUnavailable`: the clock is doubtful, and that day might be over.
   */
  rotateSecret(
    club_id: ClubId,
    id: EndpointId
  ): Effect.Effect<WebhookEndpointWithSecret, NotFound | RotationLimitReached | TemporarilyUnavailable>
}>()("turma/webhooks/endpoint/Endpoints") {
  static readonly layerNoDeps = Layer.effect(
    Endpoints,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const addresses = yield* Addresses
      const inboxes = yield* OwnInboxes
      const queue = yield* DeliveryQueueRepo
      const cancellation = yield* QueueCancellation
      const lanes = yield* LaneChanges
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* EndpointsRepo
      const sealing = yield* Sealing
      const guard = yield* ClockGuard
      const { secret_overlap } = yield* WebhookRules

      const orNotFound = <A>(row: Effect.Effect<Option.Option<A>>) =>
        Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed }))

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) => faultsDie(sql.withTransaction(change))

      const list = Effect.fn("Endpoints.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        return pageOf(yield* repo.list(club_id, { after: yield* afterCursor(cursor), limit }), limit)
      })

      const get = Effect.fn("Endpoints.get")((club_id: ClubId, id: EndpointId) => orNotFound(repo.find(club_id, id)))

      const withSecret = (club_id: ClubId, id: EndpointId, secret: Redacted.Redacted) =>
        Effect.map(Effect.orDie(get(club_id, id)), (endpoint) => ({ ...endpoint, secret }))

      // The stored address. A URL from a caller always obeys the address rules.
      const judge = Effect.fnUntraced(function*(club_id: ClubId, { inbox_id, url = "" }: Target) {
        if (inbox_id === undefined) return yield* addresses.judge(url)
        return (yield* inboxes.exists(club_id, inbox_id)) ? inboxUrl(inbox_id) : yield* new InboxUnknown()
      })

      const makeSecret = (id: EndpointId) =>
        Effect.provideService(sealedSecret(sealing, id), SecureRandom.SecureRandom, random)

      const makeKey = (id: EndpointId, isWanted: boolean) =>
        isWanted
          ? Effect.provideService(sealedKey(sealing, id), SecureRandom.SecureRandom, random)
          : Effect.succeed(null)

      // Types first: judging an address asks a resolver, which may take seconds and holds no connection meanwhile.
      const create = Effect.fn("Endpoints.create")(function*(club_id: ClubId, asked: typeof CreateEndpoint.Type) {
        const { description = "", filter = null, notices = true, signing = "hmac", status = "enabled" } = asked
        const types = yield* Effect.fromResult(parseEventTypes(asked.event_types))
        yield* judged(filter)
        const href = yield* beforeTransaction(JudgedUrl, judge(club_id, asked))
        const id = EndpointId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const { sealed, secret } = yield* makeSecret(id)
        const headers = yield* headerChanges(sealing, id, null, asked.headers ?? null)
        const endpoint = {
          id,
          url: href,
          description,
          event_types: types,
          filter,
          headers: headers ?? noHeaders,
          status,
          notices,
          secret: sealed,
          signing,
          key: yield* makeKey(id, signing !== "hmac"),
          listening_until: null
        }
        return yield* inTransaction(Effect.gen(function*() {
          if (!(yield* repo.insert(club_id, endpoint))) return yield* new EndpointLimitReached()
          yield* lanes.open({ club_id, endpoint_id: id }, { ...noLimits, ...namedLimits(asked) })
          return yield* withSecret(club_id, id, secret)
        }))
      })

      const patch = Effect.fn("Endpoints.patch")(function*(
        club_id: ClubId,
        id: EndpointId,
        patch: typeof PatchEndpoint.Type
      ) {
        const types = patch.event_types && (yield* Effect.fromResult(parseEventTypes(patch.event_types)))
        yield* judged(patch.filter)
        const isLed = patch.url !== undefined || patch.inbox_id !== undefined
        const href = isLed ? yield* judge(club_id, patch) : undefined
        return yield* inTransaction(Effect.gen(function*() {
          const endpoint = yield* orNotFound(repo.lock(club_id, id, "to change"))
          const transition = transitionTo(endpoint.status, patch.status ?? endpoint.status)
          if (transition === "refused") return yield* new InvalidTransition()
          const { any, isElsewhere, limits, settings, wakes } = changesOf(endpoint, patch, {
            url: href,
            event_types: types
          })
          const { drain_rate = null } = patch
          if (endpoint.kind === "listener") {
            if (href !== undefined) return yield* new ListenerHasNoUrl()
            const forAddresses = [limits, patch.drain_rate ?? undefined, patch.headers]
            if (forAddresses.some((one) => one !== undefined)) return yield* new ListenerPolls()
          }
          const resumes = endpoint.status === "paused" && transition === "enable"
          const lane = { club_id, endpoint_id: id }
          const isChanged = drain_rate !== null && transition === "none" &&
            (yield* lanes.changeDrain(lane, drain_rate))
          if (drain_rate !== null && !resumes && !isChanged) return yield* new NothingToDrain()
          const limited = limits !== undefined && (yield* lanes.limit(lane, limits))
          const drained = patch.drain_rate === null && (yield* lanes.endDrain(lane))
          const headers = patch.headers === undefined
            ? undefined
            : yield* headerChanges(sealing, id, endpoint.headers, patch.headers)
          if (headers !== undefined) yield* repo.setHeaders(club_id, id, headers)
          const key = yield* makeKey(id, settings.signing !== "hmac" && !endpoint.has_key)
          if (any || limited || drained || isChanged) yield* repo.update(club_id, id, settings, key)
          if (wakes || headers !== undefined) yield* lanes.touch(lane, { isElsewhere })
          if (transition !== "none") {
            const drain = drain_rate === null ? null : { rate: drain_rate, total: yield* queue.countDue(lane) }
            yield* applyTransition({ cancellation, lanes, repo }, lane, transition, drain)
          }
          return yield* get(club_id, id)
        }))
          .pipe(Effect.tap(({ status }) =>
            status === "disabled" ? cancellation.finish({ club_id, endpoint_id: id }) : Effect.void
          ))
      })

      const removeIf = Effect.fnUntraced(function*(club_id: ClubId, id: EndpointId, listening_until?: DateTime.Utc) {
        const lane = { club_id, endpoint_id: id }
        yield* inTransaction(Effect.gen(function*() {
          if (!(yield* repo.remove(club_id, id, listening_until))) return yield* new NotFound()
          yield* lanes.suspend(lane)
          yield* cancellation.begin(lane, "endpoint_deleted")
        }))
        yield* cancellation.finish(lane)
      })

      const remove = Effect.fn("Endpoints.remove")((club_id: ClubId, id: EndpointId) => removeIf(club_id, id))

      const removeUnpolled = Effect.fn("Endpoints.removeUnpolled")((
        club_id: ClubId,
        id: EndpointId,
        listening_until: DateTime.Utc
      ) =>
        removeIf(club_id, id, listening_until).pipe(
          Effect.as(true),
          Effect.catchTag("NotFound", () => Effect.succeed(false))
        )
      )

      const rotateSecret = Effect.fn("Endpoints.rotateSecret")(function*(club_id: ClubId, id: EndpointId) {
        const { sealed, secret } = yield* makeSecret(id)
        // The lock comes first, so that the count includes a rotation that came meanwhile.
        const { has_key } = yield* orNotFound(repo.lock(club_id, id, "to change"))
        const next = { secret: sealed, key: yield* makeKey(id, has_key) }
        const previousUntil = DateTime.addDuration(yield* guard.agreedNow, secret_overlap)
        if (!(yield* repo.rotate(club_id, id, next, previousUntil))) return yield* new RotationLimitReached()
        yield* lanes.touch({ club_id, endpoint_id: id })
        return yield* withSecret(club_id, id, secret)
      }, inTransaction)

      return Endpoints.of({
        list,
        get,
        create,
        patch,
        remove,
        removeUnpolled,
        rotateSecret
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([
    Addresses.layer,
    OwnInboxes.layer,
    QueueCancellation.layer,
    EndpointsRepo.layer,
    DeliveryQueueRepo.layer,
    LaneChanges.layer,
    NodeCrypto.layerSecureRandom
  ]))
}

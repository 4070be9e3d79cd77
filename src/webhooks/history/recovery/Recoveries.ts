import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { UserId } from "../../../identity/ids/UserId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { announcementOf } from "../../../platform/jobs/Announcement.ts"
import { inTransaction } from "../../../platform/sql/Rows.ts"
import { EndpointNotEnabled, InvalidTransition } from "../../endpoint/Endpoint.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import { type EventTypeUnknown, parseEventTypes } from "../../endpoint/EventTypeNames.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import type { SinceInFuture, SinceTooOld } from "../delivery/Delivery.ts"
import { recoverFrom } from "../delivery/RecoverSince.ts"
import { RecoveriesRepo } from "./RecoveriesRepo.ts"
import {
  type CreateRecovery,
  type PatchRecovery,
  RecoveryId,
  RecoveryInProgress,
  type WebhookRecovery
} from "./Recovery.ts"
import { isUnstarted, transitionTo } from "./RecoveryStates.ts"
import { RecoveryWork } from "./RecoveryWork.ts"
import { waitingRecoveries } from "./RecoveryWork.ts"

/** The person who begins a recovery, and their club. */
export interface Maker {
  readonly user: { readonly id: UserId }
  readonly club: { readonly id: ClubId; readonly time_zone: string }
}

/** Recoveries as jobs. `NotFound`: this club has no such endpoint, or it is deleted, or it has no such recovery. */
export class Recoveries extends Context.Service<Recoveries, {
  /**
   * Counted when it is answered, unless there is much; then it goes on in the background. The one before is canceled, if it
   * was never started.
   */
  create(
    maker: Maker,
    endpoint_id: EndpointId,
    asked: CreateRecovery
  ): Effect.Effect<
    WebhookRecovery,
    EndpointNotEnabled | EventTypeUnknown | NotFound | RecoveryInProgress | SinceInFuture | SinceTooOld
  >
  /** Newest first. */
  list(
    club_id: ClubId,
    endpoint_id: EndpointId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<WebhookRecovery>, InvalidCursor | NotFound>
  get(club_id: ClubId, endpoint_id: EndpointId, id: RecoveryId): Effect.Effect<WebhookRecovery, NotFound>
  /** Starts, pauses, continues or cancels it, or changes its rate. Moved deliveries go out anyway. */
  patch(
    club_id: ClubId,
    endpoint_id: EndpointId,
    id: RecoveryId,
    patch: PatchRecovery
  ): Effect.Effect<WebhookRecovery, EndpointNotEnabled | InvalidTransition | NotFound>
}>()("turma/webhooks/history/recovery/Recoveries") {
  static readonly layerNoDeps = Layer.effect(
    Recoveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const announce = yield* announcementOf(waitingRecoveries)
      const endpoints = yield* EndpointsRepo
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* RecoveriesRepo
      const work = yield* RecoveryWork
      const { recover_window } = yield* WebhookRules

      const orNotFound = <A>(row: Effect.Effect<Option.Option<A>>) =>
        Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed }))

      const requireEnabled = (status: string) =>
        status === "enabled" ? Effect.void : Effect.fail(new EndpointNotEnabled())

      const read = (lane: LaneName, id: RecoveryId) => orNotFound(repo.find(lane, id))

      const replaceUnstarted = Effect.fnUntraced(function*(lane: LaneName) {
        const open = yield* repo.lockOpen(lane)
        if (Option.isNone(open)) return
        if (!isUnstarted(open.value.status)) return yield* new RecoveryInProgress()
        yield* repo.cancel(lane, open.value.id, "replaced")
      })

      const create = Effect.fn("Recoveries.create")(function*(
        { club, user }: Maker,
        endpoint_id: EndpointId,
        asked: CreateRecovery
      ) {
        const { order = "oldest", rate = null, start = false, until = null } = asked
        const event_types = asked.event_types && (yield* Effect.fromResult(parseEventTypes(asked.event_types)))
        const window = { now: yield* DateTime.now, time_zone: club.time_zone, window: recover_window }
        const since = yield* Effect.fromResult(recoverFrom(asked.since, window))
        const lane = { club_id: club.id, endpoint_id }
        const id = RecoveryId.make(yield* Effect.orDie(random.uuidV7()))
        yield* creates(id)
        const job = {
          id,
          since,
          until,
          event_types: event_types ?? null,
          newest_first: order === "newest",
          rate,
          starts: start,
          time_zone: club.time_zone,
          created_by: user.id
        }
        return yield* inTransaction(sql)(Effect.gen(function*() {
          yield* requireEnabled((yield* orNotFound(endpoints.lock(club.id, endpoint_id, "to add"))).status)
          yield* replaceUnstarted(lane)
          if (!(yield* repo.insert(lane, job))) return yield* new RecoveryInProgress()
          yield* work.look({ ...lane, recovery_id: id })
          yield* sql.afterCommit(announce)
          return yield* read(lane, id)
        }))
      })

      const list = Effect.fn("Recoveries.list")(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        { cursor, limit }: PageRequest
      ) {
        const before = yield* afterCursor(cursor)
        const [, found] = yield* Effect.all([
          orNotFound(endpoints.find(club_id, endpoint_id)),
          repo.list({ club_id, endpoint_id }, { before, limit })
        ], { concurrency: "unbounded" })
        return pageOf(found, limit)
      })

      const get = Effect.fn("Recoveries.get")((club_id: ClubId, endpoint_id: EndpointId, id: RecoveryId) =>
        read({ club_id, endpoint_id }, id)
      )

      const change = Effect.fnUntraced(function*(
        lane: LaneName,
        id: RecoveryId,
        asked: NonNullable<PatchRecovery["status"]>
      ) {
        const endpoint = yield* orNotFound(endpoints.lock(lane.club_id, lane.endpoint_id, "to add"))
        const { status } = yield* orNotFound(repo.lock(lane, id))
        const transition = transitionTo(status, asked)
        switch (transition) {
          case "none":
            return
          case "refused":
            return yield* new InvalidTransition({
              error: { message: "status: one that has ended stays so, and only a running one can be paused" }
            })
          case "starts":
            return yield* repo.startLater(lane, id)
          case "running":
            yield* requireEnabled(endpoint.status)
            return yield* repo.run(lane, id)
          case "paused":
            return yield* repo.pause(lane, id)
          case "canceled":
            return yield* repo.cancel(lane, id, "requested")
        }
      })

      const patch = Effect.fn("Recoveries.patch")(
        function*(club_id: ClubId, endpoint_id: EndpointId, id: RecoveryId, { rate, status }: PatchRecovery) {
          const lane = { club_id, endpoint_id }
          if (status !== undefined) yield* change(lane, id, status)
          const isSet = rate === undefined || (yield* repo.setRate(lane, id, rate))
          yield* sql.afterCommit(announce)
          const recovery = yield* read(lane, id)
          if (!isSet && status !== "canceled") {
            return yield* new InvalidTransition({ error: { message: "rate: one that has ended stays so" } })
          }
          return recovery
        },
        inTransaction(sql)
      )

      return Recoveries.of({ create, list, get, patch })
    })
  )

  static readonly layer = this.layerNoDeps
    .pipe(Layer.provide([EndpointsRepo.layer, NodeCrypto.layerSecureRandom, RecoveriesRepo.layer, RecoveryWork.layer]))
}

import { Array, type Cause, Clock, Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { bodyOf } from "../../../events/Envelope.ts"
import { EventSources } from "../../../events/EventSources.ts"
import type { EventId } from "../../../events/EventType.ts"
import { type ClaimedFact, Outbox, waitingFacts } from "../../../events/Outbox.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { Partitions } from "../../../platform/sql/Partitions.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { timeOf } from "../../../platform/sql/Uuid7.ts"
import { LaneChanges } from "../../engine/lane/LaneChanges.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { deliveriesTable, feedTable, messagesTable } from "../../model/WebhookTables.ts"
import { AssemblyRepo, type Receiver } from "./AssemblyRepo.ts"
import { filterFor, isFiltered, matchingReceivers } from "./matchingReceivers.ts"
import { traceAssembly } from "./traceAssembly.ts"

/** Facts that are assembled in one transaction; up to twice as many while more are waiting. */
export const batch = 500

/** A fact and the endpoints that get it. */
interface AddressedFact {
  readonly fact: ClaimedFact
  readonly receivers: ReadonlyArray<Receiver>
}

/** The assembly of these facts was rolled back. */
class NotAssembled extends Data.TaggedError("NotAssembled")<{
  readonly facts: ReadonlyArray<ClaimedFact>
  readonly cause: Cause.Cause<never>
}> {}

/** Facts about an erased student are not sent, except the removal itself. */
const isSendable = ({ erased, type }: ClaimedFact) => !erased || type === "student.removed"

/** True if the fact is as new as the endpoint or newer. It compares places, since clocks of processes differ. */
const isNews = (fact: ClaimedFact, receiver: Receiver) =>
  fact.place === null || receiver.place === null || fact.place > receiver.place

const address = (
  facts: ReadonlyArray<ClaimedFact>,
  receivers: ReadonlyArray<Receiver>
): ReadonlyArray<AddressedFact> => {
  const ofClub = Map.groupBy(receivers, ({ club_id }) => club_id)
  return facts.map((fact) => {
    const wanting = ofClub.get(fact.club_id)?.filter((receiver) =>
      receiver.event_types.includes(fact.type) && isNews(fact, receiver)
    )
    return { fact, receivers: wanting ?? [] }
  })
}

const noBody = ({ fact }: AddressedFact) => ({ ...fact, body: null })

/** Makes messages and deliveries of the facts in the outbox (contract, Envelope: "assembled seconds after the fact"). */
export class Assembler extends Context.Service<Assembler, {
  /**
   * Assembles `limit` facts that are due, and a share for clubs that these leave out, in one transaction. Answers how
   * many they were: fewer than `limit` if nothing else is due. Any number of processes may run it at once. Only a fact
   * that fails to assemble is postponed.
   */
  assemble(limit?: number): Effect.Effect<number>
}>()("turma/webhooks/events/assembly/Assembler") {
  static readonly layerNoDeps = Layer.effect(
    Assembler,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const guard = yield* ClockGuard
      const outbox = yield* Outbox
      const sources = yield* EventSources
      const partitions = yield* Partitions
      const lanes = yield* LaneChanges
      const repo = yield* AssemblyRepo
      const { body_retention } = yield* WebhookRules

      /** `data` of each fact as its resource is now. */
      const readData = Effect.fnUntraced(function*(facts: ReadonlyArray<ClaimedFact>) {
        const data = new Map<EventId, unknown>()
        for (const [type, group] of Map.groupBy(facts, ({ type }) => type)) {
          const source = yield* sources.find(type)
          for (const [id, found] of yield* source.dataOf(group)) data.set(id, found)
        }
        return data
      })

      /** The facts that still have a subject, with their bodies. */
      const withBodies = Effect.fnUntraced(function*(addressed: ReadonlyArray<AddressedFact>) {
        const data = yield* readData(addressed.map(({ fact }) => fact))
        for (const { fact: { id, type } } of addressed) {
          if (!data.has(id)) {
            yield* Effect.logWarning("Event dropped: its subject no longer exists", { event_id: id, type })
          }
        }
        return yield* Effect.forEach(
          addressed.filter(({ fact }) => data.has(fact.id)),
          Effect.fnUntraced(function*({ fact, receivers }) {
            const body = bodyOf({ ...fact, club_id: fact.organization_id, data: data.get(fact.id) })
            // Filters take time that this process's heartbeats and requests need.
            if (isFiltered(receivers, fact.type)) yield* Effect.yieldNow
            return { fact, receivers: matchingReceivers(receivers, { body, type: fact.type }), body }
          })
        )
      })

      const writeDeliveries = Effect.fnUntraced(function*(
        addressed: ReadonlyArray<AddressedFact>,
        { expired, now }: { readonly expired: boolean; readonly now: DateTime.Utc }
      ) {
        const deliveries = yield* Effect.forEach(
          addressed.flatMap(({ fact, receivers }) => receivers.map(({ id }) => ({ fact, endpoint_id: id }))),
          ({ endpoint_id, fact: { club_id, id, student_id, type } }) =>
            Effect.map(random.uuidV7(), (uuid) => ({
              club_id,
              endpoint_id,
              id: WebhookDeliveryId.make(uuid),
              event_id: id,
              event_type: type,
              student_id,
              expired
            }))
        )
        if (deliveries.length > 0) yield* repo.insertDeliveries(deliveries, now)
      })

      const wake = (addressed: ReadonlyArray<AddressedFact>) => {
        const receivers = new Set(addressed.flatMap(({ receivers }) => receivers))
        const enabled = [...receivers].filter(({ status }) => status === "enabled")
        return lanes.wake(enabled.map(({ club_id, id }) => ({ club_id, endpoint_id: id })), { requested: false })
      }

      const assembleClaimed = Effect.fnUntraced(function*(claimed: ReadonlyArray<ClaimedFact>) {
        if (claimed.length === 0) return
        const now = yield* DateTime.now
        const oldest = DateTime.subtractDuration(yield* guard.ageing, body_retention)
        const sendable = claimed.filter(isSendable)
        const clubs = new Set(sendable.map(({ club_id }) => club_id))
        const types = new Set(sendable.map(({ type }) => type))
        const addressed = address(sendable, yield* repo.lockReceivers([...clubs], [...types]))
        // A fact that has waited for longer than a body is kept is not sent. It is in the history as expired.
        const isTimely = ({ fact }: AddressedFact) => DateTime.isGreaterThan(timeOf(fact.id), oldest)
        const sent = yield* withBodies(addressed.filter(isTimely))
        yield* writeDeliveries(sent, { expired: false, now })
        // Nobody knows whether those would have passed a filter: its endpoint has no trace of them.
        const late = addressed.filter((one) => !isTimely(one)).map(({ fact, receivers }) => ({
          fact,
          receivers: receivers.filter((receiver) => filterFor(receiver, fact.type) === null)
        }))
        yield* writeDeliveries(late, { expired: true, now })
        yield* outbox.remove(claimed)
        // This comes late: other assemblies of the same club wait from here on.
        const events = [...sent.map(({ body, fact }) => ({ ...fact, body })), ...late.map(noBody)]
        if (events.length > 0) yield* repo.insertEvents(events, now)
        yield* wake(sent)
      })

      const claimAndAssemble = Effect.fnUntraced(
        function*(claim: Effect.Effect<ReadonlyArray<ClaimedFact>>) {
          const began = yield* Clock.currentTimeNanos
          const facts = yield* claim.pipe(
            Effect.tap((facts) =>
              Effect.catchCause(assembleClaimed(facts), (cause) => Effect.fail(new NotAssembled({ facts, cause })))
            ),
            sql.withTransaction
          )
          traceAssembly(yield* Effect.context(), facts, { began, ended: yield* Clock.currentTimeNanos })
          return facts
        },
        faultsDie
      )

      // Assembles each half on its own, and halves those that fail again, until facts that fail are alone.
      const assembleInHalves = ({ cause, facts }: NotAssembled): Effect.Effect<void> =>
        facts.length <= 1
          ? Effect.forEach(facts, (fact) => postpone(fact, cause), { discard: true })
          : Effect.forEach(
            Array.chunksOf(facts, Math.ceil(facts.length / 2)),
            (half) => Effect.catchTag(claimAndAssemble(outbox.claimByKey(half)), "NotAssembled", assembleInHalves),
            { discard: true }
          )

      const postpone = Effect.fnUntraced(function*(fact: ClaimedFact, cause: Cause.Cause<never>) {
        const { failures, id, type } = fact
        yield* Effect.logError("Event not assembled yet", { event_id: id, type, failures: failures + 1 }, cause)
        yield* outbox.postpone(fact)
      })

      // The id of a message carries the time the fact was recorded. Ids of deliveries and places in the feed carry the
      // current time. If another process's clock is ahead, its places are later, and it has made their partition
      // itself.
      const ensurePartitions = Effect.fnUntraced(function*(oldest: DateTime.Utc) {
        const oldestRetained = DateTime.subtractDuration(yield* guard.ageing, body_retention)
        yield* partitions.ensure([messagesTable], DateTime.max(oldest, oldestRetained))
        yield* partitions.ensure([deliveriesTable, feedTable], yield* DateTime.now)
      })

      const assemble = Effect.fn("Assembler.assemble")(function*(limit: number = batch) {
        const oldest = yield* outbox.peek(limit)
        if (Option.isNone(oldest)) return 0
        yield* ensurePartitions(oldest.value)
        const facts = yield* claimAndAssemble(outbox.claim(limit, oldest.value)).pipe(Effect.catchTag(
          "NotAssembled",
          Effect.fnUntraced(function*(failed) {
            const { cause, facts } = failed
            yield* Effect.logWarning(
              "A batch of events failed and is assembled in parts",
              { facts: facts.length },
              cause
            )
            yield* assembleInHalves(failed)
            return facts
          })
        ))
        return facts.length
      })

      return Assembler.of({ assemble })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([AssemblyRepo.layer, PooledRandomLayer]))
}

/**
 * How long a batch in flight may delay a shutdown. PostgreSQL rolls back a batch that ends early, and another worker
 * assembles it.
 */
const shutdownGrace = Duration.seconds(10)

interface AssemblerWorkerOptions {
  /** How often it looks for more while there is something to do. */
  readonly pollEvery?: Duration.Input
  /** How long before they are due facts come: the delay of the assembly. */
  readonly notice?: Duration.Duration
}

/**
 * Assembles facts that are due for as long as the layer lives. Any number of processes may run it. It ends between two
 * batches.
 */
export const assemblerWorkerLayer = (
  { notice = Duration.seconds(2), pollEvery = "250 millis" }: AssemblerWorkerOptions = {}
): Layer.Layer<never, never, Assembler | ClockGuard> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { assemble } = yield* Assembler
    yield* batchWorker({
      tick: assemble(),
      full: batch,
      idle: yield* untilDue(waitingFacts(notice), { pollEvery }),
      pollEvery,
      shutdownGrace,
      onFailure: "Assembly of events failed",
      onCutOff: "An assembly is interrupted"
    })
  }))

import { Array, type Cause, Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { bodyOf } from "../../events/Envelope.ts"
import { EventSources } from "../../events/EventSources.ts"
import type { EventId } from "../../events/EventType.ts"
import { type Claimed, Outbox } from "../../events/Outbox.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { Partitions } from "../../platform/sql/Partitions.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { timeOf } from "../../platform/sql/Uuid7.ts"
import { DeliveryId } from "../delivery/DeliveryId.ts"
import { LaneChanges } from "../dispatch/LaneChanges.ts"
import { deliveriesTable, messagesTable } from "../retention/Tables.ts"
import { WebhookRules } from "../WebhookSettings.ts"
import { AssemblyRepo, type Receiver } from "./AssemblyRepo.ts"

/** Facts that are assembled in one transaction; up to twice as many while more are waiting. */
export const batch = 500

/** A fact and the endpoints that get it; never none. */
interface Addressed {
  readonly fact: Claimed
  readonly receivers: ReadonlyArray<Receiver>
}

/** Nothing of these facts was written. */
class NotAssembled extends Data.TaggedError("NotAssembled")<{
  readonly facts: ReadonlyArray<Claimed>
  readonly cause: Cause.Cause<never>
}> {}

/** Facts about the erased are for nobody; the removal itself is. */
const isTold = ({ erased, type }: Claimed) => !erased || type === "student.removed"

const address = (facts: ReadonlyArray<Claimed>, receivers: ReadonlyArray<Receiver>): ReadonlyArray<Addressed> => {
  const ofClub = Map.groupBy(receivers, ({ club_id }) => club_id)
  return facts.flatMap((fact) => {
    const listing = ofClub.get(fact.club_id)?.filter(({ event_types }) => event_types.includes(fact.type)) ?? []
    return listing.length === 0 ? [] : [{ fact, receivers: listing }]
  })
}

/** Makes messages and deliveries of the facts in the outbox (contract, Envelope: "assembled seconds after the fact"). */
export class Assembler extends Context.Service<Assembler, {
  /**
   * Takes `limit` facts that are due, and a share for clubs that these leave out, in one transaction, and answers how
   * many they were: fewer than `limit` if nothing else is due. Any number of processes may do so at once. A fact that
   * cannot be assembled is put off, and only that one.
   */
  assemble(limit?: number): Effect.Effect<number>
}>()("turma/webhooks/Assembler") {
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
      const readData = Effect.fnUntraced(function*(facts: ReadonlyArray<Claimed>) {
        const found = new Map<EventId, unknown>()
        for (const [type, group] of Map.groupBy(facts, ({ type }) => type)) {
          const source = yield* sources.find(type)
          for (const [id, data] of yield* source.dataOf(group)) found.set(id, data)
        }
        return found
      })

      const writeMessages = Effect.fnUntraced(function*(addressed: ReadonlyArray<Addressed>, now: DateTime.Utc) {
        const data = yield* readData(addressed.map(({ fact }) => fact))
        const found = addressed.filter(({ fact }) => data.has(fact.id))
        const messages = found.map(({ fact }) => ({
          ...fact,
          body: bodyOf({ ...fact, club_id: fact.organization_id, data: data.get(fact.id) })
        }))
        if (messages.length > 0) yield* repo.insertMessages(messages, now)
        for (const { fact: { id, type } } of addressed) {
          if (!data.has(id)) yield* Effect.logWarning("Event dropped: what it is about is gone", { event_id: id, type })
        }
        return found
      })

      const writeDeliveries = Effect.fnUntraced(function*(
        addressed: ReadonlyArray<Addressed>,
        { expired, now }: { readonly expired: boolean; readonly now: DateTime.Utc }
      ) {
        const deliveries = yield* Effect.forEach(
          addressed.flatMap(({ fact, receivers }) => receivers.map(({ id }) => ({ fact, endpoint_id: id }))),
          ({ endpoint_id, fact: { club_id, id, student_id, type } }) =>
            Effect.map(random.uuidV7(), (uuid) => ({
              club_id,
              endpoint_id,
              id: DeliveryId.make(uuid),
              event_id: id,
              event_type: type,
              student_id,
              expired
            }))
        )
        if (deliveries.length > 0) yield* repo.insertDeliveries(deliveries, now)
      })

      const wake = (addressed: ReadonlyArray<Addressed>) => {
        const receivers = new Set(addressed.flatMap(({ receivers }) => receivers))
        const enabled = [...receivers].filter(({ status }) => status === "enabled")
        return lanes.wake(enabled.map(({ club_id, id }) => ({ club_id, endpoint_id: id })), { requested: false })
      }

      const settle = Effect.fnUntraced(function*(claimed: ReadonlyArray<Claimed>) {
        if (claimed.length === 0) return
        const now = yield* DateTime.now
        const oldest = DateTime.subtractDuration(yield* guard.ageing, body_retention)
        const told = claimed.filter(isTold)
        const clubs = new Set(told.map(({ club_id }) => club_id))
        const types = new Set(told.map(({ type }) => type))
        const addressed = address(told, yield* repo.holdReceivers([...clubs], [...types]))
        // What has waited for longer than a body is kept has nothing to send; the history still tells of it.
        const isTimely = ({ fact }: Addressed) => DateTime.isGreaterThan(timeOf(fact.id), oldest)
        const sent = yield* writeMessages(addressed.filter(isTimely), now)
        yield* writeDeliveries(sent, { expired: false, now })
        yield* writeDeliveries(addressed.filter((one) => !isTimely(one)), { expired: true, now })
        yield* outbox.remove(claimed)
        yield* wake(sent)
      })

      const take = (claim: Effect.Effect<ReadonlyArray<Claimed>>) =>
        claim.pipe(
          Effect.tap((facts) =>
            Effect.catchCause(settle(facts), (cause) => Effect.fail(new NotAssembled({ facts, cause })))
          ),
          sql.withTransaction,
          faultsDie
        )

      // Half by half, each on its own, until those that fail are alone.
      const takeApart = ({ cause, facts }: NotAssembled): Effect.Effect<void> =>
        facts.length <= 1
          ? Effect.forEach(facts, (fact) => putOff(fact, cause), { discard: true })
          : Effect.forEach(
            Array.chunksOf(facts, Math.ceil(facts.length / 2)),
            (half) => Effect.catchTag(take(outbox.claimThese(half)), "NotAssembled", takeApart),
            { discard: true }
          )

      const putOff = Effect.fnUntraced(function*(fact: Claimed, cause: Cause.Cause<never>) {
        const { failures, id, type } = fact
        yield* Effect.logError("Event not assembled yet", { event_id: id, type, failures: failures + 1 }, cause)
        yield* outbox.putOff(fact)
      })

      // The id of a message is of the moment at which the fact was recorded, that of a delivery is of now.
      const ensurePartitions = Effect.fnUntraced(function*(oldest: DateTime.Utc) {
        const kept = DateTime.subtractDuration(yield* guard.ageing, body_retention)
        yield* partitions.ensure([messagesTable], DateTime.max(oldest, kept))
        yield* partitions.ensure([deliveriesTable], yield* DateTime.now)
      })

      const assemble = Effect.fn("Assembler.assemble")(function*(limit: number = batch) {
        const oldest = yield* outbox.peek(limit)
        if (Option.isNone(oldest)) return 0
        yield* ensurePartitions(oldest.value)
        const taken = yield* take(outbox.claim(limit, oldest.value)).pipe(
          Effect.catchTag(
            "NotAssembled",
            Effect.fnUntraced(function*(failed) {
              const facts = failed.facts.length
              yield* Effect.logWarning("A batch of events failed and is assembled in parts", { facts }, failed.cause)
              yield* takeApart(failed)
              return failed.facts
            })
          )
        )
        return taken.length
      })

      return Assembler.of({ assemble })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([AssemblyRepo.layer, PooledRandomLayer]))
}

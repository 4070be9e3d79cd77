import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../platform/jobs/ClockGuard.ts"
import { uuids } from "../../platform/sql/Arrays.ts"

/** The most enrollments that one statement processes. */
const batch = 500

/** The time that a batch may delay a shutdown. An interrupted one is rolled back, and another process repeats it. */
const shutdownGrace = "10 seconds"

/** Expirations of access. The history records them afterwards; no event goes out. */
export class Lapses extends Context.Service<Lapses, {
  /**
   * Records the earliest unrecorded expirations, and answers their number. Any number of processes may run it at once.
   */
  readonly note: Effect.Effect<number>
}>()("turma/membership/access/Lapses") {
  static readonly layer = Layer.effect(
    Lapses,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const guard = yield* ClockGuard

      // Enrollments that are being changed are locked. The worker skips them and reads them again the next time.
      const noteUntil = Effect.fnUntraced(function*(at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        const ids = yield* Effect.forEach(Array.from({ length: batch }), () => random.uuidV7())
        const noted = yield* sql`
          with lapsed as (
            select club_id, id from enrollments
            where revoked_at is null and not lapse_noted and expires_at <= ${now}
            order by expires_at limit ${batch} for no key update skip locked
          ), changed as (
            update enrollments e set lapse_noted = true from lapsed l
            where e.club_id = l.club_id and e.id = l.id
            returning e.club_id, e.student_id, e.id, e.expires_at
          ), numbered as (
            select *, row_number() over (order by expires_at, id) as n from changed
          )
          insert into access_events (
            club_id, id, student_id, enrollment_id, kind, occurred_at, effective_expires_at
          )
          select club_id, fresh.id, student_id, numbered.id, 'expired', expires_at, expires_at
          from numbered join unnest(${uuids(ids)}) with ordinality as fresh (id, n) using (n)
          returning 1`
        return noted.length
      }, Effect.orDie)

      const note = guard.sweep("ends of access", noteUntil).pipe(orZero, Effect.withSpan("Lapses.note"))

      return Lapses.of({ note })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

/** Records expirations at the start and then at each interval, for as long as the layer lives. */
export const lapsesLayer = (
  { every }: { readonly every: Duration.Input }
): Layer.Layer<never, never, ClockGuard | Lapses> =>
  Layer.effectDiscard(Effect.flatMap(Lapses, ({ note }) =>
    batchWorker({
      tick: note,
      full: batch,
      idle: Effect.sleep(every),
      shutdownGrace,
      onFailure: "Ends of access were not noted",
      onCutOff: "Ends of access are noted later"
    })))

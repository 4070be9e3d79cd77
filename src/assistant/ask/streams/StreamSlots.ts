import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import type { SessionId } from "../../../identity/people/Session.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { one } from "../../../platform/sql/Rows.ts"

/** The most answers that a session may follow at once. */
const streamsPerSession = 5

/** A student's session. */
export interface StreamOwner {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly session_id: SessionId
}

/** The session has no free slot. At `until` the first slot is free at the latest. */
export class NoFreeSlot extends Schema.TaggedError<NoFreeSlot>()("NoFreeSlot", { until: Schema.DateTimeUtc }) {}

const SlotRow = Schema.Struct({
  taken: Schema.Boolean,
  occupied: Schema.Int,
  soonest: InstantOrNull
})
const decodeSlot = one(SlotRow)

/**
 * Limits the open streams of a session, across all processes. The slots are in the database, which every stream needs
 * anyway: if it does not answer, no stream begins.
 */
export class StreamSlots extends Context.Service<StreamSlots, {
  /**
   * Takes a slot until `until` at the latest, and returns the effect that frees it. The slot of a process that died is free
   * again from `until` on.
   */
  take(owner: StreamOwner, until: DateTime.Utc): Effect.Effect<Effect.Effect<void>, NoFreeSlot>
}>()("turma/assistant/ask/streams/StreamSlots") {
  static readonly layer = Layer.effect(
    StreamSlots,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      // Locks the session before its slots, in the order in which the end of a session locks them. If two choose the
      // same slot, the primary key lets one have it.
      const tryTake = Effect.fnUntraced(function*(
        { club_id, session_id, student_id }: StreamOwner,
        id: string,
        until: DateTime.Utc
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
            with mine as materialized (
              select s.club_id, s.id from student_sessions s
              where s.id = ${session_id} and s.club_id = ${club_id} and s.student_id = ${student_id} for key share
            ), occupied as materialized (
              select place, ends_at from answer_streams
              where club_id = ${club_id} and session_id = ${session_id} and ends_at > ${now}
            ), taken as (
              insert into answer_streams as t (club_id, session_id, place, id, ends_at)
              select mine.club_id, mine.id, free.place, ${id}::uuid, ${DateTime.toDateUtc(until)}::timestamptz
              from mine cross join lateral (
                select min(n) as place from generate_series(1, ${streamsPerSession}::int) n
                where n not in (select place from occupied)
              ) free
              where free.place is not null
              on conflict (session_id, place) do update set id = excluded.id, ends_at = excluded.ends_at
                where t.ends_at <= ${now}
              returning 1
            )
            select exists (select from taken) as taken, (select count(*)::int from occupied) as occupied,
              (select min(ends_at) from occupied) as soonest`.pipe(decodeSlot)
      })

      const free = ({ club_id, session_id }: StreamOwner, id: string) =>
        sql`delete from answer_streams where club_id = ${club_id} and session_id = ${session_id} and id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      // Tries again after losing a slot to a concurrent stream. After as many losses as the session has slots, it gives
      // up.
      const take = Effect.fn("StreamSlots.take")(function*(owner: StreamOwner, until: DateTime.Utc) {
        const id = yield* Effect.orDie(random.uuidV7())
        let soonest = until
        for (let losses = 0; losses < streamsPerSession; losses++) {
          const slot = yield* tryTake(owner, id, until)
          if (slot.taken) return free(owner, id)
          soonest = slot.soonest ?? until
          if (slot.occupied >= streamsPerSession) break
        }
        return yield* new NoFreeSlot({ until: soonest })
      })

      return StreamSlots.of({ take })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

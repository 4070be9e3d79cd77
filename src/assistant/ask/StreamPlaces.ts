import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { SessionId } from "../../identity/people/Session.ts"

/** How many answers a session follows at once. */
export const streamsPerSession = 5

/** A student's session. */
export interface StreamOwner {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly session_id: SessionId
}

/** All places of the session are taken; then the first of them is free at the latest. */
export class StreamsTaken extends Schema.TaggedError<StreamsTaken>()("StreamsTaken", { until: Schema.DateTimeUtc }) {}

const Look = Schema.Struct({
  taken: Schema.Boolean,
  held: Schema.Int,
  soonest: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
const decodeLook = Schema.decodeUnknownEffect(Schema.Tuple([Look]))

/**
 * The places of open streams, which all processes share. They are in the database, which every stream needs anyway: where
 * it does not answer, no stream begins.
 */
export class StreamPlaces extends Context.Service<StreamPlaces, {
  /**
   * Takes a place until then at the latest, and answers what gives it back. One that is never given back, as its process
   * died, is free again from then on.
   */
  take(owner: StreamOwner, until: DateTime.Utc): Effect.Effect<Effect.Effect<void>, StreamsTaken>
}>()("turma/assistant/StreamPlaces") {
  static readonly layerNoDeps = Layer.effect(
    StreamPlaces,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      // The session is held before its places, as by whoever ends it. Of two who choose the same place, the key lets one
      // have it.
      const look = Effect.fnUntraced(
        function*({ club_id, session_id, student_id }: StreamOwner, id: string, until: DateTime.Utc) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* sql`
            with mine as materialized (
              select s.club_id, s.id from student_sessions s
              where s.id = ${session_id} and s.club_id = ${club_id} and s.student_id = ${student_id} for key share
            ), held as materialized (
              select place, ends_at from answer_streams
              where club_id = ${club_id} and session_id = ${session_id} and ends_at > ${now}
            ), taken as (
              insert into answer_streams as t (club_id, session_id, place, id, ends_at)
              select mine.club_id, mine.id, free.place, ${id}::uuid, ${DateTime.toDateUtc(until)}::timestamptz
              from mine cross join lateral (
                select min(n) as place from generate_series(1, ${streamsPerSession}::int) n
                where n not in (select place from held)
              ) free
              where free.place is not null
              on conflict (session_id, place) do update set id = excluded.id, ends_at = excluded.ends_at
                where t.ends_at <= ${now}
              returning 1
            )
            select exists (select from taken) as taken, (select count(*)::int from held) as held,
              (select min(ends_at) from held) as soonest`
          const [found] = yield* decodeLook(rows)
          return found
        },
        Effect.orDie
      )

      const giveBack = ({ club_id, session_id }: StreamOwner, id: string) =>
        sql`delete from answer_streams where club_id = ${club_id} and session_id = ${session_id} and id = ${id}`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      // Whoever loses a place to somebody else looks again: after as many losses all places have gone.
      const take = Effect.fn("StreamPlaces.take")(function*(owner: StreamOwner, until: DateTime.Utc) {
        const id = yield* Effect.orDie(random.uuidV7())
        let soonest = until
        for (let losses = 0; losses < streamsPerSession; losses++) {
          const found = yield* look(owner, id, until)
          if (found.taken) return giveBack(owner, id)
          soonest = found.soonest ?? until
          if (found.held >= streamsPerSession) break
        }
        return yield* new StreamsTaken({ until: soonest })
      })

      return StreamPlaces.of({ take })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

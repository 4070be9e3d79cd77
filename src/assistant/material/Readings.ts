import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { abandonedAfter, mostTries } from "./Documents.ts"
import { Reading } from "./Reading.ts"

const decodeReadings = Schema.decodeUnknownEffect(Schema.Array(Reading))

/** What became of the library's documents. `NotFound`: the club's library has no such record, or it is no PDF file. */
export class Readings extends Context.Service<Readings, {
  get(club_id: ClubId, media_id: MediaId): Effect.Effect<Reading, NotFound>
}>()("turma/assistant/material/Readings") {
  static readonly layer = Layer.effect(
    Readings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // Who was killed while reading has left it as `reading`: it waits for another, or has ended too many. Nobody is left
      // to write that down.
      const get = Effect.fn("Readings.get")(function*(club_id: ClubId, media_id: MediaId) {
        const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, abandonedAfter))
        const rows = yield* sql`
          select m.id as media_id, r.started_at, now.status,
            case when now.status = 'unreadable' and r.outcome = 'reading' then 'crashed' else r.reason end as reason
          from media m left join media_readings r on r.club_id = m.club_id and r.media_id = m.id
          cross join lateral (
            select case
              when r.outcome is null then 'waiting'
              when r.outcome <> 'reading' then r.outcome
              when r.waits_until is not null then 'waiting'
              when r.started_at > ${before} then r.outcome
              when r.tries < ${mostTries} then 'waiting'
              else 'unreadable'
            end as status
          ) now
          where m.club_id = ${club_id} and m.id = ${media_id} and m.purpose = 'library' and m.removed_at is null
            and m.kind = 'document' and m.mime = 'application/pdf' and m.provider = 'storage'`
        const [reading] = yield* decodeReadings(rows)
        return reading ?? (yield* new NotFound())
      }, Effect.catchTags({ SchemaError: Effect.die, SqlError: Effect.die }))

      return Readings.of({ get })
    })
  )
}

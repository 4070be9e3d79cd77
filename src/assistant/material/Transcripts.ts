import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { MaterialChanges } from "./MaterialChanges.ts"
import { Transcript } from "./Transcript.ts"

const decodeTranscripts = Schema.decodeUnknownEffect(Schema.Array(Transcript))

/** The transcripts of the library's records. `NotFound`: the club's library has no such record, or that no transcript. */
export class Transcripts extends Context.Service<Transcripts, {
  get(club_id: ClubId, media_id: MediaId): Effect.Effect<Transcript, NotFound>
  /** Takes the place of what was there. The lessons that show the record are read anew. */
  put(club_id: ClubId, media_id: MediaId, text: string): Effect.Effect<Transcript, NotFound>
  remove(club_id: ClubId, media_id: MediaId): Effect.Effect<void, NotFound>
}>()("turma/assistant/material/Transcripts") {
  static readonly layer = Layer.effect(
    Transcripts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const changes = yield* MaterialChanges

      const one = Effect.fnUntraced(function*(rows: ReadonlyArray<unknown>) {
        const [transcript] = yield* Effect.orDie(decodeTranscripts(rows))
        return transcript ?? (yield* new NotFound())
      })

      const inLibrary = (club_id: ClubId, media_id: MediaId) =>
        sql`
          from media m
          where m.club_id = ${club_id} and m.id = ${media_id} and m.purpose = 'library' and m.removed_at is null`

      const get = Effect.fn("Transcripts.get")(function*(club_id: ClubId, media_id: MediaId) {
        const rows = yield* sql`
          select media_id, body as text from media_texts t
          where club_id = ${club_id} and media_id = ${media_id} and page = 0
            and exists (select ${inLibrary(club_id, media_id)})`
        return yield* one(rows)
      }, Effect.catchTag("SqlError", Effect.die))

      const put = Effect.fn("Transcripts.put")(
        function*(club_id: ClubId, media_id: MediaId, text: string) {
          const rows = yield* sql`
            insert into media_texts as t (club_id, media_id, page, body)
            select m.club_id, m.id, 0, ${text} ${inLibrary(club_id, media_id)} for key share
            on conflict (club_id, media_id, page) do update set body = excluded.body
            returning media_id, body as text`
          const transcript = yield* one(rows)
          yield* changes.media(club_id, media_id)
          return transcript
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const remove = Effect.fn("Transcripts.remove")(
        function*(club_id: ClubId, media_id: MediaId) {
          const gone = yield* sql`
            delete from media_texts t where t.club_id = ${club_id} and t.media_id = ${media_id} and t.page = 0
              and exists (select ${inLibrary(club_id, media_id)})
            returning 1`
          if (gone.length === 0) return yield* new NotFound()
          yield* changes.media(club_id, media_id)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return Transcripts.of({ get, put, remove })
    })
  )
}

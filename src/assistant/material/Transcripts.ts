import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { faultsDie, firstOr } from "../../platform/sql/Rows.ts"
import { MaterialChanges } from "./changes/MaterialChanges.ts"
import { Transcript } from "./Transcript.ts"

const decodeTranscript = firstOr(Transcript, () => new NotFound())

/** The transcripts of the library's records. `NotFound`: the club's library has no such record, or it has no transcript. */
export class Transcripts extends Context.Service<Transcripts, {
  get(club_id: ClubId, media_id: MediaId): Effect.Effect<Transcript, NotFound>
  /** Replaces the transcript and queues the lessons that show the record. */
  put(club_id: ClubId, media_id: MediaId, text: string): Effect.Effect<Transcript, NotFound>
  remove(club_id: ClubId, media_id: MediaId): Effect.Effect<void, NotFound>
}>()("turma/assistant/material/Transcripts") {
  static readonly layer = Layer.effect(
    Transcripts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const changes = yield* MaterialChanges

      const inLibrary = (club_id: ClubId, media_id: MediaId) =>
        sql`
          from media m
          where m.club_id = ${club_id} and m.id = ${media_id} and m.purpose = 'library' and m.removed_at is null`

      const get = Effect.fn("Transcripts.get")(function*(club_id: ClubId, media_id: MediaId) {
        return yield* sql`
          select media_id, body as text from media_texts t
          where club_id = ${club_id} and media_id = ${media_id} and page = 0
            and exists (select ${inLibrary(club_id, media_id)})`.pipe(decodeTranscript)
      })

      const put = Effect.fn("Transcripts.put")(
        function*(club_id: ClubId, media_id: MediaId, text: string) {
          const transcript = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into media_texts as t (club_id, media_id, page, body)
              select m.club_id, m.id, 0, ${text} ${inLibrary(club_id, media_id)} for key share
              on conflict (club_id, media_id, page) do update set body = excluded.body
              returning media_id, body as text`
          ).pipe(decodeTranscript)
          yield* changes.media(club_id, media_id)
          return transcript
        },
        sql.withTransaction,
        faultsDie
      )

      const remove = Effect.fn("Transcripts.remove")(
        function*(club_id: ClubId, media_id: MediaId) {
          const deleted = yield* audited((audit) =>
            sql`
              ${audit.with}
              delete from media_texts t where t.club_id = ${club_id} and t.media_id = ${media_id} and t.page = 0
                and exists (select ${inLibrary(club_id, media_id)})
              returning 1`
          )
          if (deleted.length === 0) return yield* new NotFound()
          yield* changes.media(club_id, media_id)
        },
        sql.withTransaction,
        faultsDie
      )

      return Transcripts.of({ get, put, remove })
    })
  )
}

import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { MediaId } from "../../../learning/media/Media.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { firstOr } from "../../../platform/sql/Rows.ts"
import { DocumentReading } from "./DocumentReading.ts"
import { abandonedAfter, mostTries } from "./DocumentsRepo.ts"

const decodeReading = firstOr(DocumentReading, () => new NotFound())

/**
 * The state of reading the library's documents. `NotFound`: the club's library has no such record, or it is not a PDF
 * file.
 */
export class DocumentReadings extends Context.Service<DocumentReadings, {
  get(club_id: ClubId, media_id: MediaId): Effect.Effect<DocumentReading, NotFound>
}>()("turma/assistant/material/documents/DocumentReadings") {
  static readonly layer = Layer.effect(
    DocumentReadings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // A process that dies while reading leaves the row as `reading`, and nobody corrects it until the next attempt.
      // So the age of the attempt and the number of tries decide if the document waits or is unreadable.
      const get = Effect.fn("DocumentReadings.get")(function*(club_id: ClubId, media_id: MediaId) {
        const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, abandonedAfter))
        return yield* sql`
          select m.id as media_id, r.started_at, now.status,
            case
              when now.status = 'unreadable' and r.outcome = 'reading' then 'crashed'
              when now.status = 'no_text' then r.without_text
              else r.reason
            end as reason
          from media m left join media_readings r on r.club_id = m.club_id and r.media_id = m.id
          cross join lateral (
            select case
              when r.outcome is null then 'waiting'
              when r.outcome = 'read' and (r.without_text is not null or not exists (
                select from media_texts t where t.club_id = m.club_id and t.media_id = m.id
              )) then 'no_text'
              when r.outcome <> 'reading' then r.outcome
              when r.waits_until is not null then 'waiting'
              when r.started_at > ${before} then r.outcome
              when r.tries < ${mostTries} then 'waiting'
              else 'unreadable'
            end as status
          ) now
          where m.club_id = ${club_id} and m.id = ${media_id} and m.purpose = 'library' and m.removed_at is null
            and m.kind = 'document' and m.mime = 'application/pdf' and m.provider = 'storage'`.pipe(decodeReading)
      })

      return DocumentReadings.of({ get })
    })
  )
}

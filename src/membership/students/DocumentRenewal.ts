import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { makeResealing, type Reseal, resealingLayer } from "../../platform/sql/Resealing.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { bindingOfDocument } from "./Document.ts"

const Sealed = Schema.Struct({ club_id: ClubId, id: StudentId, document: Schema.Uint8Array })
type Sealed = typeof Sealed.Type
const decodeSealed = rows(Sealed)

const noId = "00000000-0000-0000-0000-000000000000"
/** Less than every id of every club. */
const lowest = { club_id: ClubId.make(noId), id: StudentId.make(noId) }

/** Seals tax documents again with the current key, so that the previous key can be deleted. */
export class DocumentRenewal extends Context.Service<DocumentRenewal, {
  /** Reseals the documents of other keys, except those that no key opens. Answers the number of resealed documents. */
  readonly renew: Effect.Effect<number>
}>()("turma/membership/students/DocumentRenewal") {
  static readonly layer = Layer.effect(
    DocumentRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const resealing = yield* makeResealing

      const after = ({ club_id, id }: Pick<Sealed, "club_id" | "id"> = lowest, limit: number) =>
        sql`
          select club_id, id, document from students
          where (club_id, id) > (${club_id}::uuid, ${id}::uuid) and ${resealing.isOfOther("document")}
          order by club_id, id limit ${limit}`.pipe(decodeSealed)

      // Replaces only an unchanged document: it may have been corrected or erased since the read.
      const replace = Effect.fnUntraced(function*({ club_id, document, id }: Sealed, reseal: Reseal) {
        const resealed = yield* reseal(document, bindingOfDocument(id))
        const rows = yield* sql`
          update students set document = ${resealed}
          where club_id = ${club_id} and id = ${id} and document = ${document} returning 1`
        return rows.length > 0
      })

      const onBroken = ({ id }: Sealed) => Effect.logError("No key opens a student's document", { student_id: id })

      const renew = resealing.all({ after, replace, onBroken }).pipe(Effect.withSpan("DocumentRenewal.renew"))

      return DocumentRenewal.of({ renew })
    })
  )
}

/** Renews once, when the process starts. */
export const DocumentRenewalLayer = resealingLayer(
  DocumentRenewal.use(({ renew }) => renew),
  "Documents of students were not moved to the current key"
).pipe(Layer.provide(DocumentRenewal.layer))

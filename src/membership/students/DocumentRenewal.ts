import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { bindingOfDocument } from "./Document.ts"

/** Documents that are sealed anew in one step. */
const batch = 500

const Sealed = Schema.Struct({ club_id: ClubId, id: StudentId, document: Schema.Uint8Array })
type Sealed = typeof Sealed.Type
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(Sealed))

const noId = "00000000-0000-0000-0000-000000000000"
/** Before every student of every club. */
const lowest = { club_id: ClubId.make(noId), id: StudentId.make(noId) }

/** Moves tax documents to the sealing key of today, so that the key before may be forgotten. */
export class DocumentRenewal extends Context.Service<DocumentRenewal, {
  /** Seals anew what another key has sealed; leaves what no key opens. Says how many documents were moved. */
  readonly renew: Effect.Effect<number>
}>()("turma/students/DocumentRenewal") {
  static readonly layer = Layer.effect(
    DocumentRenewal,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const header = sealing.currentHeader

      const other = ({ club_id, id }: Pick<Sealed, "club_id" | "id">) =>
        sql`
          select club_id, id, document from students
          where (club_id, id) > (${club_id}::uuid, ${id}::uuid)
            and substring(document from 1 for ${header.length}) <> ${header}
          order by club_id, id limit ${batch}`.pipe(Effect.flatMap(decodeSealed))

      // Only what is still as it was read is replaced: it may have been corrected or erased meanwhile.
      const move = Effect.fnUntraced(
        function*({ club_id, document, id }: Sealed) {
          const binding = bindingOfDocument(id)
          const moved = yield* sealing.seal(yield* sealing.open(document, binding), binding)
          const rows = yield* sql`
            update students set document = ${moved}
            where club_id = ${club_id} and id = ${id} and document = ${document}
            returning 1`
          return rows.length
        },
        (effect, { id }) =>
          Effect.catchTag(
            effect,
            "SealBroken",
            () => Effect.as(Effect.logError("No key opens a student's document", { student_id: id }), 0)
          )
      )

      const renew = Effect.gen(function*() {
        let count = 0
        let last: Pick<Sealed, "club_id" | "id"> | undefined = lowest
        while (last !== undefined) {
          const found: ReadonlyArray<Sealed> = yield* other(last)
          for (const student of found) count += yield* move(student)
          last = found.at(-1)
        }
        return count
      }).pipe(Effect.orDie, Effect.withSpan("DocumentRenewal.renew"))

      return DocumentRenewal.of({ renew })
    })
  )
}

/** Renews once, as the process starts. */
export const documentRenewalLayer = Layer.effectDiscard(Effect.flatMap(DocumentRenewal, ({ renew }) =>
  renew.pipe(
    Effect.catchCause((cause) => Effect.logError("Documents of students were not moved to the current key", cause)),
    Effect.forkScoped
  ))).pipe(Layer.provide(DocumentRenewal.layer))

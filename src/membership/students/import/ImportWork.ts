import { Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Enrollments } from "../../access/Enrollments.ts"
import { Catalog, type Place, type Terms } from "../../catalog/Catalog.ts"
import { Admission } from "../Admission.ts"
import type { Chunk, Counts } from "./ImportsRepo.ts"
import type { ErrorCode, ErrorField, Problem } from "./Problem.ts"
import type { CheckedRow } from "./Row.ts"

/** What rows came to. */
export interface Done extends Counts {
  readonly problems: ReadonlyArray<Problem>
}

interface PlacedRow extends CheckedRow {
  readonly place: Place | null
}

const placeOf = ({ cohort_id, delivery_id }: CheckedRow): Place | null =>
  delivery_id === null ? null : { delivery_id, cohort_id }

const keyOf = ({ cohort_id, delivery_id }: Place) => `${delivery_id}/${cohort_id ?? ""}`

/** What is wrong with a row now that its turn has come. */
export const refusalOf = (
  row: Pick<CheckedRow, "delivery_id" | "expires_at">,
  terms: Terms | null,
  now: DateTime.Utc
): { readonly field: ErrorField; readonly code: ErrorCode } | undefined => {
  if (row.delivery_id === null) return undefined
  if (terms === null || terms.archived) return { field: "delivery", code: "unknown" }
  const starts = terms.cohort_starts_at === null ? now : DateTime.max(now, terms.cohort_starts_at)
  if (row.expires_at !== null) {
    return DateTime.isLessThanOrEqualTo(row.expires_at, starts) ? { field: "expires_at", code: "passed" } : undefined
  }
  const ends = terms.default_access_days === null ? terms.cohort_ends_at : null
  return ends !== null && DateTime.isLessThanOrEqualTo(ends, starts) ? { field: "cohort", code: "passed" } : undefined
}

/** Students and accesses out of rows, in the caller's transaction. */
export class ImportWork extends Context.Service<ImportWork, {
  /** All rows of one chunk. A place that changes at this very moment is a defect: the chunk is tried again. */
  apply(chunk: Pick<Chunk, "club_id" | "actor_user_id">, rows: ReadonlyArray<CheckedRow>): Effect.Effect<Done>
}>()("turma/students/ImportWork") {
  static readonly layer = Layer.effect(
    ImportWork,
    Effect.gen(function*() {
      const admission = yield* Admission
      const catalog = yield* Catalog
      const enrollments = yield* Enrollments

      /** The terms of each place that rows name, in one statement. */
      const termsOf = Effect.fnUntraced(function*(club_id: ClubId, rows: ReadonlyArray<PlacedRow>) {
        const places = new Map(rows.flatMap(({ place }) => place === null ? [] : [[keyOf(place), place]]))
        const terms = places.size === 0 ? [] : yield* catalog.terms(club_id, [...places.values()])
        return new Map([...places.keys()].map((key, index) => [key, terms[index] ?? null]))
      })

      const judge = Effect.fnUntraced(function*(club_id: ClubId, rows: ReadonlyArray<PlacedRow>) {
        const now = yield* DateTime.now
        const terms = yield* termsOf(club_id, rows)
        const good: Array<PlacedRow> = []
        const problems: Array<Problem> = []
        for (const row of rows) {
          const refusal = refusalOf(row, row.place === null ? null : terms.get(keyOf(row.place)) ?? null, now)
          if (refusal === undefined) good.push(row)
          else problems.push({ line: row.line, ...refusal })
        }
        return { good, problems }
      })

      const apply = Effect.fn("ImportWork.apply")(
        function*(
          { actor_user_id, club_id }: Pick<Chunk, "club_id" | "actor_user_id">,
          rows: ReadonlyArray<CheckedRow>
        ) {
          const { good, problems } = yield* judge(club_id, rows.map((row) => ({ ...row, place: placeOf(row) })))
          const arrivals = good.map(({ document, email, name }) => ({ name, email, document: document ?? undefined }))
          const admitted = yield* admission.admit(club_id, arrivals, "import")
          const grants = good.flatMap(({ expires_at, place }, index) => {
            const student_id = admitted[index]?.student_id
            if (place === null || student_id === undefined) return []
            return [{ ...place, student_id, source: "import" as const, expires_at: expires_at ?? undefined }]
          })
          const granted = yield* enrollments.grantAll(club_id, grants, { actor_user_id })
          if (granted.some(({ outcome }) => outcome !== "granted" && outcome !== "already_enrolled")) {
            return yield* Effect.die(new Error("A delivery changed while rows that name it were imported"))
          }
          yield* admission.giveFree(club_id, admitted)
          const created = new Set(admitted.filter(({ born }) => born).map(({ student_id }) => student_id)).size
          return {
            created,
            existing: good.length - created,
            granted: granted.filter(({ outcome }) => outcome === "granted").length,
            failed: problems.length,
            problems
          }
        }
      )

      return ImportWork.of({ apply })
    })
  )
}

import { Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { QueuedWork } from "../../../platform/jobs/QueuedWork.ts"
import { timeOf } from "../../../platform/sql/Uuid7.ts"
import { Enrollments } from "../../access/Enrollments.ts"
import { GrantableDeliveries, type GrantTarget, type GrantTerms } from "../../catalog/GrantableDeliveries.ts"
import { StudentAdmission } from "../StudentAdmission.ts"
import type { CheckedRow } from "./CheckedRow.ts"
import type { Chunk, Counts } from "./ImportsRepo.ts"
import type { ErrorCode, ErrorField, Problem } from "./Problem.ts"

/** The result of a chunk. */
export interface ChunkResult extends Counts {
  readonly problems: ReadonlyArray<Problem>
}

/** Names the club and the import of rows, and the member who sent it. */
type AppliedChunk = Pick<Chunk, "actor_user_id" | "club_id" | "import_id">

interface TargetedRow extends CheckedRow {
  readonly target: GrantTarget | null
  readonly work: QueuedWork
}

const targetOf = ({ cohort_id, delivery_id }: CheckedRow): GrantTarget | null =>
  delivery_id === null ? null : { delivery_id, cohort_id }

const keyOf = ({ cohort_id, delivery_id }: GrantTarget) => `${delivery_id}/${cohort_id ?? ""}`

/** The problem of a row when it is processed, such as an unknown delivery. */
const problemOf = (
  row: Pick<CheckedRow, "delivery_id" | "expires_at">,
  terms: GrantTerms | null,
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

/** Creates students and accesses from rows, in the caller's transaction. */
export class ImportWork extends Context.Service<ImportWork, {
  /** Processes all rows of one chunk. If a delivery changes during that, it is a defect: the chunk is tried again. */
  apply(chunk: AppliedChunk, rows: ReadonlyArray<CheckedRow>): Effect.Effect<ChunkResult>
}>()("turma/membership/students/import/ImportWork") {
  static readonly layer = Layer.effect(
    ImportWork,
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const catalog = yield* GrantableDeliveries
      const enrollments = yield* Enrollments

      /** The terms of each target that rows name, in one statement. */
      const termsOf = Effect.fnUntraced(function*(club_id: ClubId, rows: ReadonlyArray<TargetedRow>) {
        const targets = new Map(rows.flatMap(({ target }) => target === null ? [] : [[keyOf(target), target]]))
        const terms = targets.size === 0 ? [] : yield* catalog.terms(club_id, [...targets.values()])
        return new Map([...targets.keys()].map((key, index) => [key, terms[index] ?? null]))
      })

      const checkRows = Effect.fnUntraced(function*(club_id: ClubId, rows: ReadonlyArray<TargetedRow>) {
        const now = yield* DateTime.now
        const terms = yield* termsOf(club_id, rows)
        const valid: Array<TargetedRow> = []
        const problems: Array<Problem> = []
        for (const row of rows) {
          const problem = problemOf(row, row.target === null ? null : terms.get(keyOf(row.target)) ?? null, now)
          if (problem === undefined) valid.push(row)
          else problems.push({ line: row.line, ...problem })
        }
        return { valid, problems }
      })

      const apply = Effect.fn("ImportWork.apply")(function*(
        { actor_user_id, club_id, import_id }: AppliedChunk,
        rows: ReadonlyArray<CheckedRow>
      ) {
        const at = timeOf(import_id)
        const { valid, problems } = yield* checkRows(
          club_id,
          rows.map((row) => ({
            ...row,
            target: targetOf(row),
            work: new QueuedWork(`row ${import_id} ${row.line}`, at)
          }))
        )
        const people = valid.map(({ document, email, name, work }) => ({
          name,
          email,
          document: document ?? undefined,
          work
        }))
        const admitted = yield* admission.admit(club_id, people, "import")
        const grants = valid.flatMap(({ expires_at, target, work }, index) => {
          const student_id = admitted[index]?.student_id
          if (target === null || student_id === undefined) return []
          return [{ ...target, student_id, source: "import" as const, expires_at: expires_at ?? undefined, work }]
        })
        const granted = yield* enrollments.grantAll(club_id, grants, { actor_user_id })
        if (granted.some(({ outcome }) => outcome !== "granted" && outcome !== "already_enrolled")) {
          return yield* Effect.die(new Error("A delivery changed while rows that name it were imported"))
        }
        yield* admission.giveFree(club_id, admitted)
        const created = new Set(admitted.filter(({ created }) => created).map(({ student_id }) => student_id)).size
        return {
          created,
          existing: valid.length - created,
          granted: granted.filter(({ outcome }) => outcome === "granted").length,
          failed: problems.length,
          problems
        }
      })

      return ImportWork.of({ apply })
    })
  )
}

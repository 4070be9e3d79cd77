import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { AssistantBudget } from "../AssistantBudget.ts"
import type { Citation } from "../Citation.ts"
import { ConversationId, type MessageId } from "./Ask.ts"
import { type Ended, type Ending, mostFailuresGivenBack, refundOf } from "./MessageState.ts"

/** An answer of a student's. */
export interface AnswerKey {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly id: MessageId
}

/** What a worker that generated it says last. `tries` is its claim, which counts while no later one came. */
export interface LastWords {
  readonly tries: number
  readonly content: string
  readonly citations: ReadonlyArray<Citation>
}

const EndedRow = Schema.Struct({
  conversation_id: ConversationId,
  has_text: Schema.Boolean,
  tries: Schema.Int,
  day: Schema.String,
  month: Schema.String,
  plan_period: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
type EndedRow = typeof EndedRow.Type
const decodeEnded = Schema.decodeUnknownEffect(Schema.Array(EndedRow))

// A worker that finds an answer too old ends it without words, and its own claim is counted.
const endedOf = ({ status }: Ending, { has_text, tries }: EndedRow, said: LastWords | undefined): Ended => ({
  hasText: has_text,
  begun: tries > (status === "failed" && said === undefined ? 1 : 0)
})

/** How answers end: each once, whoever comes first, and with what it took given back where `refundOf` says so. */
export class Endings extends Context.Service<Endings, {
  /**
   * Ends an answer that is being generated, and says whether this did. A worker is heard while its claim holds; without
   * last words, what was written stays as it is.
   */
  end(answer: AnswerKey, ending: Ending, said?: LastWords): Effect.Effect<boolean>
}>()("turma/assistant/Endings") {
  static readonly layerNoDeps = Layer.effect(
    Endings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentRows
      const budget = yield* AssistantBudget

      // The condition on the status is what makes it happen once.
      const close = Effect.fnUntraced(
        function*({ club_id, id, student_id }: AnswerKey, { error_code, status }: Ending, said: LastWords | undefined) {
          const rows = yield* sql`
            update messages set
              status = ${status}, error_code = ${error_code}, leased_until = null,
              completed_at = ${DateTime.toDateUtc(yield* DateTime.now)},
              content = coalesce(${said?.content ?? null}, content),
              citations = coalesce(${said === undefined ? null : JSON.stringify(said.citations)}::jsonb, citations)
            where club_id = ${club_id} and id = ${id} and student_id = ${student_id} and status = 'generating'
              and tries = coalesce(${said?.tries ?? null}::int, tries)
            returning conversation_id, content <> '' as has_text, tries, day::text, month::text, plan_period`
          return (yield* decodeEnded(rows))[0]
        }
      )

      // The row of the day decides how many failures are given back, and with it the budget.
      const giveBack = Effect.fnUntraced(
        function*({ club_id, student_id }: AnswerKey, row: EndedRow, which: "all" | "few") {
          const failures = which === "few" ? 1 : 0
          const days = yield* sql`
            update assistant_days set used = used - 1, failures_given_back = failures_given_back + ${failures}::int
            where club_id = ${club_id} and student_id = ${student_id} and day = ${row.day}::date and used > 0
              and failures_given_back + ${failures}::int <= ${mostFailuresGivenBack}::int
            returning 1`
          if (days.length > 0) yield* budget.giveBack(club_id, row)
        }
      )

      const end = Effect.fn("Endings.end")(
        function*(answer: AnswerKey, ending: Ending, said?: LastWords) {
          yield* students.hold(answer.club_id, answer.student_id)
          const ended = yield* close(answer, ending, said)
          if (ended === undefined) return false
          yield* sql`
            update conversations set last_message_at = ${DateTime.toDateUtc(yield* DateTime.now)}
            where club_id = ${answer.club_id} and id = ${ended.conversation_id}`
          const refund = refundOf(ending, endedOf(ending, ended, said))
          if (refund !== "none") yield* giveBack(answer, ended, refund)
          return true
        },
        sql.withTransaction,
        // Whoever was removed has no messages any more.
        Effect.catchTag(["NotFound", "StudentRemoved"], () => Effect.succeed(false)),
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      return Endings.of({ end })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([StudentRows.layer, AssistantBudget.layer]))
}

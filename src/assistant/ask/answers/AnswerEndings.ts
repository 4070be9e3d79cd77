import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../../identity/students/StudentLocks.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { faultsDie, first } from "../../../platform/sql/Rows.ts"
import { AssistantBudget, mostFailuresGivenBack } from "../../budget/AssistantBudget.ts"
import { ConversationId } from "../messages/Conversation.ts"
import type { MessageId } from "../messages/Message.ts"
import type { AnswerContent } from "./AnswerDraft.ts"
import { type EndedAnswer, type Ending, giveBackRule } from "./AnswerEnding.ts"

/** An answer of a student's. */
export interface AnswerKey {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly id: MessageId
}

/**
 * The final text from a worker, with citations as `citingLesson` makes them. `tries` names the worker's claim, which holds
 * until the next claim.
 */
export interface FinalContent extends AnswerContent {
  readonly tries: number
  readonly cited_public_id: string | null
}

const EndedRow = Schema.Struct({
  conversation_id: ConversationId,
  has_text: Schema.Boolean,
  tries: Schema.Int,
  day: Schema.String,
  month: Schema.String,
  plan_period: InstantOrNull
})
type EndedRow = typeof EndedRow.Type
const decodeEnded = first(EndedRow)

// A worker that finds an answer too old ends it without generating it, but its claim was counted.
const endedOf = ({ status }: Ending, { has_text, tries }: EndedRow, final: FinalContent | undefined): EndedAnswer => ({
  hasText: has_text,
  begun: tries > (status === "failed" && final === undefined ? 1 : 0)
})

/** Ends answers, each once, and gives back their units as `giveBackRule` says. */
export class AnswerEndings extends Context.Service<AnswerEndings, {
  /**
   * Ends an answer that is being generated, and returns whether this call did. With `final`, stores that content, if
   * the claim it names still holds; without it, the stored content stays.
   */
  end(answer: AnswerKey, ending: Ending, final?: FinalContent): Effect.Effect<boolean>
}>()("turma/assistant/ask/answers/AnswerEndings") {
  static readonly layer = Layer.effect(
    AnswerEndings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const students = yield* StudentLocks
      const budget = yield* AssistantBudget

      // The condition on the status makes each answer end once.
      const close = Effect.fnUntraced(function*(
        { club_id, id, student_id }: AnswerKey,
        { error_code, status }: Ending,
        final: FinalContent | undefined
      ) {
        return yield* sql`
            update messages set
              status = ${status}, error_code = ${error_code}, leased_until = null,
              completed_at = ${DateTime.toDateUtc(yield* DateTime.now)},
              content = coalesce(${final?.content ?? null}, content),
              citations = coalesce(${final === undefined ? null : JSON.stringify(final.citations)}::jsonb, citations),
              cited_public_id = ${final?.cited_public_id ?? null}
            where club_id = ${club_id} and id = ${id} and student_id = ${student_id} and status = 'generating'
              and tries = coalesce(${final?.tries ?? null}::int, tries)
            returning conversation_id, content <> '' as has_text, tries, day::text, month::text, plan_period
          `.pipe(decodeEnded)
      })

      // The budget's unit comes back only together with the day's, whose row limits the failures. The answer loses its
      // `month`, because the cost of questions is the number of answers with one.
      const giveBack = Effect.fnUntraced(function*(
        { club_id, id, student_id }: AnswerKey,
        row: EndedRow,
        rule: "always" | "limited"
      ) {
        const failures = rule === "limited" ? 1 : 0
        const days = yield* sql`
            update assistant_days set used = used - 1, failures_given_back = failures_given_back + ${failures}::int
            where club_id = ${club_id} and student_id = ${student_id} and day = ${row.day}::date and used > 0
              and failures_given_back + ${failures}::int <= ${mostFailuresGivenBack}::int
            returning 1`
        if (days.length === 0) return
        yield* budget.giveBack(club_id, row)
        yield* sql`
            update messages set month = null where club_id = ${club_id} and id = ${id} and student_id = ${student_id}`
      })

      const end = Effect.fn("AnswerEndings.end")(
        function*(answer: AnswerKey, ending: Ending, final?: FinalContent) {
          yield* students.lock(answer.club_id, answer.student_id)
          const closed = yield* close(answer, ending, final)
          if (Option.isNone(closed)) return false
          const ended = closed.value
          yield* sql`
            update conversations set last_message_at = ${DateTime.toDateUtc(yield* DateTime.now)}
            where club_id = ${answer.club_id} and id = ${ended.conversation_id}`
          const rule = giveBackRule(ending, endedOf(ending, ended, final))
          if (rule !== "never") yield* giveBack(answer, ended, rule)
          return true
        },
        sql.withTransaction,
        // The messages of a removed student are deleted.
        Effect.catchTag(["NotFound", "StudentRemoved"], () => Effect.succeed(false)),
        faultsDie
      )

      return AnswerEndings.of({ end })
    })
  ).pipe(Layer.provide([StudentLocks.layer, AssistantBudget.layer]))
}

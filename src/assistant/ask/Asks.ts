import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { LessonPlaces } from "../../learning/content/LessonPlaces.ts"
import { Attachments, type MediaUnknown } from "../../learning/media/Attachments.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { AssistantDisabled } from "../Agent.ts"
import { Agents } from "../Agents.ts"
import { AssistantBudget, type BudgetOwner, type BudgetUsedUp } from "../AssistantBudget.ts"
import { dayOf, monthOf } from "../Day.ts"
import { AnswerSignal } from "./AnswerSignal.ts"
import {
  type AnswerInProgress,
  type Asked,
  type AskQuestion,
  type AskState,
  ConversationId,
  type Limits,
  type Message,
  MessageId,
  titleOf
} from "./Ask.ts"
import { type Asker, AskRepo } from "./AskRepo.ts"
import { Endings } from "./Endings.ts"
import { MessageImages } from "./MessageImages.ts"
import { canceled } from "./MessageState.ts"

/** The student has asked as often as they may until then. */
export class DayUsedUp extends Schema.TaggedError<DayUsedUp>()("DayUsedUp", { until: Schema.DateTimeUtc }) {}

/** What is left of the day. A limit that was lowered may be below what is used. */
const limitsOf = (known: Omit<Limits, "remaining">): Limits => ({
  ...known,
  remaining: Math.max(0, known.daily_limit - known.used)
})

/** An answer as it is at first, whatever a worker has made of it since. */
const awaited = (
  { created_at, ids: [reply_to, id] }: {
    readonly created_at: DateTime.Utc
    readonly ids: readonly [MessageId, MessageId]
  }
): Message => ({
  id,
  role: "assistant",
  content: "",
  status: "generating",
  images: [],
  citations: [],
  created_at,
  error_code: null,
  reply_to,
  completed_at: null
})

/** Whatever keeps a question from being asked. */
export type AskRefused =
  | AnswerInProgress
  | AssistantDisabled
  | BudgetUsedUp
  | DayUsedUp
  | MediaUnknown
  | NotFound
  | StudentRemoved

/** What students ask the assistant about a lesson (contract, Ask state). `NotFound`: they have no such lesson or message. */
export class Asks extends Context.Service<Asks, {
  /** Two statements, one more where clubs can have plans, and two more where there are images. */
  state(club: BudgetOwner, student_id: StudentId, public_id: string): Effect.Effect<AskState, NotFound>
  /**
   * Takes one of the student's day and one of the club's budget, and leaves the answer to a worker: all or nothing. Each
   * answer has its unit, however many ask at once.
   */
  ask(
    club: BudgetOwner,
    student_id: StudentId,
    public_id: string,
    question: AskQuestion
  ): Effect.Effect<Asked, AskRefused>
  message(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
  /** Ends an answer that is being generated; what has ended stays as it is. Answers the message. */
  cancel(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
}>()("turma/assistant/Asks") {
  static readonly layerNoDeps = Layer.effect(
    Asks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AskRepo
      const agents = yield* Agents
      const attachments = yield* Attachments
      const budget = yield* AssistantBudget
      const endings = yield* Endings
      const images = yield* MessageImages
      const places = yield* LessonPlaces
      const random = yield* SecureRandom.SecureRandom
      const signal = yield* AnswerSignal
      const students = yield* StudentRows

      const state = Effect.fn("Asks.state")(function*(club: BudgetOwner, student_id: StudentId, public_id: string) {
        const { lesson_id } = yield* places.find(club.id, student_id, public_id)
        const now = yield* DateTime.now
        const [day, month] = [dayOf(club.time_zone, now), monthOf(club.time_zone, now)]
        const found = yield* repo.state({ club_id: club.id, student_id, lesson_id }, day.begins, month.begins)
        const { agent_name, conversation, daily_limit, used } = found
        const club_budget_exhausted = found.club_budget_exhausted || (yield* budget.planUsedUp(club.id))
        return {
          agent_name,
          limits: limitsOf({ daily_limit, used, club_budget_exhausted, resets_at: day.ends }),
          messages: yield* images.shown(club.id, found.messages),
          conversation
        }
      })

      const begin = Effect.fnUntraced(function*(asker: Asker, content: string) {
        const now = yield* DateTime.now
        const id = ConversationId.make(yield* random.uuidV7())
        const conversation = { id, title: titleOf(content), created_at: now, last_message_at: now }
        yield* repo.insertConversation(asker, conversation)
        return conversation
      })

      const conversationFor = (asker: Asker, { content, conversation_id }: AskQuestion) =>
        conversation_id === undefined
          ? begin(asker, content)
          : repo.renewConversation(asker, conversation_id).pipe(
            Effect.flatMap(Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed }))
          )

      // The club's budget is taken as late as can be: there all of its students meet, until the transaction ends.
      const inTransaction = Effect.fnUntraced(function*(
        club: BudgetOwner,
        asker: Asker,
        question: AskQuestion
      ) {
        const { student_id } = asker
        const created_at = yield* DateTime.now
        const day = dayOf(club.time_zone, created_at)
        yield* students.hold(club.id, student_id)
        const { media_ids = [] } = question
        yield* attachments.check(club.id, { student_id, purpose: "ask", ids: media_ids, images: true })
        const conversation = yield* conversationFor(asker, question)
        const { daily_limit, enabled } = yield* agents.read(club.id)
        if (!enabled) return yield* new AssistantDisabled()
        const used = yield* repo.takeOfDay(club.id, student_id, day.begins, daily_limit)
        if (Option.isNone(used)) return yield* new DayUsedUp({ until: day.ends })
        const { exhausted, unit } = yield* budget.take(club)
        const ids = [MessageId.make(yield* random.uuidV7()), MessageId.make(yield* random.uuidV7())] as const
        yield* repo.insertMessages({
          club_id: club.id,
          student_id,
          conversation_id: conversation.id,
          question: { id: ids[0], content: question.content, media_ids },
          reply: { id: ids[1], day: day.begins, unit },
          created_at
        })
        yield* sql.afterCommit(signal.notify)
        const limits = limitsOf({
          daily_limit,
          used: used.value,
          club_budget_exhausted: exhausted,
          resets_at: day.ends
        })
        return { conversation, ids, created_at, limits }
      }, sql.withTransaction)

      const message = Effect.fn("Asks.message")(function*(club_id: ClubId, student_id: StudentId, id: MessageId) {
        const found = yield* repo.message(club_id, student_id, id)
        if (Option.isNone(found)) return yield* new NotFound()
        const [shown] = yield* images.shown(club_id, [found.value])
        return shown ?? (yield* new NotFound())
      })

      const ask = Effect.fn("Asks.ask")(
        function*(club: BudgetOwner, student_id: StudentId, public_id: string, question: AskQuestion) {
          const { lesson_id } = yield* places.find(club.id, student_id, public_id)
          const made = yield* inTransaction(club, { club_id: club.id, student_id, lesson_id }, question)
          yield* answersAbout(student_id)
          const asked = yield* message(club.id, student_id, made.ids[0])
          return { conversation: made.conversation, message: asked, reply: awaited(made), limits: made.limits }
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const cancel = Effect.fn("Asks.cancel")(function*(club_id: ClubId, student_id: StudentId, id: MessageId) {
        yield* endings.end({ club_id, student_id, id }, canceled)
        return yield* message(club_id, student_id, id)
      })

      return Asks.of({ state, ask, message, cancel })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      Agents.layer,
      AnswerSignal.layer,
      AskRepo.layer,
      AssistantBudget.layer,
      Endings.layer,
      LessonPlaces.layer,
      MessageImages.layer,
      NodeCrypto.layerSecureRandom,
      StudentRows.layer
    ])
  )
}

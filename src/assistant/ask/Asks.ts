import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AccessibleLessons, mayBeLesson } from "../../learning/content/AccessibleLessons.ts"
import { Attachments, type MediaUnknown } from "../../learning/media/Attachments.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { jsonOf, type MadeJson, objectOf } from "../../platform/http/json/MadeJson.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { AssistantDisabled } from "../agents/Agent.ts"
import { Agents } from "../agents/Agents.ts"
import { AssistantBudget, type BudgetOwner, type BudgetUsedUp } from "../budget/AssistantBudget.ts"
import { dayOf, monthOf } from "../budget/ClubPeriod.ts"
import { canceled } from "./answers/AnswerEnding.ts"
import { AnswerEndings } from "./answers/AnswerEndings.ts"
import { AnswerSignal } from "./answers/AnswerSignal.ts"
import type { AcceptedQuestion, AnswerInProgress, AskQuestion, Limits } from "./Ask.ts"
import { type Asker, AskRepo } from "./AskRepo.ts"
import { AskMessages } from "./messages/AskMessages.ts"
import { ConversationId, titleOf } from "./messages/Conversation.ts"
import { Message, MessageId } from "./messages/Message.ts"
import { MessageImages } from "./messages/MessageImages.ts"
import { MessageRow } from "./messages/MessageRow.ts"

const decodeMessages = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(MessageRow)))
const encodeMessages = Schema.encodeEffect(Schema.toCodecJson(Schema.Array(Message)))

/** The student's questions of the day are used up until `until`. */
class DayUsedUp extends Schema.TaggedError<DayUsedUp>()("DayUsedUp", { until: Schema.DateTimeUtc }) {}

/** Adds the rest of the day, at least 0: a lowered limit may be below the used questions. */
const limitsOf = (limits: Omit<Limits, "remaining">): Limits => ({
  ...limits,
  remaining: Math.max(0, limits.daily_limit - limits.used)
})

/** A new answer, before a worker claims it. */
const newReply = (
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

/** Every reason why a question is refused. */
export type AskRefused =
  | AnswerInProgress
  | AssistantDisabled
  | BudgetUsedUp
  | DayUsedUp
  | MediaUnknown
  | NotFound
  | StudentRemoved

/** Students' questions to the assistant (contract, Ask state). `NotFound`: the student has no such lesson or message. */
export class Asks extends Context.Service<Asks, {
  /**
   * The JSON of an `AskState`. Takes one statement, one more if clubs can have plans, and two more if messages have
   * images.
   */
  state(club: BudgetOwner, student_id: StudentId, public_id: string): Effect.Effect<MadeJson, NotFound>
  /**
   * Takes one question of the student's day and one unit of the club's budget and leaves the answer to a worker, all in one
   * transaction. Concurrent questions take one unit each.
   */
  ask(
    club: BudgetOwner,
    student_id: StudentId,
    public_id: string,
    question: AskQuestion
  ): Effect.Effect<AcceptedQuestion, AskRefused>
  message(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
  /** Cancels a running answer. An ended one stays as it is. Returns the message. */
  cancel(club_id: ClubId, student_id: StudentId, id: MessageId): Effect.Effect<Message, NotFound>
}>()("turma/assistant/ask/Asks") {
  static readonly layer = Layer.effect(
    Asks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* AskRepo
      const agents = yield* Agents
      const attachments = yield* Attachments
      const budget = yield* AssistantBudget
      const endings = yield* AnswerEndings
      const images = yield* MessageImages
      const messages = yield* AskMessages
      const lessons = yield* AccessibleLessons
      const random = yield* SecureRandom.SecureRandom
      const signal = yield* AnswerSignal
      const students = yield* StudentLocks

      const withImages = Effect.fnUntraced(
        function*(club_id: ClubId, messages: MadeJson) {
          const stored = yield* decodeMessages(messages)
          return jsonOf(yield* encodeMessages(yield* images.shown(club_id, stored, true)))
        },
        Effect.orDie
      )

      const state = Effect.fnUntraced(function*(club: BudgetOwner, student_id: StudentId, public_id: string) {
        if (!mayBeLesson(public_id)) return yield* new NotFound()
        const now = yield* DateTime.now
        const [day, month] = [dayOf(club.day_zone, now), monthOf(club.day_zone, now)]
        const holder = { club_id: club.id, student_id, now: DateTime.toDateUtc(now) }
        const stored = yield* repo.state(holder, public_id, { day: day.begins, month: month.begins })
        const { agent_name, conversation, daily_limit, has_images, messages, used } = stored
        const club_budget_exhausted = stored.club_budget_exhausted || (yield* budget.planUsedUp(club.id))
        const limits = limitsOf({ daily_limit, used, club_budget_exhausted, resets_at: day.ends })
        return objectOf({
          agent_name: jsonOf(agent_name),
          limits: jsonOf({ ...limits, resets_at: DateTime.formatIso(day.ends) }),
          messages: has_images ? yield* withImages(club.id, messages) : messages,
          conversation
        })
      })

      const startConversation = Effect.fnUntraced(function*(asker: Asker, content: string) {
        const now = yield* DateTime.now
        const id = ConversationId.make(yield* random.uuidV7())
        const conversation = { id, title: titleOf(content), created_at: now, last_message_at: now }
        yield* repo.insertConversation(asker, conversation)
        return conversation
      })

      const conversationFor = (asker: Asker, { content, conversation_id }: AskQuestion) =>
        conversation_id === undefined
          ? startConversation(asker, content)
          : repo.renewConversation(asker, conversation_id)
            .pipe(Effect.flatMap(Option.match({ onNone: () => Effect.fail(new NotFound()), onSome: Effect.succeed })))

      // Takes the club's budget as late as possible, because all of the club's students wait for its row until the
      // transaction ends.
      const insertQuestion = Effect.fnUntraced(function*(
        club: BudgetOwner,
        asker: Asker,
        question: AskQuestion
      ) {
        const { student_id } = asker
        const created_at = yield* DateTime.now
        const day = dayOf(club.day_zone, created_at)
        yield* students.lock(club.id, student_id)
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

      const ask = Effect.fn("Asks.ask")(
        function*(club: BudgetOwner, student_id: StudentId, public_id: string, question: AskQuestion) {
          const { lesson_id } = yield* lessons.find(club.id, student_id, public_id)
          const inserted = yield* insertQuestion(club, { club_id: club.id, student_id, lesson_id }, question)
          yield* answersAbout(student_id)
          const asked = yield* messages.get(club.id, student_id, inserted.ids[0])
          return {
            conversation: inserted.conversation,
            message: asked,
            reply: newReply(inserted),
            limits: inserted.limits
          }
        },
        faultsDie
      )

      const cancel = Effect.fn("Asks.cancel")(function*(club_id: ClubId, student_id: StudentId, id: MessageId) {
        yield* endings.end({ club_id, student_id, id }, canceled)
        return yield* messages.get(club_id, student_id, id)
      })

      return Asks.of({ state, ask, message: messages.get, cancel })
    })
  ).pipe(Layer.provide([
    Agents.layer,
    AskMessages.layer,
    AnswerSignal.layer,
    AskRepo.layer,
    AssistantBudget.layer,
    AnswerEndings.layer,
    AccessibleLessons.layer,
    MessageImages.layer,
    NodeCrypto.layerSecureRandom,
    StudentLocks.layer
  ]))
}

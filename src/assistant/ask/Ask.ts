import { Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { Conversation, ConversationId } from "./messages/Conversation.ts"
import { Message } from "./messages/Message.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The questions that a student may still ask (contract, Ask state). */
export const Limits = Schema.Struct({
  daily_limit: Count.pipe(field("How many questions each student of the club may ask a day", 10)),
  used: Count.pipe(field("How many questions the student has asked today; refunded ones do not count", 1)),
  remaining: Count.pipe(field("How many the student may still ask today; 0 also where the limit was lowered", 9)),
  club_budget_exhausted: Schema.Boolean.pipe(field(
    "True if the club's answers of its month, or of its plan's period, are used up, so nobody may ask",
    false
  )),
  resets_at: Instant.pipe(field("When the student's day ends, in the club's time zone"))
}).annotate({ identifier: "AskLimits", description: "How much a student may still ask the assistant" })
export type Limits = typeof Limits.Type

/** Number of messages in the ask state. */
export const stateMessages = 50

/** Contract, Ask state. */
export const AskState = Schema.Struct({
  agent_name: Schema.String.pipe(field("The name of the club's assistant", "Assistente")),
  limits: Limits.pipe(field("How much the student may still ask")),
  messages: Schema.Array(Message)
    .pipe(field(`The latest ${stateMessages} messages of the conversation, the oldest first; empty without a conversation`)),
  conversation: Schema.NullOr(Conversation)
    .pipe(field("The student's conversation about this lesson that was the last to go on; null if they asked nothing yet"))
}).annotate({
  identifier: "AskState",
  description: "A student's conversation about a lesson, and how many more questions they may ask"
})
export type AskState = typeof AskState.Type

/** A question. */
export const AskQuestion = Schema.Struct({
  content: text(1, 4000)
    .pipe(field("The question; white space alone is refused", "Como respiro sem levantar os ombros?")),
  conversation_id: Schema.optionalKey(sentId(ConversationId))
    .pipe(field("The student's conversation about this lesson that it continues; unless it is sent, it begins one")),
  media_ids: Schema.optionalKey(Schema.UniqueArray(sentId(MediaId)).check(Schema.isMaxLength(4)))
    .pipe(field("Images that the student uploaded for questions and confirmed, each at most once; no images if absent"))
})
export type AskQuestion = typeof AskQuestion.Type

/** The answer to a question that was accepted. */
export const AcceptedQuestion = Schema.Struct({
  conversation: Conversation
    .pipe(field("The conversation of the question; a new one if the request named no conversation")),
  message: Message.pipe(field("The question")),
  reply: Message
    .pipe(field("The answer to it, `generating` and still empty: read it, or follow its stream, by its `id`")),
  limits: Limits.pipe(field("How much the student may ask after this one"))
}).annotate({
  identifier: "Asked",
  description: "A question that was accepted, and the answer that is being generated"
})
export type AcceptedQuestion = typeof AcceptedQuestion.Type

/** The answer carries `Retry-After` until the day ends. */
export class AskDailyLimitReached extends ApiError<AskDailyLimitReached>()("AskDailyLimitReached", {
  status: 429,
  code: "ask_daily_limit_reached",
  message: {
    en: "Today's questions are used up: ask again after as many seconds as Retry-After says",
    "pt-BR": "As perguntas de hoje acabaram: pergunte de novo amanhã."
  }
}) {}

/** The answer carries `Retry-After` until the club's month ends. */
export class ClubBudgetExhausted extends ApiError<ClubBudgetExhausted>()("ClubBudgetExhausted", {
  status: 429,
  code: "club_budget_exhausted",
  message: {
    en: "The club's answers of this month are used up: ask again after as many seconds as Retry-After says",
    "pt-BR": "As respostas do clube neste mês acabaram: pergunte de novo no mês que vem."
  }
}) {}

/** The answer carries `Retry-After` until a slot is free at the latest. */
export class StreamLimitReached extends ApiError<StreamLimitReached>()("StreamLimitReached", {
  status: 429,
  code: "stream_limit_reached",
  message: {
    en:
      "This session follows as many answers as it may: end one, or try again after as many seconds as Retry-After says",
    "pt-BR": "Esta sessão já acompanha o máximo de respostas: feche uma."
  }
}) {}

/** One answer at a time in a conversation. */
export class AnswerInProgress extends ApiError<AnswerInProgress>()("AnswerInProgress", {
  status: 409,
  code: "answer_in_progress",
  message: {
    en: "The assistant is still answering the last question of this conversation: wait for it, or cancel it",
    "pt-BR": "O assistente ainda está respondendo à última pergunta desta conversa: espere ou cancele."
  }
}) {}

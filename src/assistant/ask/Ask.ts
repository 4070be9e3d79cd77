import { Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Conversation, ConversationId } from "./messages/Conversation.ts"
import { Message } from "./messages/Message.ts"

/** How much a student may still ask (contract, Ask state). The day is the club's and ends at `resets_at`. */
export const Limits = Schema.Struct({
  daily_limit: Schema.Int,
  used: Schema.Int,
  remaining: Schema.Int,
  club_budget_exhausted: Schema.Boolean,
  resets_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "AskLimits" })
export type Limits = typeof Limits.Type

/** Contract, Ask state. `messages`: the latest 50 of the conversation, oldest first. */
export const AskState = Schema.Struct({
  agent_name: Schema.String,
  limits: Limits,
  messages: Schema.Array(Message),
  conversation: Schema.NullOr(Conversation)
}).annotate({ identifier: "AskState" })
export type AskState = typeof AskState.Type

/** How many messages the ask state has. */
export const stateMessages = 50

/** A question. Without a `conversation_id` it begins a conversation. */
export const AskQuestion = Schema.Struct({
  content: text(1, 4000).check(Schema.isPattern(/\S/, { expected: "must be more than white space" })),
  conversation_id: Schema.optionalKey(sentId(ConversationId)),
  media_ids: Schema.optionalKey(Schema.UniqueArray(sentId(MediaId)).check(Schema.isMaxLength(4)))
})
export type AskQuestion = typeof AskQuestion.Type

/** The answer to a question that was accepted: its message, and the reply that is being generated. */
export const AcceptedQuestion = Schema.Struct({
  conversation: Conversation,
  message: Message,
  reply: Message,
  limits: Limits
}).annotate({ identifier: "Asked" })
export type AcceptedQuestion = typeof AcceptedQuestion.Type

/** The answer carries `Retry-After` until the day ends. */
export class AskDailyLimitReached extends ApiError<AskDailyLimitReached>()("AskDailyLimitReached", {
  status: 429,
  code: "ask_daily_limit_reached",
  message: "No more questions today: ask again after as many seconds as Retry-After says"
}) {}

/** The answer carries `Retry-After` until the club's month ends. */
export class ClubBudgetExhausted extends ApiError<ClubBudgetExhausted>()("ClubBudgetExhausted", {
  status: 429,
  code: "club_budget_exhausted",
  message: "The club's answers of this month are used up: ask again after as many seconds as Retry-After says"
}) {}

/** The answer carries `Retry-After` until a slot is free at the latest. */
export class StreamLimitReached extends ApiError<StreamLimitReached>()("StreamLimitReached", {
  status: 429,
  code: "stream_limit_reached",
  message:
    "This session follows as many answers as it may: end one, or try again after as many seconds as Retry-After says"
}) {}

/** One answer at a time in a conversation. */
export class AnswerInProgress extends ApiError<AnswerInProgress>()("AnswerInProgress", {
  status: 409,
  code: "answer_in_progress",
  message: "The assistant is still answering the last question of this conversation: wait for it, or cancel it"
}) {}

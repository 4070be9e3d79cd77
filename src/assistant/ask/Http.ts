import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { asStudent } from "../../identity/people/asMember.ts"
import { CurrentStudent } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { dataAnswer } from "../../platform/http/json/MadeJson.ts"
import { data } from "../../platform/http/Page.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import { group } from "../../platform/http/server/group.ts"
import { eventStream } from "../../platform/http/ServerSentEvents.ts"
import { secondsUntil } from "../budget/ClubPeriod.ts"
import { AskApi } from "./Api.ts"
import { AskDailyLimitReached, ClubBudgetExhausted, StreamLimitReached } from "./Ask.ts"
import { Asks } from "./Asks.ts"
import { Conversations } from "./Conversations.ts"
import { AnswerStreams } from "./streams/AnswerStreams.ts"

const retryAt = Effect.fnUntraced(function*(until: DateTime.Utc) {
  yield* retryAfter(secondsUntil(yield* DateTime.now, until))
})

/** Answers the routes of `AskApi`. */
export const AskHttp = group(
  versioned(AskApi),
  "ask",
  Effect.fn(function*(handlers) {
    const asks = yield* Asks
    const conversations = yield* Conversations
    const streams = yield* AnswerStreams
    return handlers.handleAll({
      state: asStudent(({ params }, { club, student }) =>
        Effect.map(asks.state(club, student.id, params.publicId), dataAnswer)
      ),
      ask: ({ params, payload }) =>
        CurrentStudent.use(({ club, student }) => asks.ask(club, student.id, params.publicId, payload)).pipe(
          Effect.catchTags({
            BudgetUsedUp: ({ until }) => Effect.andThen(retryAt(until), Effect.fail(new ClubBudgetExhausted())),
            DayUsedUp: ({ until }) => Effect.andThen(retryAt(until), Effect.fail(new AskDailyLimitReached()))
          }),
          Effect.map(data)
        ),
      conversations: asStudent(({ params, query }, { club, student }) =>
        conversations.list(club.id, student.id, params.publicId, query)
      ),
      conversation: asStudent(({ params }, { club, student }) =>
        Effect.map(conversations.get(club.id, student.id, params.conversationId), data)
      ),
      messages: asStudent(({ params, query }, { club, student }) =>
        conversations.messages(club.id, student.id, params.conversationId, query)
      ),
      message: asStudent(({ params }, { club, student }) =>
        Effect.map(asks.message(club.id, student.id, params.messageId), data)
      ),
      stream: ({ headers, params }) =>
        CurrentStudent.use(({ club, session, student }) =>
          streams.follow(
            { club_id: club.id, student_id: student.id, session_id: session.id, id: params.messageId },
            headers["last-event-id"]
          )
        ).pipe(
          Effect.catchTag("NoFreeSlot", ({ until }) =>
            Effect.andThen(retryAt(until), Effect.fail(new StreamLimitReached()))),
          Effect.map((events) =>
            HttpServerResponse.stream(events, eventStream)
          )
        ),
      cancel: asStudent(({ params }, { club, student }) =>
        Effect.map(asks.cancel(club.id, student.id, params.messageId), data)
      )
    })
  })
)

import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentMember, CurrentStudent } from "../identity/people/Identity.ts"
import { versioned } from "../platform/http/Contract.ts"
import { data } from "../platform/http/Page.ts"
import { retryAfter } from "../platform/http/RetryAfter.ts"
import { Agents } from "./Agents.ts"
import { AgentsApi, AskApi, AssistantRepliesApi } from "./Api.ts"
import { AnswerStreams } from "./ask/AnswerStreams.ts"
import { AskDailyLimitReached, ClubBudgetExhausted, StreamLimitReached } from "./ask/Ask.ts"
import { Asks } from "./ask/Asks.ts"
import { Conversations } from "./ask/Conversations.ts"
import { secondsUntil } from "./Day.ts"
import { Replies } from "./replies/Replies.ts"

/** Answers the routes of `AgentsApi`. */
export const AgentsHttp = HttpApiBuilder.group(
  versioned(AgentsApi),
  "agents",
  Effect.fn(function*(handlers) {
    const agents = yield* Agents
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => agents.list(club.id, query)),
      update: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(agents.patch(club.id, params.agentId, payload), data))
    })
  })
)

const wait = Effect.fnUntraced(function*(until: DateTime.Utc) {
  yield* retryAfter(secondsUntil(yield* DateTime.now, until))
})

// Proxies that would collect an answer before they pass it on are asked not to.
const eventStream = { contentType: "text/event-stream", headers: { "x-accel-buffering": "no" } }

/** Answers the routes of `AskApi`. */
export const AskHttp = HttpApiBuilder.group(
  versioned(AskApi),
  "ask",
  Effect.fn(function*(handlers) {
    const asks = yield* Asks
    const conversations = yield* Conversations
    const streams = yield* AnswerStreams
    return handlers.handleAll({
      state: ({ params }) =>
        CurrentStudent.use(({ club, student }) => Effect.map(asks.state(club, student.id, params.publicId), data)),
      ask: ({ params, payload }) =>
        CurrentStudent.use(({ club, student }) => asks.ask(club, student.id, params.publicId, payload)).pipe(
          Effect.catchTags({
            BudgetUsedUp: ({ until }) => Effect.andThen(wait(until), Effect.fail(new ClubBudgetExhausted())),
            DayUsedUp: ({ until }) => Effect.andThen(wait(until), Effect.fail(new AskDailyLimitReached()))
          }),
          Effect.map(data)
        ),
      conversations: ({ params, query }) =>
        CurrentStudent.use(({ club, student }) => conversations.list(club.id, student.id, params.publicId, query)),
      conversation: ({ params }) =>
        CurrentStudent.use(({ club, student }) =>
          Effect.map(conversations.get(club.id, student.id, params.conversationId), data)
        ),
      messages: ({ params, query }) =>
        CurrentStudent.use(({ club, student }) =>
          conversations.messages(club.id, student.id, params.conversationId, query)
        ),
      message: ({ params }) =>
        CurrentStudent.use(({ club, student }) =>
          Effect.map(asks.message(club.id, student.id, params.messageId), data)
        ),
      stream: ({ headers, params }) =>
        CurrentStudent.use(({ club, session, student }) =>
          streams.follow(
            { club_id: club.id, student_id: student.id, session_id: session.id, id: params.messageId },
            headers["last-event-id"]
          )
        ).pipe(
          Effect.catchTag("StreamsTaken", ({ until }) =>
            Effect.andThen(wait(until), Effect.fail(new StreamLimitReached()))),
          Effect.map((events) =>
            HttpServerResponse.stream(events, eventStream)
          )
        ),
      cancel: ({ params }) =>
        CurrentStudent.use(({ club, student }) => Effect.map(asks.cancel(club.id, student.id, params.messageId), data))
    })
  })
)

/** Answers the route of `AssistantRepliesApi`. */
export const AssistantRepliesHttp = HttpApiBuilder.group(
  versioned(AssistantRepliesApi),
  "assistantReplies",
  Effect.fn(function*(handlers) {
    const replies = yield* Replies
    return handlers.handleAll({
      reply: ({ params }) =>
        CurrentMember.use(({ club }) =>
          Effect.map(
            replies.reply(club, params.commentId),
            (outcome) => outcome._tag === "Written" ? data(outcome.comment) : data({ reason: outcome.reason })
          )
        )
    })
  })
)

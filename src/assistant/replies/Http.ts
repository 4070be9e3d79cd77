import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { AssistantRepliesApi } from "./Api.ts"
import { Replies } from "./Replies.ts"

/** Answers the route of `AssistantRepliesApi`. */
export const AssistantRepliesHttp = group(
  versioned(AssistantRepliesApi),
  "assistantReplies",
  Effect.fn(function*(handlers) {
    const replies = yield* Replies
    return handlers.handleAll({
      reply: asMember(({ params }, { club }) =>
        Effect.map(
          replies.reply(club, params.commentId),
          (outcome) => outcome._tag === "Written" ? data(outcome.comment) : data({ reason: outcome.reason })
        )
      )
    })
  })
)

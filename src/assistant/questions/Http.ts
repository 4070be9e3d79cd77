import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { AssistantQuestionsApi } from "./Api.ts"
import { AskedQuestions } from "./AskedQuestions.ts"
import { AssistantUsage } from "./AssistantUsage.ts"

/** Answers the routes of `AssistantQuestionsApi`. */
export const AssistantQuestionsHttp = group(
  versioned(AssistantQuestionsApi),
  "assistantQuestions",
  Effect.fn(function*(handlers) {
    const questions = yield* AskedQuestions
    const usage = yield* AssistantUsage
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => questions.list(club.id, query)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(questions.get(club.id, params.questionId), data)),
      usage: ({ query }) => CurrentMember.use(({ club }) => Effect.map(usage.of(club, query.window), data))
    })
  })
)

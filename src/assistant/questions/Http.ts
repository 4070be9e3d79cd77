import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
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
      list: asMember(({ query }, { club }) => questions.list(club.id, query)),
      get: asMember(({ params }, { club }) => Effect.map(questions.get(club.id, params.questionId), data)),
      usage: asMember(({ query }, { club }) => Effect.map(usage.of(club, query.window), data))
    })
  })
)

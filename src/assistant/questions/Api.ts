import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AllowedRoles, ClubMember, clubPath, contentStaff } from "../../identity/authentication/Authentication.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { MessageId } from "../ask/messages/Message.ts"
import { AskedQuery, AskedQuestion } from "./AskedQuestion.ts"
import { Usage, UsageWindow } from "./Usage.ts"

/** The staff's view of its assistant: questions with their answers, and their cost. */
export class AssistantQuestionsApi extends HttpApiGroup.make("assistantQuestions")
  .add(
    HttpApiEndpoint.get("list", "/assistant/questions", {
      params: clubPath,
      query: AskedQuery,
      success: Page(AskedQuestion),
      error: InvalidCursor
    }).annotateMerge(described(
      "List what students asked the assistant",
      "Each question with its answer, the newest first. Those of removed students are deleted"
    )),
    HttpApiEndpoint.get("get", "/assistant/questions/:questionId", {
      params: {
        ...clubPath,
        questionId: sentId(MessageId).pipe(field("The question, by its `id` in the list"))
      },
      success: Data(AskedQuestion),
      error: NotFound
    }).annotateMerge(described("Read a question to the assistant", "With its answer as far as it is written")),
    HttpApiEndpoint.get("usage", "/assistant/usage", {
      params: clubPath,
      query: {
        window: UsageWindow.pipe(
          Schema.withDecodingDefaultKey(Effect.succeed("7d" as const)),
          field("How many of the club's days to count, today included. 7 if absent")
        )
      },
      success: Data(Usage)
    }).annotateMerge(described(
      "Count what the assistant did, day by day",
      "Questions count on the day on which they were asked. Questions of removed students are deleted and stop counting, except in the budget"
    ))
  )
  .middleware(NoStore)
  .middleware(ClubMember)
  .annotateEndpoints(AllowedRoles, contentStaff)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "agents")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Assistant questions")
  .annotate(OpenApi.Description, "Questions that students ask the assistant, for the staff")
{}

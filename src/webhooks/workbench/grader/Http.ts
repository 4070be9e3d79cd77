import { Duration, Effect } from "effect"
import { seesDocuments } from "../../../identity/authentication/Authentication.ts"
import { RateLimited } from "../../../identity/limits/RateLimit.ts"
import { asMember } from "../../../identity/people/asMember.ts"
import { CurrentMember, type MemberIdentity } from "../../../identity/people/Identity.ts"
import { withoutDocumentsInBody } from "../../../identity/people/TaxDocuments.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { data } from "../../../platform/http/Page.ts"
import { retryAfter } from "../../../platform/http/RetryAfter.ts"
import { askedLocale } from "../../../platform/http/server/AskedLocale.ts"
import { group } from "../../../platform/http/server/group.ts"
import { WebhookGradingsApi } from "./Api.ts"
import { reportIn } from "./FindingWords.ts"
import type { GradingDetail } from "./Grading.ts"
import { Gradings } from "./Gradings.ts"

/** After this the first grading of the hour no longer counts. */
const comeAgain = Duration.toSeconds("1 hour")

/** A receiver may answer what it alone knows of somebody. */
const shownTo = (member: MemberIdentity) => (grading: GradingDetail): GradingDetail =>
  seesDocuments(member) || grading.report === null ? grading : {
    ...grading,
    report: {
      ...grading.report,
      observations: grading.report.observations.map((observation) => ({
        ...observation,
        response_body: observation.response_body === null ? null : withoutDocumentsInBody(observation.response_body)
      }))
    }
  }

/** Answers the routes of `WebhookGradingsApi`. */
export const WebhookGradingsHttp = group(
  versioned(WebhookGradingsApi),
  "webhookGradings",
  Effect.fn(function*(handlers) {
    const gradings = yield* Gradings
    return handlers.handleAll({
      begin: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(gradings.begin(club, params.endpointId), data)).pipe(Effect.catchTag(
          "RateLimited",
          () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new RateLimited()))
        )),
      list: asMember(({ params, query }, { club }) => gradings.list(club.id, params.endpointId, query)),
      get: ({ params: { endpointId, gradingId } }) =>
        CurrentMember.use(Effect.fnUntraced(function*(me) {
          const locale = yield* askedLocale
          const { report, ...grading } = shownTo(me)(yield* gradings.get(me.club.id, endpointId, gradingId))
          return data({ ...grading, report: report === null ? null : reportIn(report, locale) })
        }))
    })
  })
)

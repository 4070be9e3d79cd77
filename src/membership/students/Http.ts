import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { tellMailLimit } from "../caps/tellMailLimit.ts"
import { StudentsApi } from "./Api.ts"
import { Directory } from "./Directory.ts"
import { Removal } from "./Removal.ts"

/** Answers the routes of `StudentsApi`. */
export const StudentsHttp = HttpApiBuilder.group(
  versioned(StudentsApi),
  "students",
  Effect.fn(function*(handlers) {
    const directory = yield* Directory
    const removal = yield* Removal
    return handlers.handleAll({
      list: ({ query }) => CurrentMember.use(({ club }) => directory.list(club.id, query)),
      get: ({ params }) => CurrentMember.use((me) => Effect.map(directory.get(me, params.studentId), data)),
      create: ({ payload }) =>
        CurrentMember.use((me) => directory.create(me, payload)).pipe(
          Effect.catchTag("MailCapReached", tellMailLimit),
          Effect.map(data)
        ),
      update: ({ params, payload }) =>
        CurrentMember.use((me) => directory.patch(me, params.studentId, payload)).pipe(
          Effect.catchTag("MailCapReached", tellMailLimit),
          Effect.map(data)
        ),
      remove: ({ params }) => CurrentMember.use(({ club, user }) => removal.remove(club.id, params.studentId, user.id)),
      erasure: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(removal.receipt(club.id, params.studentId), data))
    })
  })
)

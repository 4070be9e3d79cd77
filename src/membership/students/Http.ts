import { Effect } from "effect"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { CurrentMember } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { answerMailLimit } from "../caps/answerMailLimit.ts"
import { OwnAccountApi, StudentsApi } from "./Api.ts"
import { OwnAccounts } from "./OwnAccounts.ts"
import { Removal } from "./Removal.ts"
import { Students } from "./Students.ts"

/** Answers the routes of `StudentsApi`. */
export const StudentsHttp = group(
  versioned(StudentsApi),
  "students",
  Effect.fn(function*(handlers) {
    const students = yield* Students
    const removal = yield* Removal
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => students.list(club.id, query)),
      get: asMember(({ params }, me) => Effect.map(students.get(me, params.studentId), data)),
      create: ({ payload }) =>
        CurrentMember.use((me) => students.create(me, payload)).pipe(
          Effect.catchTag("MailCapReached", answerMailLimit),
          Effect.map(data)
        ),
      update: ({ params, payload }) =>
        CurrentMember.use((me) => students.patch(me, params.studentId, payload)).pipe(
          Effect.catchTag("MailCapReached", answerMailLimit),
          Effect.map(data)
        ),
      remove: asMember(({ params }, { club, user }) => removal.remove(club.id, params.studentId, user.id)),
      erasure: asMember(({ params }, { club }) => Effect.map(removal.receipt(club.id, params.studentId), data))
    })
  })
)

/** Answers the routes of `OwnAccountApi`. */
export const OwnAccountHttp = group(
  versioned(OwnAccountApi),
  "ownAccount",
  Effect.fn(function*(handlers) {
    const accounts = yield* OwnAccounts
    return handlers.handleAll({
      read: asStudent((_, { club, student }) => Effect.map(accounts.read(club.id, student.id), data)),
      update: asStudent(({ payload }, { club, student }) =>
        Effect.map(accounts.patch(club.id, student.id, payload), data)
      )
    })
  })
)

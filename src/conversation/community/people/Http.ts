import { Effect } from "effect"
import { versioned } from "../../../platform/http/Contract.ts"
import { whole } from "../../../platform/http/Page.ts"
import { group } from "../../../platform/http/server/group.ts"
import { studentOfRequest } from "../../authors/Viewer.ts"
import { ClassroomPeopleApi } from "./Api.ts"
import { ClassroomPeople } from "./ClassroomPeople.ts"

/** Answers the route of `ClassroomPeopleApi`. */
export const ClassroomPeopleHttp = group(
  versioned(ClassroomPeopleApi),
  "classroomPeople",
  Effect.fn(function*(handlers) {
    const people = yield* ClassroomPeople
    return handlers.handleAll({
      find: ({ query }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(people.find(student, query.q ?? ""), whole))
    })
  })
)

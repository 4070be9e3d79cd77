import { DateTime, Effect } from "effect"
import { asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomSearchApi } from "./Api.ts"
import { ClassroomSearch } from "./ClassroomSearch.ts"

/** Answers the route of `ClassroomSearchApi`. */
export const ClassroomSearchHttp = group(
  versioned(ClassroomSearchApi),
  "classroomSearch",
  Effect.fn(function*(handlers) {
    const courses = yield* ClassroomSearch
    return handlers.handleAll({
      search: asStudent(({ query }, { club, student }) =>
        Effect.flatMap(DateTime.now, (now) => {
          const holder = { club_id: club.id, student_id: student.id, now: DateTime.toDateUtc(now) }
          return Effect.map(courses.search(holder, query.q ?? ""), whole)
        })
      )
    })
  })
)

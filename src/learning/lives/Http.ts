import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { asMember, asStudent } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { ClassroomLivesApi, LivesApi } from "./Api.ts"
import { ClassroomLives } from "./ClassroomLives.ts"
import { Lives } from "./Lives.ts"

/** Answers the routes of `LivesApi`. */
export const LivesHttp = group(
  versioned(LivesApi),
  "lives",
  Effect.fn(function*(handlers) {
    const lives = yield* Lives
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => lives.list(club.id, query)),
      create: asMember(({ payload }, { club }) => Effect.map(lives.create(club.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(lives.get(club.id, params.liveId), data)),
      update: asMember(({ params, payload }, { club }) =>
        Effect.map(lives.patch(club.id, params.liveId, payload), data)
      ),
      remove: asMember(({ params }, { club }) => lives.remove(club.id, params.liveId)),
      open: asMember(({ params }, { club }) => Effect.map(lives.open(club.id, params.liveId), data)),
      close: asMember(({ params }, { club }) => Effect.map(lives.close(club.id, params.liveId), data)),
      attendances: asMember(({ params, query }, { club }) => lives.attendances(club.id, params.liveId, query))
    })
  })
)

const calendarFile = {
  contentType: "text/calendar; charset=utf-8",
  headers: { "content-disposition": "attachment; filename=\"live.ics\"" }
}

/** Answers the routes of `ClassroomLivesApi`. */
export const ClassroomLivesHttp = group(
  versioned(ClassroomLivesApi),
  "classroomLives",
  Effect.fn(function*(handlers) {
    const lives = yield* ClassroomLives
    return handlers.handleAll({
      list: asStudent(({ query }, { club, student }) => lives.list(club.id, student.id, query)),
      calendar: asStudent(({ params }, { club, student }) =>
        Effect.map(
          lives.calendar(club.id, student.id, params.liveId),
          (calendar) => HttpServerResponse.text(calendar, calendarFile)
        )
      ),
      join: asStudent(({ params }, { club, student }) =>
        Effect.map(lives.join(club.id, student.id, params.liveId), data)
      )
    })
  })
)

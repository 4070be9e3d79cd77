import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { asMember } from "../../../identity/people/asMember.ts"
import { versioned } from "../../../platform/http/Contract.ts"
import { group } from "../../../platform/http/server/group.ts"
import { StudentExportApi } from "./Api.ts"
import { StudentExport } from "./StudentExport.ts"

const file = {
  contentType: "text/csv; charset=utf-8",
  headers: { "content-disposition": "attachment; filename=\"students.csv\"" }
}

/** Answers the route of `StudentExportApi`. */
export const StudentExportHttp = group(
  versioned(StudentExportApi),
  "studentExport",
  Effect.fn(function*(handlers) {
    const students = yield* StudentExport
    return handlers.handleAll({
      csv: asMember((_, { club }) => Effect.map(students.csv(club.id), (csv) => HttpServerResponse.stream(csv, file)))
    })
  })
)

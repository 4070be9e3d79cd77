import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ask } from "../harness/Turma.ts"
import { at, foundClub } from "./Clubs.ts"
import { retried } from "./Retried.ts"
import type { Stand } from "./Stand.ts"

const Grading = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  grade: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(Schema.String),
  has_report: Schema.Boolean
})

/** A club with a receiver under repeated grading. Most of its probes have a wrong signature. */
export const openGraded = Effect.fn("openGraded")(function*(stand: Stand, api: string) {
  const club = yield* foundClub({ stand, api }, "graded", [["student.created"]])
  for (const { path } of club.endpoints) yield* stand.target.trust(path)
  return club
})
type Graded = Effect.Success<ReturnType<typeof openGraded>>

/** Has the receiver graded, one grading after the other, within the limit of an hour. */
export const gradeAgain = (api: string, { base, endpoints, token }: Graded) => {
  const counts = { gradings: 0 }
  const path = `${api}${base}/webhook-endpoints/${endpoints[0]?.id}`
  const headers = { authorization: `Bearer ${token}` }
  const once = Effect.gen(function*() {
    // A grading that was not confirmed may be under way, and counts in the hour's limit.
    const begun = yield* ask(`${path}/grade`, { method: "POST", headers }).pipe(
      Effect.timeout("5 seconds"),
      Effect.catchCause(() => Effect.succeed(undefined))
    )
    if (begun?.status !== 202) return yield* Effect.sleep("500 millis")
    counts.gradings += 1
    yield* retried(ask(`${path}/gradings/${String(at(begun.json, "data", "id"))}`, { headers })).pipe(
      Effect.delay("200 millis"),
      Effect.repeat({ until: ({ json }) => at(json, "data", "status") !== "running" })
    )
  })
  return { counts, run: Effect.forever(once) }
}

/** Gradings without a report or a reason, and messages: probes must not become events. */
export const misgraded = Effect.fnUntraced(function*({ id: club_id }: Graded) {
  const sql = yield* SqlClient.SqlClient
  const gradings = yield* sql`
    select id, status, grade, failure, report is not null as has_report
    from webhook_gradings where club_id = ${club_id}`
    .pipe(Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(Grading))))
  const events = yield* sql`select 1 from webhook_messages where club_id = ${club_id}`
  const isRight = ({ failure, grade, has_report, status }: typeof Grading.Type) =>
    status === "done"
      ? grade !== null && has_report && failure === null
      : status === "failed" && grade === null && !has_report && failure === "interrupted"
  return [
    ...gradings.filter((one) => !isRight(one)).map((one) => JSON.stringify(one)),
    ...events.length > 0 ? [`${events.length} events of gradings`] : []
  ]
}, Effect.orDie)

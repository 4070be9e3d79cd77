import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ImportQueue } from "../../src/membership/students/import/ImportQueue.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { at, foundClub, send } from "../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeItem, makeLiveLesson, makeStudent } from "../harness/Makers.ts"
import { makeDelivery, makeEndpoint } from "../harness/Webhooks.ts"
import { ConsoleAppLayer } from "./Visit.ts"

/** Text that the console must not interpret. */
export const hostile = `<img src=x onerror="document.title='owned'">{{7*7}} \u202E evil`

/** Names that people really have, and the hostile one. */
export const names = { arabic: "مريم الأندلسية", emoji: "Zoë 🎻🧑‍🎤", hostile }

/** The console, and the queue of imports, which the tests drive. */
export const StudentsLayer = Layer.mergeAll(ImportQueue.layer, Partitions.layer)
  .pipe(Layer.provideMerge(ConsoleAppLayer))

/** A club with two deliveries, cohorts, and students with names of every kind. The last student has all access. */
export const openSchool = Effect.gen(function*() {
  const club = yield* foundClub()
  const violao = yield* makeCatalogDelivery(club, { name: "Violão em casa" })
  const harmonia = yield* makeCatalogDelivery(club, { name: "Harmonia", default_access_days: 365 })
  const march = yield* makeCohort(club, violao, { name: "Turma de março" })
  yield* makeCohort(club, violao, { name: "Turma de abril" })
  const { course } = yield* makeLiveLesson(club)
  yield* makeItem(club, violao, { kind: "course", id: course.id })
  yield* makeStudent(club, { name: names.arabic })
  yield* makeStudent(club, { name: names.emoji })
  yield* makeStudent(club, { name: names.hostile })
  const bia = yield* makeStudent(club, { name: "Bia Lima", email: "bia.lima@example.com" })
  const grant = (delivery_id: string, given: object) =>
    send("POST", `${club.path}/students/${bia.id}/grants`, { token: club.token, body: { delivery_id, ...given } })
  const granted = yield* grant(violao.id, { cohort_id: march.id, reason: hostile })
  yield* grant(harmonia.id, {})
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* makeDelivery(yield* makeEndpoint(club), { status: "succeeded" })
  yield* sql`update webhook_deliveries set student_id = ${bia.id} where id = ${id}`
  return {
    ...club,
    bia,
    violao,
    harmonia,
    enrollment: String(at(granted.json, "data", "id")),
    page: `/console/${club.organization_id}/students`
  }
})

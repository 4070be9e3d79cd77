import { Effect, Layer } from "effect"
import { ImportQueue } from "../../src/membership/students/import/ImportQueue.ts"
import { at, foundClub, send } from "../harness/App.ts"
import { makeCatalogDelivery, makeCohort, makeItem, makeLiveLesson, makeStudent } from "../harness/Makers.ts"
import { ConsoleAppLayer } from "./Visit.ts"

/** What nothing may interpret. */
export const hostile = `<img src=x onerror="document.title='owned'">{{7*7}} \u202E evil`

/** Names as people have them. */
export const names = { arabic: "مريم الأندلسية", emoji: "Zoë 🎻🧑‍🎤", hostile }

/** The console, and the queue of imports, which the tests drive. */
export const StudentsLayer = ImportQueue.layer.pipe(Layer.provideMerge(ConsoleAppLayer))

/** A club with two deliveries, cohorts, and students of all kinds of names, the last of whom has access to everything. */
export const openSchool = Effect.gen(function*() {
  const club = yield* foundClub()
  yield* send("POST", `${club.path}/webhook-endpoints`, {
    token: club.token,
    body: { url: "https://hooks.example.com/turma", event_types: ["access.granted"] }
  })
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
  return {
    ...club,
    bia,
    violao,
    harmonia,
    enrollment: String(at(granted.json, "data", "id")),
    page: `/console/${club.organization_id}/students`
  }
})

import { assert } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Logger, Stream } from "effect"
import { InboundQueue } from "../../src/commerce/sales/queue/InboundQueue.ts"
import { ImportQueue } from "../../src/membership/students/import/ImportQueue.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { ask, citation, Script, text, work as answer, worldLayer } from "../assistant/World.ts"
import { at, enrolledStudent, foundClub, listAt, send } from "../harness/App.ts"
import { makeDelivery } from "../harness/Webhooks.ts"
import { newAddress } from "../membership/accounts/People.ts"
import { work as takeIn } from "./SalesWorld.ts"
import type { Ids } from "./ViewList.ts"
import { consoleVariables } from "./Visit.ts"

/** Text that a person may write. It has markup for browsers, shells and templates, and reverses the text direction. */
const hostile = [
  `<img src=x onerror="alert('owned')">`,
  `"><script>alert(1)</script>`,
  "\u202E\u200Bمرحبا 👩‍🎓{{7*7}}"
].join("")

/** The same for a field with less room. */
const shorter = `"><img src=x onerror=alert(1)>\u202Eم🎻`

/** The same for a field with more room: with links that run their text. */
const longer = `${hostile} [x](javascript:alert(2)) javascript:alert(3) <a href="javascript:alert(4)">x</a>`

/** More than a megabyte in a body. */
const large = JSON.stringify({
  id: "large",
  type: "student.created",
  data: { names: Array.from({ length: 9000 }, (_, index) => `${hostile} ${index}`) }
})

const idOf = ({ json, status, text }: { readonly json: unknown; readonly status: number; readonly text: string }) => {
  assert.isBelow(status, 300, text)
  return String(at(json, "data", "id"))
}

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** Requests of members and students to the club's API. They carry the owner's token unless the caller gives another. */
const asking = (club: Club) => {
  const ask = (method: "PATCH" | "POST" | "PUT", path: string, body: unknown, token = club.token) =>
    Effect.tap(
      send(method, `${club.path}${path}`, { token, body }),
      ({ status, text }) => Effect.sync(() => assert.isBelow(status, 300, `${method} ${path}: ${text}`))
    )
  return {
    ask,
    create: (path: string, body: unknown, token?: string) => Effect.map(ask("POST", path, body, token), idOf),
    first: (path: string, ...field: ReadonlyArray<string | number>) =>
      Effect.map(
        send("GET", `${club.path}${path}`, { token: club.token }),
        ({ json }) => String(at(json, "data", ...(field.length === 0 ? [0, "id"] : field)))
      )
  }
}
type Asking = ReturnType<typeof asking>

const teach = Effect.fnUntraced(function*({ ask, create }: Asking) {
  const course = yield* create("/courses", { title: hostile })
  const module = yield* create(`/courses/${course}/modules`, { title: hostile })
  const lesson = yield* create(`/modules/${module}/lessons`, { title: hostile })
  const blocks = `/lessons/${lesson}/blocks`
  const video = yield* ask("POST", "/media", {
    kind: "video",
    provider: "youtube",
    external_id: "dQw4w9WgXcQ",
    title: hostile
  })
  yield* create(blocks, { kind: "text", title: hostile, body: longer })
  yield* create(blocks, { kind: "video", title: hostile, media_id: at(video.json, "data", "media", "id") })
  const assignment = yield* create(blocks, { kind: "assignment", title: hostile, body: longer })
  const options = [{ text: hostile, correct: true }, { text: `${hostile} 2`, correct: false }]
  const questions = [{ text: hostile, options }]
  yield* create(blocks, { kind: "quiz", title: hostile, pass_percent: 70, questions })
  yield* ask("PUT", `/lessons/${lesson}/publication`, { published_at: "2026-01-01T00:00:00Z" })
  const repository = yield* create("/repositories", {
    title: hostile,
    instructor_name: hostile,
    cover_url: "https://a.example/<script>alert(1)</script>.png"
  })
  yield* create("/media-folders", { name: hostile })
  const delivery = yield* create("/deliveries", { name: hostile })
  const items = [{ kind: "course", id: course }, { kind: "repository", id: repository }]
  yield* ask("PATCH", `/deliveries/${delivery}`, { items })
  const cohort = yield* create(`/deliveries/${delivery}/cohorts`, { name: hostile })
  return { assignment, cohort, course, delivery, lesson, repository }
})
type Taught = Effect.Success<ReturnType<typeof teach>>

/** Makes two students with access to the course: one by hand and one by an import. */
const enrol = Effect.fnUntraced(function*({ ask, create }: Asking, { cohort, delivery }: Taught) {
  const student = yield* create("/students", { name: hostile, email: yield* newAddress })
  yield* ask("POST", `/students/${student}/grants`, { delivery_id: delivery, cohort_id: cohort, reason: longer })
  yield* ask("POST", `/students/${student}/points`, { points: 150, reason: longer })
  const rows = [{ name: hostile, email: yield* newAddress }, { name: hostile, email: hostile }]
  const imported = yield* create("/students/imports", { rows })
  yield* Effect.flatMap(ImportQueue, ({ tick }) => Effect.repeat(tick, { while: (chunks) => chunks > 0 }))
  return { imported, student }
})

/** Faults of a hosted video in a frame: the tests reach no other machine. */
export const players = [/youtube-nocookie\.com/, /ERR_/]

/** Fills every field in which a student may write, and the staff's answers to them. */
const write = Effect.fnUntraced(function*(club: Club, { ask: asked, create, first }: Asking, taught: Taught) {
  const script = yield* Script
  const { token, ...student } = yield* enrolledStudent(club)
  yield* asked("POST", `/students/${student.id}/grants`, { delivery_id: taught.delivery })
  const submissions = `/classroom/assignments/${taught.assignment}/submissions`
  const submission = yield* create(submissions, { body: longer }, token)
  yield* asked("POST", `/assignments/submissions/${submission}/reject`, { feedback: longer })
  yield* create(submissions, { body: longer }, token)
  yield* asked("PATCH", "/community", { name: hostile })
  const space = yield* first("/community", "spaces", 0, "id")
  yield* asked("PATCH", `/community/spaces/${space}`, { name: hostile })
  const post = yield* create(`/community/spaces/${space}/posts`, { title: hostile, body: longer })
  const comment = yield* create(`/community/posts/${post}/comments`, { body: longer })
  yield* create(`/comments/${comment}/replies`, { body: longer })
  const conversation = yield* create("/classroom/support/conversations", { subject: hostile, body: longer }, token)
  yield* create(`/support/conversations/${conversation}/messages`, { body: longer })
  const publicId = yield* first(`/lessons/${taught.lesson}`, "public_id")
  script.answers.set(
    longer,
    Stream.make(text(longer), { _tag: "Citation", citation: { ...citation, source_title: hostile } })
  )
  yield* ask({ club, lesson: { public_id: publicId }, student: { ...student, token } }, longer)
  yield* answer
  yield* asked("PATCH", `/agents/${yield* first("/agents")}`, { name: shorter })
  return { conversation, post, space, question: yield* first("/assistant/questions") }
})

/** A shop with two sales: one product has a mapping, and the other does not. */
const sell = Effect.fnUntraced(function*({ ask, first }: Asking, { delivery }: Taught) {
  const { json } = yield* ask("POST", "/inbound-webhooks", { platform: "generic", name: hostile, token_only: true })
  yield* ask("POST", "/product-mappings", {
    platform: "generic",
    external_product_id: "<b>mapped</b>",
    delivery_id: delivery
  })
  const post = new URL(String(at(json, "data", "url"))).pathname
  const event = (id: string, product: string) => ({
    type: "purchase.approved",
    occurred_at: "2026-11-21T12:00:00Z",
    customer: { name: hostile, email: `${id}@buyer.example` },
    purchase: { id: `${id} <b>`, amount_cents: 14_950, currency: "BRL" },
    product: { id: product, name: hostile }
  })
  yield* send("POST", post, { body: event("one", "<b>mapped</b>") })
  yield* send("POST", post, { body: event("two", "<i>unmapped</i>") })
  yield* takeIn
  return yield* first("/inbound-events")
})

/** An endpoint with two deliveries, a grading, and a counted recovery. */
const listen = Effect.fnUntraced(function*(club: Club, { create }: Asking) {
  const endpoint = yield* create("/webhook-endpoints", {
    url: "https://93.184.215.14/?<script>alert(1)</script>",
    event_types: ["student.created"],
    description: longer
  })
  const lane = { club_id: club.id, endpoint_id: EndpointId.make(endpoint) }
  yield* makeDelivery(lane, { status: "failed" })
  const { event_id, id } = yield* makeDelivery(lane, { body: large, status: "succeeded" })
  const yesterday = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  const recovery = yield* create(`/webhook-endpoints/${endpoint}/recoveries`, { since: yesterday })
  const grading = yield* create(`/webhook-endpoints/${endpoint}/grade`, undefined)
  return { delivery: id, endpoint, event: event_id, grading, recovery }
})

/** An inbox with a request in it. */
const play = Effect.fnUntraced(function*({ ask }: Asking) {
  const { json } = yield* ask("POST", "/webhook-inboxes", {})
  yield* send("POST", `${new URL(String(at(json, "data", "url"))).pathname}?${encodeURIComponent(hostile)}`, {
    body: longer,
    headers: { "x-hostile": shorter.replaceAll(/[^ -~]/g, "") }
  })
  return String(at(json, "data", "id"))
})

const made = Effect.gen(function*() {
  const club = yield* foundClub()
  const api = asking(club)
  yield* send("PATCH", club.path, { token: club.token, body: { name: hostile } })
  yield* send("PATCH", "/v1/me", { token: club.token, body: { name: hostile } })
  const key = yield* api.create("/keys", { name: shorter, role: "viewer" })
  const levels = [{ name: `1 ${shorter}`, min_points: 0 }, { name: shorter, min_points: 100 }]
  yield* api.ask("PUT", "/gamification/levels", { levels })
  const taught = yield* teach(api)
  const { imported, student } = yield* enrol(api, taught)
  const written = yield* write(club, api, taught)
  const { course, delivery, lesson, repository } = taught
  const sale = yield* sell(api, taught)
  const inbox = yield* play(api)
  const ids: Ids = {
    "assistant/:question": [written.question],
    "community/:post": [written.post],
    "community/:space": [written.space],
    "content/:course": [course],
    "content/:delivery": [delivery],
    "content/:lesson": [lesson],
    "content/:repository": [repository],
    "keys/:key": [key],
    "sales/:event": [sale],
    "students/:import": [imported],
    "students/:student": [student],
    "students/:tab": ["points", "profile", "progress", "purchases", "webhooks"],
    "support/:conversation": [written.conversation],
    "webhooks/:inbox": [inbox],
    ...Object.fromEntries(Object.entries(yield* listen(club, api)).map(([name, id]) => [`webhooks/:${name}`, [id]]))
  }
  assert.isNotEmpty(listAt((yield* send("GET", `${club.path}/students`, club)).json, "data"))
  return { ...club, ids }
})

/** A club with something in every view. Every word that a person can write in it is hostile. */
export class FullClub extends Context.Service<FullClub, Effect.Success<typeof made>>()("test/FullClub") {}

/** The console with a scripted assistant, the queues that the tests drive, and that club. */
export const FullClubLayer = Layer.effect(FullClub, made).pipe(
  Layer.provideMerge(Layer.mergeAll(InboundQueue.layer({ concurrency: 4 }), ImportQueue.layer, Partitions.layer)),
  Layer.provideMerge(worldLayer(consoleVariables)),
  Layer.provide(Logger.layer([]))
)

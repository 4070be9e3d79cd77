import { assert } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, type foundClub, listAt, send } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { startReceiver } from "../../harness/Receiver.ts"
import type { TestCa } from "../../harness/Tls.ts"
import { detail, type MadeInbox, makeInbox, taken } from "../../webhooks/workbench/play/Playing.ts"

// The places that an event about a student may reach besides its usual endpoint.

type Club = Pick<Effect.Success<ReturnType<typeof foundClub>>, "path" | "token">

/** An inbox of the club, with an endpoint that posts these events to it. */
export const makeHeardInbox = Effect.fnUntraced(function*({ path, token }: Club, event_types: ReadonlyArray<string>) {
  const inbox = yield* makeInbox({ path, token })
  yield* send("POST", `${path}/webhook-endpoints`, { token, body: { inbox_id: inbox.id, event_types } })
  return inbox
})

/** The bodies in an inbox. */
export const bodiesIn = (inbox: MadeInbox) =>
  Effect.flatMap(
    taken(inbox),
    (requests) =>
      Effect.forEach(requests, (one) => Effect.map(detail(inbox, one), (shown) => String(at(shown, "body"))))
  )

/** A paused endpoint of the club, with its queue of deliveries and its receiver. */
export const makeWaiting = Effect.fnUntraced(function*(
  { path, token }: Club,
  event_types: ReadonlyArray<string>,
  ca: TestCa
) {
  const receiver = yield* startReceiver({ ca, answer: ({ body }) => ({ status: 200, body }) })
  const body = { url: receiver.url, event_types, status: "paused" }
  const { json } = yield* send("POST", `${path}/webhook-endpoints`, { token, body })
  return { receiver, path: `${path}/webhook-endpoints/${String(at(json, "data", "id"))}`, token }
})
type Waiting = Effect.Success<ReturnType<typeof makeWaiting>>

/** A recovery that has sent its first delivery, and sends one a second. */
export const recoverSlowly = Effect.fnUntraced(function*({ path, receiver, token }: Waiting) {
  yield* send("PATCH", path, { token, body: { status: "disabled" } })
  yield* send("PATCH", path, { token, body: { status: "enabled" } })
  const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { hours: 1 }))
  const made = yield* send("POST", `${path}/recoveries`, { token, body: { since, rate: 1, start: true } })
  const recovery = `${path}/recoveries/${String(at(made.json, "data", "id"))}`
  const read = Effect.map(send("GET", recovery, { token }), ({ json }) => at(json, "data"))
  yield* eventually(read, (one) => Number(at(one, "progress", "succeeded")) > 0)
  return { read, receiver }
})

const decodeSignatures = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ signature: Schema.String })))

/** The stored signatures of attempts about the student, except the removal's. */
export const signaturesOf = Effect.fnUntraced(function*(student_id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select a.signature from webhook_attempts a
    join webhook_deliveries d on d.club_id = a.club_id and d.id = a.delivery_id
    where d.student_id = ${student_id} and d.event_type <> 'student.removed' and a.signature is not null`
  return (yield* decodeSignatures(rows)).map(({ signature }) => signature)
})

/** The student's events in the club's feed. */
export const feedOf = Effect.fnUntraced(function*({ path, token }: Club, student_id: string) {
  const { json, status, text } = yield* send("GET", `${path}/events?limit=100&student_id=${student_id}`, { token })
  assert.strictEqual(status, 200, text)
  return { text, events: listAt(json, "data") }
})

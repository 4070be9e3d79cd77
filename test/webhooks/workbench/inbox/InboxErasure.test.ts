import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inboxEraser } from "../../../../src/webhooks/workbench/inbox/InboxEraser.ts"
import { type CameIn, Reception } from "../../../../src/webhooks/workbench/inbox/Reception.ts"
import { at, foundClub, send } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { foundOnSaturday, WebhooksLayer } from "../../Registering.ts"
import { detail, knock, type MadeInbox, makeInbox, taken } from "../play/Playing.ts"

// Contract, Delivery behavior 9: requests in an inbox may be about any person.

const TestLayer = Reception.layer.pipe(Layer.provideMerge(WebhooksLayer))

const bia = "Bia Lima"
const aboutBia: CameIn = { method: "POST", query: "", headers: {}, body: Buffer.from(bia), source: "http" }

const tokenOf = ({ play }: MadeInbox) => Redacted.make(play.slice("/play/".length))

/** A club with an inbox that a stranger has found, and a student. */
const found = Effect.gen(function*() {
  const club = yield* foundOnSaturday
  const inbox = yield* makeInbox(club)
  const living = yield* Effect.flatMap(Reception, ({ find }) => find(tokenOf(inbox)))
  return { club, inbox, living: Option.getOrThrow(living), student: yield* makeStudent(club) }
})

type Found = Effect.Success<typeof found>

/** Erases the student in a transaction, as the removal does. `before` may hold the transaction open. */
const erase = Effect.fnUntraced(function*(
  { club: { id: club_id }, student: { email, id: student_id } }: Found,
  before: Effect.Effect<unknown>
) {
  const sql = yield* SqlClient.SqlClient
  const { erase } = yield* inboxEraser
  return yield* sql.withTransaction(Effect.tap(erase({ club_id, student_id, email }), () => before))
})

layer(TestLayer)("What comes into an inbox while a student is removed", (it) => {
  it.effect("is answered and not kept where the inbox was read before", () =>
    Effect.gen(function*() {
      const { take } = yield* Reception
      const { club, inbox, living, student } = yield* found
      yield* knock(inbox, { body: bia })
      assert.strictEqual((yield* send("DELETE", `${club.path}/students/${student.id}`, club)).status, 204)
      const answer = yield* take(living, aboutBia)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(yield* taken(inbox), [])
      assert.strictEqual((yield* knock(inbox, { body: "later" })).status, 200)
      assert.lengthOf(yield* taken(inbox), 1)
    }))

  it.effect("waits for the removal, and is not kept", () =>
    Effect.gen(function*() {
      const { take } = yield* Reception
      const here = yield* found
      const [erased, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const hold = Effect.andThen(Deferred.succeed(erased, undefined), Deferred.await(done))
      const removing = yield* Effect.forkChild(erase(here, hold))
      yield* Deferred.await(erased)
      const taking = yield* Effect.forkChild(take(here.living, aboutBia))
      yield* untilBlocked()
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(removing)
      yield* Fiber.join(taking)
      assert.deepStrictEqual(yield* taken(here.inbox), [])
    }))

  it.effect("is waited for, and removed, where it comes first", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { take } = yield* Reception
      const here = yield* found
      const [kept, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const taking = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* take(here.living, aboutBia)
        yield* Deferred.succeed(kept, undefined)
        yield* Deferred.await(done)
      })))
      yield* Deferred.await(kept)
      const removing = yield* Effect.forkChild(erase(here, Effect.void))
      yield* untilBlocked()
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(taking)
      assert.deepStrictEqual(yield* Fiber.join(removing), { inbox_requests: 1 })
      assert.deepStrictEqual(yield* taken(here.inbox), [])
    }))

  it.effect("from the engine is answered and not kept once its body is erased", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { deliver } = yield* Reception
      const { club, inbox } = yield* found
      const { body, event_id } = yield* makeDelivery(yield* makeEndpoint(club))
      const handOver = deliver({ club_id: club.id, event_id }, { token: tokenOf(inbox) }, {
        ...aboutBia,
        body: Buffer.from(body)
      })
      yield* handOver
      assert.lengthOf(yield* taken(inbox), 1)
      yield* sql`update webhook_messages set body = null where club_id = ${club.id} and id = ${event_id}`
      assert.strictEqual(Option.getOrThrow(yield* handOver).status, 200)
      assert.lengthOf(yield* taken(inbox), 1)
    }))

  it.effect("stays where the student is another club's", () =>
    Effect.gen(function*() {
      const { inbox } = yield* found
      yield* knock(inbox, { body: bia })
      const other = yield* foundClub()
      const student = yield* makeStudent(other)
      assert.strictEqual((yield* send("DELETE", `${other.path}/students/${student.id}`, other)).status, 204)
      assert.lengthOf(yield* taken(inbox), 1)
    }))
})

layer(TestLayer)("What an inbox has taken", (it) => {
  it.effect("is not at rest in the clear: neither body nor address nor headers", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, inbox } = yield* found
      const secret = "zulmira@pessoa.example"
      yield* knock(inbox, {
        body: secret,
        query: `?email=${secret}`,
        headers: { "x-email": secret, "webhook-id": secret }
      })
      const [request] = yield* taken(inbox)
      const shown = yield* detail(inbox, request)
      assert.deepStrictEqual([at(shown, "body"), at(shown, "query")], [secret, `?email=${secret}`])
      const [row] = yield* sql<{ stored: string }>`
        select to_jsonb(r)::text || encode(head, 'escape') || encode(body, 'escape') || encode(message, 'escape') as stored
        from webhook_inbox_requests r where club_id = ${club.id}`
      assert.notInclude(row?.stored, secret)
      assert.notInclude(row?.stored, Buffer.from(secret).toString("hex"))
      assert.notInclude(row?.stored, "x-email")
    }))
})

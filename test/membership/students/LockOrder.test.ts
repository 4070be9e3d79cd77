import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { InboundQueue } from "../../../src/commerce/sales/queue/InboundQueue.ts"
import { ImportQueue } from "../../../src/membership/students/import/ImportQueue.ts"
import { StudentAdmission } from "../../../src/membership/students/StudentAdmission.ts"
import { openHook, post, sale } from "../../commerce/sales/inbound/Hooks.ts"
import { AppLayer, codeOf, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeStudent } from "../../harness/Makers.ts"
import { onEveryConnection } from "../../harness/Pool.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const TestLayer = Layer.mergeAll(InboundQueue.layer({ concurrency: 4 }), ImportQueue.layer)
  .pipe(Layer.provideMerge(AppLayer))

/** Locks a student until a removal has looked at everything and waits. Then a sale arrives, and a worker waits too. */
const meet = Effect.fnUntraced(function*<E, R, E2, R2>(
  hook: Effect.Success<ReturnType<typeof openHook>>,
  student: { readonly id: string },
  arrive: Effect.Effect<unknown, E, R>,
  tick: Effect.Effect<number, E2, R2>
) {
  const sql = yield* SqlClient.SqlClient
  const [removing, working] = yield* whileHeld(
    sql`select 1 from students where id = ${student.id} for no key update`,
    Effect.gen(function*() {
      const removing = yield* Effect
        .forkChild(send("DELETE", `${hook.path}/students/${student.id}`, { token: hook.token }))
      yield* untilBlocked()
      yield* arrive
      const working = yield* Effect.forkChild(tick)
      yield* untilBlocked(2)
      return [removing, working] as const
    })
  )
  assert.strictEqual((yield* Fiber.join(removing)).status, 204)
  assert.strictEqual(yield* Fiber.join(working), 1)
})

layer(TestLayer)("A removal", (it) => {
  it.effect("does not wait for a sale that came in meanwhile and waits for it: that is somebody new", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const student = yield* makeStudent(hook, { email: "bia@buyer.example" })
      const delivery = yield* makeCatalogDelivery(hook)
      const mapping = { platform: "hotmart", external_product_id: "4711", delivery_id: delivery.id }
      yield* send("POST", `${hook.path}/product-mappings`, { token: hook.token, body: mapping })
      const { tick } = yield* InboundQueue
      yield* meet(hook, student, post(hook.post, sale({ email: student.email })), tick)
      const rows = yield* sql`select outcome, failures from inbound_events where club_id = ${hook.id}`
      assert.deepStrictEqual(rows, [{ outcome: "processed", failures: 0 }])
      const students = yield* sql`
        select email, removed_at is not null as removed from students where club_id = ${hook.id} order by id`
      assert.deepStrictEqual(students, [
        { email: `${student.id}@anonymized.invalid`, removed: true },
        { email: student.email, removed: false }
      ])
    }))

  it.effect("does not wait for an import that was sent meanwhile and waits for it: that is somebody new", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const body = { rows: [{ name: "Bia", email: student.email }] }
      const { tick } = yield* ImportQueue
      yield* meet(hook, student, send("POST", `${hook.path}/students/imports`, { token: hook.token, body }), tick)
      const imports = yield* sql`select created, failed from student_imports where club_id = ${hook.id}`
      assert.deepStrictEqual(imports, [{ created: 1, failed: 0 }])
    }))
})

layer(AppLayer)("A student's change of address", (it) => {
  it.effect("to one that is admitted at this moment waits for nobody who waits for the student", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const admission = yield* StudentAdmission
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const arrivals = [student.email, "new@student.example"].map((email) => ({ name: "Bia", email }))
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const changing = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`select 1 from students where id = ${student.id} for update`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(go)
        yield* sql`update students set email = 'new@student.example' where id = ${student.id}`
      })))
      yield* Deferred.await(held)
      const admitting = yield* Effect.forkChild(sql.withTransaction(admission.admit(hook.id, arrivals, "import")))
      yield* untilBlocked()
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(changing)
      const [first, second] = yield* Fiber.join(admitting)
      assert.isTrue(first?.created)
      assert.deepStrictEqual(second, { student_id: student.id, created: false })
    }))

  it.effect("is refused, not failed, where another one takes the address and waits for the student", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // PostgreSQL looks for a deadlock once per wait, after this time. By then both transactions wait.
      yield* onEveryConnection(sql`set deadlock_timeout = '6s'`)
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const email = "taken@student.example"
      const [made, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const other = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        // PostgreSQL cancels the transaction that finds the deadlock first, here the change of the address.
        yield* sql`set local deadlock_timeout = '20s'`
        yield* makeStudent(hook, { email })
        yield* Deferred.succeed(made, undefined)
        yield* Deferred.await(go)
        yield* sql`select 1 from students where id = ${student.id} for no key update`
      })))
      yield* Deferred.await(made)
      const path = `${hook.path}/students/${student.id}`
      const changing = yield* Effect.forkChild(send("PATCH", path, { token: hook.token, body: { email } }))
      yield* untilBlocked()
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(other)
      const answer = yield* Fiber.join(changing)
      assert.deepStrictEqual([answer.status, codeOf(answer)], [409, "email_in_use"])
    }))
})

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("A removal", (it) => {
  it.effect("locks requests for mails, then imports, then sales, then the student", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const run = yield* statements(send("DELETE", `${hook.path}/students/${student.id}`, { token: hook.token }))
      const locked = run.flatMap((text) => {
        const [, table] =
          /^select .* from (credential_requests|student_imports|inbound_events|students) .* for (?:no key )?update/
            .exec(text) ?? []
        return table === undefined ? [] : [table]
      })
      assert.deepStrictEqual([...new Set(locked)], [
        "credential_requests",
        "student_imports",
        "inbound_events",
        "students"
      ])
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { StudentSales } from "../../../../src/commerce/sales/purchase/StudentSales.ts"
import { InboundQueue } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../../harness/App.ts"
import { makeCatalogDelivery, makeStudent } from "../../../harness/Makers.ts"
import { readingMuch } from "../../../harness/RowsRead.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import { drain, type OpenHook, openHook, post, sale } from "../inbound/Hooks.ts"

const unknownId = "0190a000-0000-7000-8000-000000000001"

const SalesLayer = InboundQueue.layer({ concurrency: 4 }).pipe(
  Layer.provideMerge(AppLayer),
  Layer.provideMerge(SpansLayer)
)

type What = "purchases" | "subscriptions"

const read = ({ path, token }: Pick<OpenHook, "path" | "token">, student: string, what: What, query = "") =>
  send("GET", `${path}/students/${student}/${what}${query}`, { token })

const listed = (hook: OpenHook, student: string, what: What) =>
  Effect.map(read(hook, student, what), ({ json }) => listAt(json, "data"))

/** A club that sells product 4711. */
const openShop = Effect.fn("openShop")(function*() {
  const hook = yield* openHook()
  const { id: delivery_id } = yield* makeCatalogDelivery(hook)
  const { status } = yield* send("POST", `${hook.path}/product-mappings`, {
    token: hook.token,
    body: { platform: "hotmart", external_product_id: "4711", delivery_id }
  })
  assert.strictEqual(status, 201)
  return hook
})

const tell = Effect.fnUntraced(function*(hook: OpenHook, ...sales: ReadonlyArray<Parameters<typeof sale>[0]>) {
  for (const given of sales) {
    yield* post(hook.post, sale(given))
    yield* drain
  }
})

const studentOf = Effect.fnUntraced(function*({ path, token }: OpenHook, email: string) {
  const { json } = yield* send("GET", `${path}/students?search=${email}`, { token })
  return String(at(json, "data", 0, "id"))
})

layer(SalesLayer)("What a student has bought", (it) => {
  it.effect("is listed charge by charge, newest first, as events tell it", () =>
    Effect.gen(function*() {
      const hook = yield* openShop()
      const email = "ana@buyer.example"
      yield* tell(hook, { email, transaction: "HP1" }, { email, transaction: "HP2" })
      yield* tell(hook, { email, transaction: "HP1", event: "PURCHASE_REFUNDED" }, { transaction: "HP3" })
      const student = yield* studentOf(hook, email)
      const [second, first, ...rest] = yield* listed(hook, student, "purchases")
      assert.isEmpty(rest)
      const { id: _, paid_at, ...shown } = Object(second)
      assert.isString(paid_at)
      assert.deepStrictEqual(shown, {
        platform: "hotmart",
        external_id: "HP2",
        status: "paid",
        product: { external_id: "4711", name: "Violão do Zero" },
        offer_external_id: "basic",
        amount_cents: 9750,
        currency: "BRL",
        payment_method: "PIX",
        recurrence: null,
        subscription_id: null,
        refunded_at: null
      })
      assert.deepStrictEqual([at(first, "external_id"), at(first, "status")], ["HP1", "refunded"])
      assert.isString(at(first, "refunded_at"))
      assert.deepStrictEqual(yield* listed(hook, student, "subscriptions"), [])
    }))

  it.effect("has its subscriptions, which their charges name", () =>
    Effect.gen(function*() {
      const hook = yield* openShop()
      const email = "ana@buyer.example"
      yield* tell(hook, { email, transaction: "HP1", subscriber: "S1" })
      const student = yield* studentOf(hook, email)
      const [subscription, ...rest] = yield* listed(hook, student, "subscriptions")
      assert.isEmpty(rest)
      const { id, ...shown } = Object(subscription)
      assert.deepStrictEqual(shown, {
        platform: "hotmart",
        external_id: "S1",
        status: "active",
        plan_name: null,
        product: { external_id: "4711", name: "Violão do Zero" },
        current_period_end: null,
        past_due_since: null,
        canceled_at: null
      })
      const [purchase] = yield* listed(hook, student, "purchases")
      assert.strictEqual(at(purchase, "subscription_id"), id)
    }))

  it.effect("tells a chargeback's time, and that of a cancellation only while it stands", () =>
    Effect.gen(function*() {
      const hook = yield* openShop()
      const email = "ana@buyer.example"
      yield* tell(hook, { email, transaction: "HP1", subscriber: "S1" })
      const student = yield* studentOf(hook, email)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update purchases set status = 'chargeback', refunded_at = '2026-01-01Z', charged_back_at = '2026-01-02Z'
        where club_id = ${hook.id}`
      yield* sql`update subscriptions set canceled_at = '2026-01-03Z' where club_id = ${hook.id}`
      const seen = Effect.fnUntraced(function*(what: What, field: string) {
        return at((yield* listed(hook, student, what))[0], field)
      })
      assert.strictEqual(yield* seen("purchases", "refunded_at"), "2026-01-02T00:00:00.000Z")
      assert.strictEqual(yield* seen("subscriptions", "canceled_at"), null)
      yield* sql`update subscriptions set status = 'canceled' where club_id = ${hook.id}`
      assert.strictEqual(yield* seen("subscriptions", "canceled_at"), "2026-01-03T00:00:00.000Z")
    }))

  it.effect("comes page by page", () =>
    Effect.gen(function*() {
      const hook = yield* openShop()
      const email = "ana@buyer.example"
      for (const n of [1, 2, 3]) yield* tell(hook, { email, transaction: `HP${n}`, subscriber: `S${n}` })
      const student = yield* studentOf(hook, email)
      for (const [what, last] of [["purchases", "HP1"], ["subscriptions", "S1"]] as const) {
        const first = yield* read(hook, student, what, "?limit=2")
        const rest = yield* read(hook, student, what, `?limit=2&cursor=${at(first.json, "next_cursor")}`)
        assert.lengthOf(listAt(first.json, "data"), 2)
        assert.deepStrictEqual(listAt(rest.json, "data").map((sold) => at(sold, "external_id")), [last])
        assert.isNull(at(rest.json, "next_cursor"))
        assert.deepStrictEqual(outcome(yield* read(hook, student, what, "?cursor=x")), [400, "invalid_cursor"])
      }
    }))

  it.effect("is kept of a removed student, and there is none of a stranger", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openShop(), yield* foundClub()]
      const email = "ana@buyer.example"
      yield* tell(hook, { email })
      const student = yield* studentOf(hook, email)
      yield* send("DELETE", `${hook.path}/students/${student}`, { token: hook.token })
      assert.lengthOf(yield* listed(hook, student, "purchases"), 1)
      const foreign = yield* makeStudent(other)
      for (const what of ["purchases", "subscriptions"] as const) {
        for (const id of [unknownId, foreign.id]) {
          assert.deepStrictEqual(outcome(yield* read(hook, id, what)), [404, "not_found"])
        }
      }
    }))

  it.effect("is read by every member and by no student", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const { id } = yield* makeStudent(hook)
      const own = yield* enrolledStudent(hook)
      for (const what of ["purchases", "subscriptions"] as const) {
        for (const role of ["viewer", "support", "editor"] as const) {
          assert.strictEqual((yield* read({ ...hook, token: yield* tokenAs(hook, role) }, id, what)).status, 200)
        }
        assert.strictEqual((yield* read({ ...hook, token: own.token }, own.id, what)).status, 401)
      }
    }))

  it.effect("is one statement, which does not read what others have bought", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sales = yield* StudentSales
      const club = yield* foundClub()
      const [student, other] = [yield* makeStudent(club), yield* makeStudent(club)]
      yield* sql`
        insert into purchases (
          club_id, id, student_id, platform, external_id, status, product_external_id, created_at
        )
        select ${club.id}::uuid, gen_random_uuid(),
          case when n % 4000 = 0 then ${student.id}::uuid else ${other.id}::uuid end, 'hotmart', n::text, 'paid', 'A',
          ${new Date(0)}::timestamptz
        from generate_series(1, 20000) n`
      yield* sql`
        insert into subscriptions (
          club_id, id, student_id, platform, external_id, status, product_external_id, created_at
        )
        select club_id, id, student_id, platform, external_id, 'active', 'A', created_at from purchases
        where club_id = ${club.id}`
      yield* sql`analyze purchases, subscriptions`
      const page = { limit: 25 }
      assert.lengthOf((yield* sales.purchases(club.id, student.id, page)).data, 5)
      assert.lengthOf((yield* sales.subscriptions(club.id, student.id, page)).data, 5)
      const reads: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        sales.purchases(club.id, student.id, page),
        sales.subscriptions(club.id, student.id, page)
      ]
      for (const asked of reads) {
        assert.lengthOf(yield* statements(asked), 1)
        for (const mode of ["force_custom_plan", "force_generic_plan"]) {
          const planned = Effect.andThen(sql`set local plan_cache_mode = ${sql.literal(mode)}`, asked)
          assert.deepStrictEqual(yield* readingMuch(planned, 100), [], mode)
        }
      }
    }))
})

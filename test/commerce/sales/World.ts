import { assert } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { InboundWebhooks } from "../../../src/commerce/sales/inbound/InboundWebhooks.ts"
import { InboundQueue } from "../../../src/commerce/sales/queue/InboundQueue.ts"
import { FreeDeliveries } from "../../../src/membership/access/FreeDeliveries.ts"
import { Lapses } from "../../../src/membership/access/Lapses.ts"
import { ImportQueue } from "../../../src/membership/students/import/ImportQueue.ts"
import { StudentAccounts } from "../../../src/membership/students/StudentAccounts.ts"
import { at, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { makeCatalogDelivery, makeCohort } from "../../harness/Makers.ts"
import type { Dice } from "../../simulation/Dice.ts"
import { hottok, pathOf, sale } from "./inbound/Hooks.ts"

// All changes of students, access and sales, on a few rows of one club.

const emails = Array.from({ length: 8 }, (_, n) => `person-${n}@buyer.example`)

/** A club with deliveries, students, a shop and a registration link, and the changes that can happen in it. */
export const openWorld = Effect.fnUntraced(function*(dice: Dice) {
  const club = yield* foundClub()
  const { id: club_id, path, token } = club
  const hooks = yield* InboundWebhooks
  const students = yield* StudentAccounts
  const sold = yield* makeCatalogDelivery(club, { name: "Sold", default_access_days: 30 })
  const given = yield* makeCatalogDelivery(club, { name: "Given" })
  const free = yield* makeCatalogDelivery(club, { name: "Free" })
  const cohorts = [yield* makeCohort(club, given), yield* makeCohort(club, given)]
  const hook = yield* hooks.create(club_id, { platform: "hotmart", token_only: false, secret: Redacted.make(hottok) })
  for (const [product, { id: delivery_id }] of [["4711", sold], ["4712", given]] as const) {
    const mapping = { platform: "hotmart", external_product_id: product, delivery_id }
    const answer = yield* send("POST", `${path}/product-mappings`, { token, body: mapping })
    assert.strictEqual(answer.status, 201, answer.text)
  }
  const link = yield* send("POST", `${path}/registration-links`, { token, body: { delivery_id: given.id } })
  const code = String(at(link.json, "data", "code"))
  const known = yield* Effect.forEach([1, 2, 3, 4], () => enrolledStudent(club))
  return {
    club_id,
    code,
    cohorts,
    dice,
    free,
    given,
    hook: pathOf(Redacted.value(hook.url)),
    known,
    link: `${path}/registration-links/${String(at(link.json, "data", "id"))}`,
    path,
    sold,
    students,
    token
  }
})
export type World = Effect.Success<ReturnType<typeof openWorld>>

/** An event of a platform about a few purchases and subscriptions, in any order and with repetitions. */
const tellSale = ({ dice, hook }: World) => {
  const n = dice.between(0, 14)
  const email = emails[n % 4 + (n === 14 ? 2 : 0)] ?? ""
  const product = dice.chance(0.15) ? 9 : n % 2 === 0 ? 4711 : 4712
  const told = n % 3 === 0
    ? { email, product, transaction: `HP${n}` }
    : { email, product, transaction: `HP${n}`, subscriber: `sub-${n % 4}` }
  const event = dice.weighted([
    [5, "PURCHASE_APPROVED"],
    [1, "PURCHASE_COMPLETE"],
    [3, "PURCHASE_REFUNDED"],
    [1, "PURCHASE_CHARGEBACK"],
    [2, "PURCHASE_DELAYED"],
    [2, "SUBSCRIPTION_CANCELLATION"]
  ])
  const creation_date = Date.UTC(2026, 0, 1, dice.between(0, 500))
  const body = event === "SUBSCRIPTION_CANCELLATION"
    ? {
      id: `${dice.unit()}`,
      creation_date,
      event,
      data: {
        cancellation_date: creation_date,
        ...(dice.chance(0.5) ? { date_next_charge: Date.UTC(2100, 0, 1) } : {}),
        product: { id: product },
        subscriber: { code: `sub-${n % 4}`, name: "Bia", email }
      }
    }
    : { ...sale({ ...told, event, id: `${dice.unit()}` }), creation_date }
  return send("POST", hook, { body, headers: { "x-hotmart-hottok": hottok } })
}

const importRows = ({ dice, path, token }: World) => {
  const rows = dice.some(emails, 0.7).map((email) => ({
    name: "Caio",
    email,
    ...(dice.chance(0.6) ? { delivery: dice.chance(0.5) ? "Given" : "Sold" } : {})
  }))
  return send("POST", `${path}/students/imports`, {
    token,
    body: { rows: [...rows, { name: "Caio", email: `row-${dice.between(0, 50)}@list.example` }] }
  })
}

const anyStudent = Effect.fnUntraced(function*({ club_id, dice }: World) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql`select id, email from students where club_id = ${club_id} and removed_at is null order by id limit 12`
  const student = dice.pick(rows)
  return { id: String(student?.["id"]), email: String(student?.["email"]) }
})

const change = Effect.fnUntraced(function*(world: World) {
  const { club_id, cohorts, dice, path, token } = world
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select id, delivery_id from enrollments where club_id = ${club_id} order by id desc limit 15`
  const enrollment = dice.pick(rows)
  if (enrollment === undefined) return yield* grant(world)
  const soon = DateTime.formatIso(DateTime.add(yield* DateTime.now, { milliseconds: dice.between(5, 150) }))
  const [what, body] = dice.weighted<readonly [string, object]>([
    [3, ["revoke", { reason: "manual" }]],
    [3, ["restore", {}]],
    [2, ["extend", { expires_at: dice.chance(0.5) ? null : "2101-01-01T00:00:00.000Z" }]],
    [3, ["shorten", { expires_at: soon }]],
    [2, ["move", { cohort_id: dice.pick(cohorts)?.id ?? null }]]
  ])
  return yield* send("POST", `${path}/enrollments/${String(enrollment["id"])}/${what}`, { token, body })
})

const grant = Effect.fnUntraced(function*(world: World) {
  const { dice, given, path, sold, token } = world
  const { id } = yield* anyStudent(world)
  const delivery_id = dice.pick([given.id, sold.id])
  return yield* send("POST", `${path}/students/${id}/grants`, { token, body: { delivery_id, reason: "asked" } })
})

const patch = Effect.fnUntraced(function*(world: World) {
  const { dice, path, token } = world
  const { id } = yield* anyStudent(world)
  // Uses a unique address: a request for an address in transfer may answer "try again".
  const body = dice.chance(0.5)
    ? { email: `moved-${dice.unit()}@buyer.example` }
    : { name: `Bia ${dice.between(1, 9)}` }
  return yield* send("PATCH", `${path}/students/${id}`, { token, body })
})

const remove = Effect.fnUntraced(function*(world: World) {
  const { id } = yield* anyStudent(world)
  return yield* send("DELETE", `${world.path}/students/${id}`, { token: world.token })
})

const register = Effect.fnUntraced(function*({ code, dice, known, path }: World) {
  const student = dice.pick(known)
  return yield* send("POST", `${path}/classroom/registrations`, { token: student?.token ?? "", body: { code } })
})

const signUp = Effect.fnUntraced(function*({ club_id, cohorts, dice, given, students }: World) {
  const email = dice.pick(emails) ?? ""
  const link = { delivery_id: given.id, cohort_id: dice.pick(cohorts)?.id ?? null }
  yield* students.register(club_id, {
    email,
    name: "Duda",
    password_hash: "unusable",
    verified_at: yield* DateTime.now,
    link: dice.chance(0.5) ? link : undefined
  })
})

const offer = ({ dice, free, path, token }: World) =>
  send("PATCH", `${path}/deliveries/${free.id}`, { token, body: { free: dice.chance(0.7) } })

const inbound = Effect.asVoid(Effect.flatMap(InboundQueue, ({ tick }) => tick))
const imports = Effect.asVoid(Effect.flatMap(ImportQueue, ({ tick }) => tick))
const gifts = Effect.asVoid(Effect.flatMap(FreeDeliveries, ({ tick }) => tick))
const lapses = Effect.asVoid(Effect.flatMap(Lapses, ({ note }) => note))

/** One batch of each worker. */
export const ticks = [inbound, imports, gifts, lapses]

const deeds = {
  tellSale,
  importRows,
  change,
  grant,
  patch,
  remove,
  register,
  signUp,
  offer,
  inbound: () => inbound,
  imports: () => imports,
  gifts: () => gifts,
  lapses: () => lapses
}

/** A random change: its name and its effect, with the answer of a request if there is one. */
export const happen = (world: World) => {
  const name = world.dice.weighted<keyof typeof deeds>([
    [14, "tellSale"],
    [3, "importRows"],
    [5, "change"],
    [3, "grant"],
    [3, "patch"],
    [2, "remove"],
    [2, "register"],
    [2, "signUp"],
    [1, "offer"],
    [8, "inbound"],
    [4, "imports"],
    [2, "gifts"],
    [2, "lapses"]
  ])
  return { name, deed: deeds[name](world) }
}

const untilDone = (tick: Effect.Effect<number>) => Effect.repeat(tick, { while: (done) => done > 0 })

/** Makes all delayed work due, and works until the queues are empty. */
export const finish = Effect.fnUntraced(function*({ club_id, free, path, token }: World) {
  const sql = yield* SqlClient.SqlClient
  yield* send("PATCH", `${path}/deliveries/${free.id}`, { token, body: { free: true } })
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update inbound_events set due_at = ${now} where club_id = ${club_id} and due_at is not null`
  yield* untilDone((yield* InboundQueue).tick)
  yield* sql`update student_imports set due_at = ${now} where club_id = ${club_id} and due_at is not null`
  yield* untilDone((yield* ImportQueue).tick)
  yield* untilDone((yield* FreeDeliveries).tick)
  yield* untilDone((yield* Lapses).note)
})

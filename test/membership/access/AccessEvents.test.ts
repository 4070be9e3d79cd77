import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventSources } from "../../../src/events/EventSources.ts"
import { EventId } from "../../../src/events/EventType.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { enrollmentsOfSales } from "../../../src/membership/access/EventEnrollments.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { AccessLayer, inDays, makePurchase, makeSubscription, openCatalog } from "./AccessLayer.ts"

const TestLayer = AccessLayer.pipe(Layer.provideMerge(SpansLayer))

/** The `data` of every recorded event of these clubs, by type, in the order of the facts. */
const assembled = Effect.fnUntraced(function*(...clubs: ReadonlyArray<Parameters<typeof outboxOf>[0]>) {
  const outbox = yield* Outbox
  const sources = yield* EventSources
  const facts = yield* outbox.claimByKey((yield* Effect.forEach(clubs, outboxOf)).flat())
  const data: Array<readonly [string, unknown]> = []
  for (const fact of facts) {
    const source = yield* sources.find(fact.type)
    const found = yield* source.dataOf([fact])
    data.push([fact.type, found.get(fact.id)])
  }
  return data
})

const openEnrollment = Effect.fn("openEnrollment")(function*(given: Parameters<typeof makeEnrollment>[3] = {}) {
  const { club, delivery, student } = yield* openCatalog()
  const { id } = yield* makeEnrollment(club, student, delivery, given)
  return { club, delivery, student, id, enrollments: yield* Enrollments }
})

layer(TestLayer)("The events about access", (it) => {
  it.effect("show student and enrollment as of now, and what only the fact knew", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [now, three, nine] = yield* Effect.all([DateTime.now, inDays(3), inDays(9)])
      const { club, delivery, enrollments, id, student } = yield* openEnrollment({ expires_at: three })
      const cohort = yield* makeCohort(club, delivery)
      yield* enrollments.extend(club.id, id, nine, {})
      yield* enrollments.shorten(club.id, id, three, {})
      yield* enrollments.move(club.id, id, cohort.id, {})
      yield* enrollments.move(club.id, id, null, {})
      yield* enrollments.move(club.id, id, cohort.id, {})
      yield* enrollments.revoke(club.id, id, {})
      yield* enrollments.restore(club.id, id, {})
      yield* enrollments.revoke(club.id, id, {})
      yield* sql`update students set name = 'Bia Costa' where id = ${student.id}`
      yield* sql`update deliveries set name = 'Violão Novo' where id = ${delivery.id}`
      yield* sql`update cohorts set name = 'Turma Nova' where id = ${cohort.id}`
      const at = DateTime.formatIso(now)
      const shown = {
        student: { id: student.id, name: "Bia Costa", email: student.email, verified: true, created_at: at },
        enrollment: {
          id,
          delivery_id: delivery.id,
          delivery_name: "Violão Novo",
          cohort_id: cohort.id,
          cohort_name: "Turma Nova",
          source: "grant",
          status: "revoked",
          starts_at: at,
          expires_at: DateTime.formatIso(three),
          created_at: at,
          revoked_at: at,
          revoke_reason: "manual"
        }
      }
      const previous_cohort = { id: cohort.id, name: cohort.name }
      assert.deepStrictEqual(yield* assembled(club), [
        ["access.extended", { ...shown, previous_expires_at: DateTime.formatIso(three) }],
        ["access.shortened", { ...shown, previous_expires_at: DateTime.formatIso(nine) }],
        ["access.moved", { ...shown, previous_cohort: null }],
        ["access.moved", { ...shown, previous_cohort }],
        ["access.moved", { ...shown, previous_cohort: null }],
        ["access.revoked", shown],
        ["access.restored", shown],
        ["access.revoked", shown]
      ])
    }))

  it.effect("say whether the access is active, scheduled, over or revoked", () =>
    Effect.gen(function*() {
      const { club, student } = yield* openCatalog()
      const enrollments = yield* Enrollments
      const periods = [
        {},
        { starts_at: yield* inDays(1) },
        { starts_at: yield* inDays(-2), expires_at: yield* inDays(-1) }
      ]
      for (const period of periods) {
        const delivery = yield* makeCatalogDelivery(club)
        const place = { student_id: student.id, delivery_id: delivery.id, cohort_id: null, source: "grant" as const }
        yield* enrollments.grantAll(club.id, [{ ...place, ...period }], {})
      }
      const data = yield* assembled(club)
      assert.deepStrictEqual(data.map(([type, data]) => [type, Object(data).enrollment.status]), [
        ["access.granted", "active"],
        ["access.granted", "scheduled"],
        ["access.granted", "expired"]
      ])
    }))

  it.effect("are read for many clubs in two statements, each from its own", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const sources = yield* EventSources
      const all = [yield* openEnrollment(), yield* openEnrollment(), yield* openEnrollment()]
      for (const { club, enrollments, id } of all) yield* enrollments.revoke(club.id, id, {})
      const facts = yield* outbox.claimByKey((yield* Effect.forEach(all, ({ club }) => outboxOf(club))).flat())
      const source = yield* sources.find("access.revoked")
      assert.strictEqual((yield* statements(source.dataOf(facts))).length, 2)
      const data = yield* source.dataOf(facts)
      assert.deepStrictEqual(
        facts.map(({ club_id, id }) => [club_id, Object(data.get(id)).enrollment.id]),
        all.map(({ club, id }) => [club.id, id])
      )
      const [first, second] = facts
      if (first === undefined || second === undefined) return assert.fail()
      assert.strictEqual((yield* source.dataOf([{ ...first, club_id: second.club_id }])).size, 0)
    }))
})

const newEventId = Effect.gen(function*() {
  return EventId.make(yield* (yield* SecureRandom.SecureRandom).uuidV7())
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

layer(TestLayer)("The enrollments of a sale", (it) => {
  it.effect("are those of the purchase and of its subscription, in one statement for many clubs", () =>
    Effect.gen(function*() {
      const read = yield* enrollmentsOfSales
      const openSale = Effect.gen(function*() {
        const { club, delivery, student } = yield* openCatalog()
        const subscription = yield* makeSubscription(club, student)
        const [purchase, charge] = [
          yield* makePurchase(club, student),
          yield* makePurchase(club, student, subscription)
        ]
        const bought = yield* makeEnrollment(club, student, delivery, { source: "purchase", ...purchase })
        const second = yield* makeCatalogDelivery(club)
        const more = yield* makeEnrollment(club, student, second, { source: "purchase", ...purchase })
        const recurring = yield* makeEnrollment(club, student, delivery, {
          source: "subscription",
          starts_at: yield* inDays(1),
          ...subscription
        })
        yield* makeEnrollment(club, student, delivery)
        const club_id = club.id
        const abouts = [
          { club_id, id: yield* newEventId, ...purchase, subscription_id: null },
          { club_id, id: yield* newEventId, ...charge, ...subscription },
          { club_id, id: yield* newEventId, ...(yield* makePurchase(club, student)), subscription_id: null }
        ]
        return { abouts, club, delivery, expected: [[bought.id, more.id], [recurring.id], []] }
      })
      const [one, other] = [yield* openSale, yield* openSale]
      const abouts = [...one.abouts, ...other.abouts]
      assert.strictEqual((yield* statements(read(abouts))).length, 1)
      const found = yield* read(abouts)
      assert.deepStrictEqual(
        abouts.map(({ id }) => found.get(id)?.map((enrollment) => enrollment.id)),
        [...one.expected, ...other.expected]
      )
      assert.deepInclude(found.get(abouts[1]?.id ?? assert.fail())?.[0], {
        delivery_name: one.delivery.name,
        status: "scheduled",
        source: "subscription"
      })
      const foreign = yield* read(abouts.map((about) => ({ ...about, club_id: other.club.id })))
      assert.deepStrictEqual(one.abouts.map(({ id }) => foreign.get(id)), [[], [], []])
    }))
})

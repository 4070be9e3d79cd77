import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { PurchaseFact } from "../../../../src/commerce/sales/platform/Platform.ts"
import { EnrollmentId } from "../../../../src/membership/access/Enrollment.ts"
import { Enrollments } from "../../../../src/membership/access/Enrollments.ts"
import type { Mail } from "../../../../src/platform/mail/Mail.ts"
import { MailQueue } from "../../../../src/platform/mail/MailQueue.ts"
import { MailTransport } from "../../../../src/platform/mail/MailTransport.ts"
import { makeCatalogDelivery, makeClub, makeCourse } from "../../../harness/Makers.ts"
import {
  at,
  bia,
  chargeOf,
  eventsOf,
  momentsOf,
  openShop,
  SalesLayer,
  sold,
  stateOf,
  tell,
  tellAll
} from "./SalesLayer.ts"

const approved: PurchaseFact = { kind: "approved", at: at("10:00"), purchase: chargeOf("HP1"), ...sold }
const refunded: PurchaseFact = { ...approved, kind: "refunded", at: at("11:00") }
const chargeback: PurchaseFact = { ...approved, kind: "chargeback", at: at("12:00") }
const disputeWon: PurchaseFact = { ...approved, kind: "dispute_won", at: at("13:00"), buyer: null, products: [] }

const sent: Array<Mail> = []
const Transport = Layer.succeed(MailTransport, { send: (mail) => Effect.sync(() => void sent.push(mail)) })

layer(SalesLayer)("A purchase", (it) => {
  const shop = Effect.tap(openShop(), () => TestClock.setTime(at("14:00").epochMilliseconds))

  it.effect("that is approved makes the student, has one event and gives access", () =>
    Effect.gen(function*() {
      const { club, delivery } = yield* shop
      const settled = yield* tell(club, approved)
      assert.deepInclude(settled, { outcome: "processed", removed: false, newNames: ["HP1"] })
      const { enrollments, purchases, students } = yield* stateOf(club)
      assert.deepStrictEqual(students, [{ email: bia.email, name: bia.name }])
      assert.strictEqual(purchases.length, 1)
      assert.deepInclude(purchases[0], { external_id: "HP1", status: "paid", amount_cents: 14_950, currency: "BRL" })
      assert.deepStrictEqual(enrollments, [
        { delivery_id: delivery.id, source: "purchase", expires_at: null, revoked: false, revoke_reason: null }
      ])
      assert.deepStrictEqual(yield* eventsOf(club), ["access.granted", "purchase.paid", "student.created"])
    }))

  it.effect("mails its buyer a way in, once, whatever was told of before", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const sql = yield* SqlClient.SqlClient
      const mails = Effect.map(sql`select 1 from mails`, (rows) => rows.length)
      const before = yield* mails
      yield* tell(club, { ...refunded, purchase: chargeOf("HP0") })
      assert.strictEqual(yield* mails, before)
      yield* tell(club, approved)
      assert.strictEqual(yield* mails, before + 1)
      yield* tell(club, { ...approved, purchase: chargeOf("HP2") })
      assert.strictEqual(yield* mails, before + 1)
    }))

  it.effect("leads its buyer to what they bought, by its name", () =>
    Effect.gen(function*() {
      const { club, delivery } = yield* shop
      const sql = yield* SqlClient.SqlClient
      const course = yield* makeCourse(club)
      const other = yield* makeCatalogDelivery(club, { name: "Não comprado" })
      for (const { id: delivery_id } of [delivery, other]) {
        const item = { club_id: club.id, delivery_id, kind: "course", item_id: course.id, position: 1 }
        yield* sql`insert into delivery_items ${sql.insert(item)}`
      }
      yield* tell(club, approved)
      yield* Effect.repeat((yield* MailQueue).tick, { while: (mails) => mails > 0 })
      const mail = sent.find(({ text }) => text.includes(`next=courses%2F${course.public_id}`))
      assert.strictEqual(mail?.subject, "Seu acesso a Violão do Zero")
      assert.include(mail?.text, "Começar o curso")
      assert.notInclude(mail?.text ?? "", "Não comprado")
    }).pipe(Effect.provide(MailQueue.layer.pipe(Layer.provide(Transport)))))

  it.effect("that is approved again changes nothing and says so", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tell(club, approved)
      const before = { state: yield* stateOf(club), events: yield* eventsOf(club) }
      assert.strictEqual((yield* tell(club, { ...approved, at: at("10:30") })).outcome, "duplicate")
      assert.deepStrictEqual({ state: yield* stateOf(club), events: yield* eventsOf(club) }, before)
    }))

  it.effect("has an event with the time that the platform gives, in either order", () =>
    Effect.gen(function*() {
      for (const facts of [[approved, refunded], [refunded, approved]]) {
        const { club } = yield* shop
        yield* tellAll(club, facts)
        assert.deepStrictEqual(yield* momentsOf(club), [
          "purchase.paid 2026-03-02T10:00:00.000Z",
          "purchase.refunded 2026-03-02T11:00:00.000Z"
        ])
      }
    }))

  it.effect("has an event with the time of receipt where the platform names no time", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tell(club, { ...approved, at: null })
      assert.deepStrictEqual(yield* momentsOf(club), ["purchase.paid 2026-12-31T23:00:00.000Z"])
    }))

  it.effect("waits where no mapping names its product", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      assert.deepInclude(yield* tell(club, approved), { outcome: "unmapped", student_id: null, newNames: [] })
      assert.deepStrictEqual(yield* eventsOf(club), [])
      assert.deepStrictEqual((yield* stateOf(club)).students, [])
    }))

  it.effect("that is refunded takes its access away", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tellAll(club, [approved, refunded])
      const { enrollments, purchases } = yield* stateOf(club)
      assert.deepInclude(purchases[0], { status: "refunded" })
      assert.deepInclude(enrollments[0], { revoked: true, revoke_reason: "refund" })
      assert.deepStrictEqual(yield* eventsOf(club), [
        "access.granted",
        "access.revoked",
        "purchase.paid",
        "purchase.refunded",
        "student.created"
      ])
    }))

  it.effect("whose refund comes first is never active, not for a moment", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tell(club, refunded)
      assert.deepStrictEqual((yield* stateOf(club)).enrollments, [])
      assert.deepStrictEqual(yield* eventsOf(club), ["purchase.refunded", "student.created"])
      yield* tell(club, approved)
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { revoked: true, revoke_reason: "refund" })
    }))

  it.effect("gives access again when its dispute is won", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tellAll(club, [approved, chargeback])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { revoked: true, revoke_reason: "chargeback" })
      yield* tell(club, disputeWon)
      const { enrollments, purchases } = yield* stateOf(club)
      assert.deepInclude(purchases[0], { status: "paid" })
      assert.deepInclude(enrollments[0], { revoked: false })
    }))

  it.effect("does not give back what staff has taken away", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const sql = yield* SqlClient.SqlClient
      const access = yield* Enrollments
      yield* tell(club, approved)
      const [row] = yield* sql<{ id: string }>`select id from enrollments where club_id = ${club.id}`
      yield* access.revoke(club.id, EnrollmentId.make(row?.id ?? ""), {})
      yield* tellAll(club, [chargeback, disputeWon])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { revoked: true, revoke_reason: "manual" })
    }))

  it.effect("has access of its own: refunding another of the same product takes nothing from it", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const second: PurchaseFact = { ...approved, purchase: chargeOf("HP2") }
      yield* tellAll(club, [approved, second, refunded])
      const { enrollments } = yield* stateOf(club)
      assert.deepStrictEqual(enrollments.map(({ revoked }) => revoked).toSorted(), [false, true])
    }))

  it.effect("of a known student adds to what they have, and makes nobody", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      yield* tellAll(club, [approved, { ...approved, purchase: chargeOf("HP2") }])
      assert.strictEqual((yield* stateOf(club)).students.length, 1)
      assert.strictEqual((yield* eventsOf(club)).filter((type) => type === "student.created").length, 1)
    }))

  it.effect("gives the days that its mapping names, before the delivery's own", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(at("14:00").epochMilliseconds)
      const { club } = yield* openShop({ access_days: 30, default_access_days: 365 })
      yield* tell(club, approved)
      const [enrollment] = (yield* stateOf(club)).enrollments
      assert.deepStrictEqual(enrollment?.["expires_at"], new Date("2026-04-01T14:00:00.000Z"))
    }))

  it.effect("has its event in the club that it was made in, and nowhere else", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const { club: other } = yield* shop
      yield* tell(club, approved)
      assert.deepStrictEqual(yield* eventsOf(other), [])
      assert.strictEqual((yield* tell(other, approved)).outcome, "processed")
      assert.strictEqual((yield* stateOf(club)).purchases.length, 1)
    }))

  it.effect("is found by its other name once that is known", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const byPayment: PurchaseFact = { ...refunded, purchase: chargeOf("pi_1"), buyer: null, products: [] }
      const link = { kind: "linked" as const, alias: "pi_1", external_id: "HP1" }
      assert.deepStrictEqual(yield* tellAll(club, [byPayment, link, approved]), ["unmapped", "processed", "processed"])
      assert.deepInclude((yield* stateOf(club)).purchases[0], { external_id: "HP1", status: "refunded" })
    }))

  it.effect("of a removed student changes nothing and says whose it was", () =>
    Effect.gen(function*() {
      const { club } = yield* shop
      const sql = yield* SqlClient.SqlClient
      yield* tell(club, approved)
      yield* sql`update students set removed_at = ${new Date(0)} where club_id = ${club.id}`
      const before = { state: yield* stateOf(club), events: yield* eventsOf(club) }
      assert.deepInclude(yield* tell(club, refunded), { removed: true })
      assert.deepStrictEqual({ state: yield* stateOf(club), events: yield* eventsOf(club) }, before)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Digests } from "../../../src/membership/notifications/Digests.ts"
import { AppLayer, appLayer, at, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { openNotifiedClub } from "./Notified.ts"

/** Writes all mails that are due, and answers how many students were due. */
const work = Digests.use(({ workOne }) =>
  Effect.gen(function*() {
    for (let students = 0;; students++) if (!(yield* workOne)) return students
  })
)

/** A club in São Paulo, three hours behind UTC. `time` is the local time. */
const openedAt = Effect.fnUntraced(function*(time: string) {
  const sql = yield* SqlClient.SqlClient
  yield* TestClock.setTime(Date.parse(`2026-03-02T${time}:00-03:00`))
  const club = yield* openNotifiedClub
  yield* sql`update clubs set time_zone = 'America/Sao_Paulo' where id = ${club.id}`
  const { to } = yield* Mailbox
  return {
    ...club,
    /** The subjects of the mails about notifications that this student has got by now. */
    mailed: (student: { readonly email: string }) =>
      Effect.map(Effect.andThen(work, to(student.email)), (mails) => mails.map(({ subject }) => subject)),
    mails: (student: { readonly email: string }) => Effect.andThen(work, to(student.email))
  }
})

const one = "Alguém respondeu a você em “Respirar”"
const two = "2 novidades para você no clube Violão Fácil"

layer(AppLayer)("A daily mail", (it) => {
  it.effect("comes at 8:00 of the club, with all unread of the day, once", () =>
    Effect.gen(function*() {
      const { ana, mailed, notify } = yield* openedAt("09:00")
      yield* notify({})
      yield* TestClock.adjust("10 hours")
      yield* notify({})
      yield* TestClock.adjust(Duration.minutes(12 * 60 + 59))
      assert.deepStrictEqual(yield* mailed(ana), [])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* mailed(ana), [two])
      yield* TestClock.adjust("3 days")
      assert.deepStrictEqual(yield* mailed(ana), [two])
    }))
})

layer(AppLayer)("A daily mail about a notification before 8:00", (it) => {
  it.effect("comes on the same day, and not if it was read by then", () =>
    Effect.gen(function*() {
      const { ana, bia, mailed, notify, read } = yield* openedAt("07:00")
      yield* notify({}, { student_id: bia.id })
      yield* read(bia)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual([yield* mailed(ana), yield* mailed(bia)], [[one], []])
    }))
})

layer(AppLayer)("A mail at once", (it) => {
  it.effect("comes after a minute, with all of that minute", () =>
    Effect.gen(function*() {
      const { ana, choose, mailed, notify } = yield* openedAt("12:00")
      yield* choose(ana, "at_once")
      yield* notify({})
      yield* TestClock.adjust("59 seconds")
      yield* notify({})
      assert.deepStrictEqual(yield* mailed(ana), [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* mailed(ana), [two])
      yield* notify({})
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* mailed(ana), [two, one])
    }))
})

layer(AppLayer)("A choice of mails", (it) => {
  it.effect("moves the mail that waits, and `never` ends it", () =>
    Effect.gen(function*() {
      const { ana, bia, choose, mailed, notify } = yield* openedAt("12:00")
      yield* notify({}, { student_id: bia.id })
      yield* choose(ana, "at_once")
      yield* choose(bia, "never")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* mailed(ana), [one])
      yield* notify({ student_id: bia.id })
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* mailed(bia), [])
    }))

  it.effect("leaves out what is older than 7 days", () =>
    Effect.gen(function*() {
      const { ana, choose, mailed, notify } = yield* openedAt("12:00")
      yield* choose(ana, "never")
      yield* notify({})
      yield* TestClock.adjust("7 days")
      yield* choose(ana, "at_once")
      yield* notify({})
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* mailed(ana), [one])
    }))
})

layer(AppLayer)("The link in a mail about notifications", (it) => {
  const form = "application/x-www-form-urlencoded"

  it.effect("ends the mails without a session, by one POST of a mail program or of the page", () =>
    Effect.gen(function*() {
      const { ana, bia, choose, mailed, mails, notify, settings } = yield* openedAt("12:00")
      for (const student of [ana, bia]) yield* choose(student, "at_once")
      yield* notify({}, { student_id: bia.id })
      yield* TestClock.adjust("1 minute")
      for (const student of [ana, bia]) {
        const [mail] = yield* mails(student)
        const { pathname, search } = new URL(mail?.unsubscribe ?? assert.fail("No link"))
        assert.include(mail?.text, `/unsubscribe${search}`)
        const sent = student === ana
          ? { body: "List-Unsubscribe=One-Click", headers: { "content-type": form } }
          : {}
        const answer = yield* send("POST", `${pathname}${search}`, sent)
        assert.deepStrictEqual([answer.status, answer.json], [200, { data: { mail: "never" } }])
      }
      yield* notify({}, { student_id: bia.id })
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual([yield* mailed(ana), yield* mailed(bia)], [[one], [one]])
      assert.strictEqual(at(yield* settings(ana), "mail"), "never")
    }))

  it.effect("is refused when it is not whole", () =>
    Effect.gen(function*() {
      const sent = (token: string) => send("POST", `/v1/notifications/unsubscribe${token}`)
      assert.deepStrictEqual(outcome(yield* sent("?token=abc")), [422, "token_invalid"])
      assert.deepStrictEqual(outcome(yield* sent("")), [422, "token_invalid"])
    }))

  it.effect("changes nothing once the student was removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, forget, id, mails, notify } = yield* openedAt("07:00")
      yield* notify({})
      yield* TestClock.adjust("1 hour")
      const [mail] = yield* mails(ana)
      const { pathname, search } = new URL(mail?.unsubscribe ?? assert.fail("No link"))
      yield* forget(ana)
      assert.strictEqual((yield* send("POST", `${pathname}${search}`)).status, 200)
      assert.deepStrictEqual(yield* sql`select 1 from notification_settings where club_id = ${id}`, [])
    }))
})

layer(AppLayer)("A removed student", (it) => {
  it.effect("gets no mail about notifications, though one was due or written", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, forget, mailed, notify } = yield* openedAt("07:00")
      yield* notify({}, { student_id: bia.id })
      yield* forget(ana)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* work, 1)
      yield* forget(bia)
      assert.deepStrictEqual(yield* sql`select 1 from mails where about = ${bia.id}`, [])
      assert.deepStrictEqual([yield* mailed(ana), yield* mailed(bia)], [[], []])
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "1" }))("Beyond the cap of its address", (it) => {
  it.effect("a mail about notifications waits for the end of the hour, with what came meanwhile", () =>
    Effect.gen(function*() {
      const { ana, choose, mailed, notify } = yield* openedAt("12:00")
      yield* choose(ana, "at_once")
      yield* notify({})
      yield* TestClock.adjust("1 minute")
      yield* mailed(ana)
      for (const _ of [1, 2]) {
        yield* notify({})
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* mailed(ana), [one])
      }
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* mailed(ana), [one, two])
    }))
})

layer(appLayer({ MAILS_PER_CLUB: "3" }))("Mails about notifications", (it) => {
  it.effect("leave half of the club's day to others, and wait for 8:00 of the next day", () =>
    Effect.gen(function*() {
      const { ana, bia, mailed, notify, path, token } = yield* openedAt("07:00")
      yield* send("POST", `${path}/students`, {
        token,
        body: { name: "Caio", email: "caio@student.example", send_invite: true }
      })
      yield* notify({}, { student_id: bia.id })
      yield* TestClock.adjust("1 hour")
      const first = [...yield* mailed(ana), ...yield* mailed(bia)]
      assert.deepStrictEqual(first, [one])
      const invited = yield* send("POST", `${path}/students`, {
        token,
        body: { name: "Davi", email: "davi@student.example", send_invite: true }
      })
      assert.strictEqual(invited.status, 201)
      yield* TestClock.adjust(Duration.minutes(23 * 60 + 59))
      assert.lengthOf([...yield* mailed(ana), ...yield* mailed(bia)], 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([...yield* mailed(ana), ...yield* mailed(bia)], [one, one])
    }))
})

layer(AppLayer)("A mail about notifications that cannot be written", (it) => {
  it.effect("waits ten minutes, and delays no other", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, mailed, notify } = yield* openedAt("07:00")
      yield* notify({ title: "Quebrada" }, { student_id: bia.id })
      yield* TestClock.adjust("1 hour")
      yield* sql`
        alter table notifications add constraint breaks check (title <> 'Quebrada' or mailed_at is null) not valid`
      const both = Effect.all([mailed(ana), mailed(bia)])
      const mails = yield* Effect.ensuring(both, Effect.orDie(sql`alter table notifications drop constraint breaks`))
      assert.deepStrictEqual(mails, [[], [one]])
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(yield* mailed(ana), 1)
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MailCaps, sweepMailCounts } from "../../../src/membership/caps/MailCaps.ts"
import { StudentAdmission } from "../../../src/membership/students/StudentAdmission.ts"
import { appLayer, at, configLayer, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import {
  changePassword,
  forgot,
  grantedBy,
  registered,
  signedIn,
  signIn,
  signUp,
  studentsOf,
  subjects
} from "../accounts/People.ts"
import { guest, invite, openIn } from "../clubs/Invite.ts"

const limited = [429, "mail_limit_reached"]

type Club = Effect.Success<ReturnType<typeof foundClub>>

const letIn = ({ path, token }: Club, email: string) =>
  send("POST", `${path}/students`, { token, body: { name: "Caio Reis", email, send_invite: true } })

const moveTo = ({ path, token }: Club, student: { readonly id: string }, email: string) =>
  send("PATCH", `${path}/students/${student.id}`, { token, body: { email } })

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status).toSorted()

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))("Mails to one address", (it) => {
  it.effect("are ten invitations an hour at most, of 25 at once from any number of clubs", () =>
    Effect.gen(function*() {
      yield* warmPool
      const clubs = [yield* foundClub(), yield* foundClub()]
      const { email } = yield* guest
      const answers = yield* Effect.forEach(
        Array.from({ length: 25 }, (_, n) => n),
        (n) => Effect.flatMap(Effect.fromNullishOr(clubs[n % 2]), (club) => invite(club, { email, role: "editor" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(statuses(answers), [...Array(10).fill(201), ...Array(15).fill(429)])
      assert.lengthOf(yield* subjects(email), 10)
      const refused = answers.find(({ status }) => status === 429)
      assert.deepStrictEqual([refused && outcome(refused), refused?.headers["retry-after"]], [limited, "3600"])
    }))

  it.effect("are ten an hour again once the hour is over, and the kinds count apart", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email } = yield* guest
      for (let n = 0; n < 10; n++) yield* invite(club, { email, role: "editor" })
      yield* TestClock.adjust("59 minutes")
      const refused = yield* invite(club, { email, role: "viewer" })
      assert.deepStrictEqual([outcome(refused), refused.headers["retry-after"]], [limited, "60"])
      assert.strictEqual((yield* letIn(club, email)).status, 201)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* invite(club, { email, role: "editor" })).status, 201)
    }))

  it.effect("leave the invitation as it was where they are too many", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email } = yield* guest
      for (let n = 0; n < 10; n++) yield* invite(club, { email, role: "editor" })
      const before = yield* openIn(club)
      assert.deepStrictEqual(outcome(yield* invite(club, { email, role: "viewer" })), limited)
      assert.deepStrictEqual(yield* openIn(club), before)
    }))

  it.effect("let nobody in where they are too many, however often a student is removed and made again", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { email } = yield* guest
      for (let n = 0; n < 10; n++) {
        const made = yield* letIn(club, email)
        yield* send("DELETE", `${club.path}/students/${at(made.json, "data", "id")}`, { token: club.token })
      }
      assert.deepStrictEqual(outcome(yield* letIn(club, email)), limited)
      assert.deepStrictEqual(
        listAt((yield* send("GET", `${club.path}/students`, { token: club.token })).json, "data"),
        []
      )
    }))

  it.effect("of a changed address are too many once, and the address stays", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* makeStudent(club)
      for (let n = 0; n < 10; n++) {
        assert.strictEqual(
          (yield* moveTo(club, student, n % 2 === 0 ? `b-${student.email}` : student.email)).status,
          200
        )
      }
      assert.deepStrictEqual(outcome(yield* moveTo(club, student, `c-${student.email}`)), limited)
      const { json } = yield* send("GET", `${club.path}/students/${student.id}`, { token: club.token })
      assert.strictEqual(at(json, "data", "email"), student.email)
    }))

  it.effect("are counted by all processes together", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const processes = yield* Effect.replicateEffect(
        Effect.provide(
          MailCaps,
          Layer.fresh(MailCaps.layer).pipe(Layer.provide(configLayer({ MAILS_PER_ADDRESS: "10" })))
        ),
        4
      )
      const tries = processes.flatMap((caps) =>
        Array.from(
          { length: 10 },
          () => Effect.option(sql.withTransaction(caps.take(club.id, "member_invitation", ["x@example.com"])))
        )
      )
      const taken = yield* Effect.all(tries, { concurrency: "unbounded" })
      assert.lengthOf(taken.filter(({ _tag }) => _tag === "Some"), 10)
    }))

  it.effect("are counted beside processes of the version before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const { email } = yield* guest
      yield* invite(club, { email, role: "editor" })
      const closes_at = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { hours: 1 }))
      const countAsBefore = sql`
        insert into address_mails (key, used, closes_at)
        select key, 1, ${closes_at}::timestamptz
        from (select key from address_mails union select sha256('somebody else')) given
        on conflict (key) do update set used = address_mails.used + 1
        where address_mails.used < 10
        returning used`
      const counted = Effect.map(countAsBefore, ({ length }) => length)
      const both = yield* counted
      assert.isAtLeast(both, 2)
      assert.strictEqual(yield* counted, both)
      const answers = yield* Effect.replicateEffect(invite(club, { email, role: "editor" }), 10)
      assert.deepStrictEqual(statuses(answers), [...Array(9).fill(201), 429])
    }))

  it.effect("are counted without a readable address, and no longer than they count", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      const { email } = yield* guest
      yield* invite(club, { email, role: "editor" })
      const kept = Effect.map(sql`select t::text from address_mails t`, (rows) => JSON.stringify(rows))
      assert.notInclude(yield* kept, email)
      yield* TestClock.adjust("1 hour")
      yield* sweepMailCounts
      assert.strictEqual(yield* kept, "[]")
      assert.lengthOf(yield* sql`select from club_mails where club_id = ${club.id}`, 1)
      yield* TestClock.adjust("3 days")
      yield* sweepMailCounts
      assert.lengthOf(yield* sql`select from club_mails`, 0)
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))("Notices of a changed password", (it) => {
  const passwords = ["correct horse", "a better one"] as const

  /** Changes the password this many times, back and forth. */
  const change = (side: ReturnType<typeof studentsOf>, token: string, count: number) =>
    Effect.forEach(
      Array.from({ length: count }, (_, n) => n % 2 === 0 ? passwords : passwords.toReversed()),
      ([current = "", next = ""]) => changePassword(side, token, current, next)
    )

  const notices = (email: string) =>
    Effect.map(subjects(email), (all) => all.filter((subject) => /password was changed/.test(subject)).length)

  /** A student of the club with a session, whose address the staff changed to this one. */
  const movedTo = Effect.fnUntraced(function*(club: Club, email: string) {
    const side = studentsOf(club)
    const person = yield* signedIn(side)
    const { json } = yield* send("GET", `${club.path}/students`, { token: club.token })
    yield* moveTo(club, { id: String(at(json, "data", 0, "id")) }, email)
    return { side, token: grantedBy(yield* signIn(side, email, person.password)) }
  })

  it.effect("are ten an hour to an address that a student was moved to, and every change is made", () =>
    Effect.gen(function*() {
      const email = "victim@mail.example"
      const { side, token } = yield* movedTo(yield* foundClub(), email)
      assert.deepStrictEqual(statuses(yield* change(side, token, 14)), Array(14).fill(200))
      assert.strictEqual(yield* notices(email), 10)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(statuses(yield* change(side, token, 1)), [200])
      assert.strictEqual(yield* notices(email), 11)
      assert.strictEqual((yield* signIn(side, email, "a better one")).status, 200)
    }))

  it.effect("are not kept from an address by what it is mailed otherwise, nor from another club", () =>
    Effect.gen(function*() {
      const email = "owner@mail.example"
      const [one, other] = [yield* foundClub(), yield* foundClub()]
      const own = yield* movedTo(one, email)
      const attacking = yield* movedTo(other, email)
      yield* change(attacking.side, attacking.token, 12)
      yield* Effect.replicateEffect(forgot(own.side, email), 12)
      yield* Effect.replicateEffect(invite(other, { email, role: "viewer" }), 12)
      const before = yield* notices(email)
      assert.strictEqual(before, 10)
      yield* change(own.side, own.token, 1)
      assert.strictEqual(yield* notices(email), 11)
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))(
  "Sign-ups with an address that has an account",
  (it) => {
    it.effect("tell it so ten times an hour, and are answered all the same", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const side = studentsOf(club)
        const { email } = yield* registered(side)
        const told = Effect.map(
          subjects(email),
          (all) => all.filter((subject) => /already have an account/.test(subject))
        )
        const again = signUp(side, { name: "Bia", email, password: "correct horse" })
        const answers = yield* Effect.replicateEffect(again, 14)
        assert.deepStrictEqual(statuses(answers), Array(14).fill(answers[0]?.status))
        assert.lengthOf(yield* told, 10)
        yield* TestClock.adjust("1 hour")
        yield* again
        assert.lengthOf(yield* told, 11)
      }))
  }
)

/** Asserts that five of the 21 buyers get a mail each day, until 20 have one. */
const fiveADay = Effect.fnUntraced(function*(buyers: ReadonlyArray<{ readonly email: string }>) {
  const mailbox = yield* Mailbox
  const mailed = Effect.map(
    Effect.forEach(buyers, ({ email }) => mailbox.to(email)),
    (mails) => mails.flat().length
  )
  assert.strictEqual(yield* mailed, 5)
  for (const all of [10, 15, 20, 20]) {
    yield* TestClock.adjust("1 day")
    assert.strictEqual(yield* mailed, all)
  }
})

const fewMails = appLayer({ MAILS_PER_CLUB: "5" }).pipe(Layer.provideMerge(Logger.layer([])))

layer(fewMails)("Mails of one club", (it) => {
  const addresses = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${word}-${n}@mail.example`)

  it.effect("are no more on a day of its time zone than may be, of many at once and of any kind", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* warmPool
      const club = yield* foundClub()
      yield* sql`update clubs set time_zone = 'America/Sao_Paulo' where id = ${club.id}`
      const sending = addresses("day", 12).map((email, n) =>
        n % 2 === 0 ? letIn(club, email) : invite(club, { email, role: "viewer" })
      )
      const answers = yield* Effect.all(sending, { concurrency: "unbounded" })
      assert.deepStrictEqual(statuses(answers), [...Array(5).fill(201), ...Array(7).fill(429)])
      // In São Paulo it is 21:00.
      const refused = yield* moveTo(club, yield* makeStudent(club), "moved@mail.example")
      assert.deepStrictEqual([outcome(refused), refused.headers["retry-after"]], [limited, "10800"])
      assert.strictEqual((yield* letIn(yield* foundClub(), "day-0@mail.example")).status, 201)
      yield* TestClock.adjust("3 hours")
      assert.strictEqual((yield* letIn(club, "tomorrow@mail.example")).status, 201)
    }))

  it.effect("have no new day where the club chooses another time zone", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const let5 = yield* Effect.forEach(addresses("zone", 5), (email) => letIn(club, email))
      assert.deepStrictEqual(statuses(let5), Array(5).fill(201))
      for (const time_zone of ["Asia/Tokyo", "Pacific/Niue", "UTC", "Asia/Tokyo"]) {
        yield* send("PATCH", club.path, { token: club.token, body: { time_zone } })
        assert.deepStrictEqual(outcome(yield* letIn(club, "beyond@mail.example")), limited, time_zone)
      }
      yield* TestClock.adjust("24 hours")
      assert.strictEqual((yield* letIn(club, "next-day@mail.example")).status, 201)
    }))

  it.effect("wait for a day with room where a sale causes them, and are dropped after three, and nothing fails", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const club = yield* foundClub()
      const buyers = yield* Effect.forEach(addresses("buyer", 21), (email) => makeStudent(club, { email }))
      yield* Effect.forEach(buyers, ({ id }) => admission.inviteBuyers(club.id, [id]))
      yield* fiveADay(buyers)
    }))

  it.effect("wait as well where many sales cause them at once, whatever is left of each day", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const club = yield* foundClub()
      const buyers = yield* Effect.forEach(addresses("together", 21), (email) => makeStudent(club, { email }))
      const ids = buyers.map(({ id }) => id)
      yield* admission.inviteBuyers(club.id, ids.slice(0, 3))
      yield* admission.inviteBuyers(club.id, ids.slice(3))
      yield* fiveADay(buyers)
    }))

  it.effect("are not caused by an import, nor counted where a student asks", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* makeStudent(club)
      yield* Effect.forEach(addresses("full", 5), (email) => letIn(club, email))
      const body = { rows: [{ name: "Caio", email: "imported@mail.example" }] }
      const imported = yield* send("POST", `${club.path}/students/imports`, { token: club.token, body })
      assert.strictEqual(imported.status, 202)
      yield* send("POST", "/v1/auth/access", { body: { club_id: club.organization_id, email: student.email } })
      assert.lengthOf(yield* subjects(student.email), 1)
    }))
})

const Waiting = Schema.Array(Schema.Struct({ next_attempt_at: Schema.DateTimeUtcFromDate }))

/** The minutes at which the mails about these students leave, since 1970. */
const leaving = Effect.fnUntraced(function*(students: ReadonlyArray<{ readonly id: string }>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select next_attempt_at from mails where ${sql.in("about", students.map(({ id }) => id))} order by next_attempt_at`
  const mails = yield* Schema.decodeUnknownEffect(Waiting)(rows)
  return mails.map(({ next_attempt_at }) => DateTime.toEpochMillis(next_attempt_at) / 60_000)
})

/** The minutes from now until the mails about a student leave. */
const leavesIn = Effect.fnUntraced(function*(student: { readonly id: string }) {
  const now = DateTime.toEpochMillis(yield* DateTime.now) / 60_000
  return (yield* leaving([student])).map((minute) => minute - now)
})

const mostInAnHour = (minutes: ReadonlyArray<number>) =>
  Math.max(...minutes.map((begin) => minutes.filter((other) => other >= begin && other < begin + 60).length))

/** The same person as a student of this many clubs. */
const inClubs = Effect.fnUntraced(function*(count: number, email: string) {
  const clubs = yield* Effect.replicateEffect(foundClub(), count)
  return yield* Effect.forEach(
    clubs,
    (club) => Effect.map(makeStudent(club, { email }), (student) => ({ club, student }))
  )
})

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))("A buyer's mail", (it) => {
  it.effect("leaves within the hour where another club has had the address' ten mailed, and takes nobody's place", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const mailbox = yield* Mailbox
      const other = yield* foundClub()
      const email = "ten@mail.example"
      for (let n = 0; n < 10; n++) {
        const made = yield* letIn(other, email)
        yield* send("DELETE", `${other.path}/students/${at(made.json, "data", "id")}`, { token: other.token })
      }
      yield* TestClock.adjust("20 minutes")
      const buyer = (yield* inClubs(1, email))[0] ?? assert.fail("No buyer")
      yield* admission.inviteBuyers(buyer.club.id, [buyer.student.id])
      const mails = Effect.map(mailbox.to(email), ({ length }) => length)
      const before = yield* mails
      yield* TestClock.adjust("39 minutes")
      assert.strictEqual(yield* mails, before)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* mails, before + 1)
      const answers = yield* Effect.replicateEffect(
        Effect.tap(
          letIn(other, email),
          ({ json }) => send("DELETE", `${other.path}/students/${at(json, "data", "id")}`, { token: other.token })
        ),
        10
      )
      assert.deepStrictEqual(statuses(answers), [...Array(9).fill(201), 429])
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))("A buyer who is removed", (it) => {
  it.effect("leaves their hour to other clubs' buyers, however often somebody sells to the address and removes it", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const mailbox = yield* Mailbox
      const email = "victim@mail.example"
      const attacker = yield* foundClub()
      const buyer = (yield* inClubs(1, email))[0] ?? assert.fail("No buyer")
      const left: Array<number> = []
      for (let minute = 0; minute <= 60; minute++) {
        if (minute === 30) yield* admission.inviteBuyers(buyer.club.id, [buyer.student.id])
        const { id } = yield* makeStudent(attacker, { email })
        yield* admission.inviteBuyers(attacker.id, [id])
        const mails = yield* mailbox.to(email)
        left.push(...Array(mails.length - left.length).fill(minute))
        assert.strictEqual(
          (yield* send("DELETE", `${attacker.path}/students/${id}`, { token: attacker.token })).status,
          204
        )
        if (minute >= 30 && minute < 60) assert.deepStrictEqual(yield* leavesIn(buyer.student), [60 - minute])
        yield* TestClock.adjust("1 minute")
      }
      assert.deepStrictEqual(yield* leavesIn(buyer.student), [])
      assert.deepStrictEqual(left, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 60])
    }))
})

const oneMail = appLayer({ MAILS_PER_ADDRESS: "1" }).pipe(Layer.provideMerge(Logger.layer([])))

layer(oneMail)("Mails to one address that sales cause", (it) => {
  it.effect("wait for an hour of their own, of 100 at once from any club, and are dropped after three days", () =>
    Effect.gen(function*() {
      yield* warmPool
      const admission = yield* StudentAdmission
      const buyers = yield* inClubs(2, "hundred@mail.example")
      const sales = buyers.flatMap(({ club, student }) =>
        Array.from({ length: 50 }, () => admission.inviteBuyers(club.id, [student.id]))
      )
      yield* Effect.all(sales, { concurrency: "unbounded", discard: true })
      const minutes = yield* leaving(buyers.map(({ student }) => student))
      assert.deepStrictEqual(minutes, Array.from({ length: 4 * 24 }, (_, n) => n * 60))
    }))

  it.effect("wait for an hour of their own without holding up those to others", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const club = yield* foundClub()
      const [busy, free] = [yield* makeStudent(club), yield* makeStudent(club)]
      yield* admission.inviteBuyers(club.id, [busy.id])
      yield* admission.inviteBuyers(club.id, [busy.id, free.id])
      assert.deepStrictEqual(yield* leavesIn(busy), [0, 60])
      assert.deepStrictEqual(yield* leavesIn(free), [0])
    }))

  it.effect("wait no more, nor take anybody's hour, once the buyer has another address", () =>
    Effect.gen(function*() {
      const admission = yield* StudentAdmission
      const email = "moved@mail.example"
      const [first, second, third] = yield* inClubs(3, email)
      if (first === undefined || second === undefined || third === undefined) return assert.fail("No buyers")
      yield* admission.inviteBuyers(first.club.id, [first.student.id])
      yield* admission.inviteBuyers(second.club.id, [second.student.id])
      assert.deepStrictEqual(yield* leavesIn(second.student), [60])
      assert.strictEqual((yield* moveTo(second.club, second.student, `b-${email}`)).status, 200)
      // The two notices of the change.
      assert.deepStrictEqual(yield* leavesIn(second.student), [0, 0])
      yield* admission.inviteBuyers(third.club.id, [third.student.id])
      assert.deepStrictEqual(yield* leavesIn(third.student), [60])
    }))
})

const fewOfBoth = appLayer({ MAILS_PER_ADDRESS: "2", MAILS_PER_CLUB: "5" })

layer(fewOfBoth)("Mails of a club that has had those of its day", (it) => {
  it.effect("wait for an hour of their address all the same, whatever else it gets meanwhile", () =>
    Effect.gen(function*() {
      yield* warmPool
      const admission = yield* StudentAdmission
      const buyers = yield* inClubs(3, "busy@mail.example")
      yield* TestClock.adjust("21 hours")
      const told: Array<ReadonlyArray<number>> = []
      for (let round = 0; round < 3; round++) {
        const sales = buyers.flatMap(({ club, student }) =>
          Array.from({ length: 5 }, () => admission.inviteBuyers(club.id, [student.id]))
        )
        yield* Effect.all(sales, { concurrency: "unbounded", discard: true })
        told.push(yield* leaving(buyers.map(({ student }) => student)))
        yield* TestClock.adjust("50 minutes")
      }
      const [minutes] = told.slice(-1)
      assert.lengthOf(minutes ?? [], 45)
      assert.strictEqual(mostInAnHour(minutes ?? []), 2)
      for (const { student } of buyers) {
        const days = (yield* leaving([student])).map((minute) => Math.floor(minute / (24 * 60)))
        for (const day of days) assert.isAtMost(days.filter((other) => other === day).length, 5)
      }
    }))
})

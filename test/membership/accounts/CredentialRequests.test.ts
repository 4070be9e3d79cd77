import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CredentialRequests } from "../../../src/membership/accounts/CredentialRequests.ts"
import { AppLayer, appLayer, at, foundClub } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeClub, makeMember } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { access, admins, forgot, newAddress, registered, resend, signUp, studentsOf, subjects } from "./People.ts"

const logged: Array<string> = []
const QuietLayer = AppLayer
  .pipe(Layer.provideMerge(Logger.layer([Logger.make((line) => void logged.push(Logger.formatJson.log(line)))])))

const count = Effect.fn("count")(function*(table: string) {
  const sql = yield* SqlClient.SqlClient
  return at(yield* sql`select count(*)::int as count from ${sql(table)}`, 0, "count")
})

/** Runs the work while the service cannot store a mail. */
const withoutMails = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table mails rename to elsewhere`
  return yield* Effect.ensuring(work, Effect.orDie(sql`alter table elsewhere rename to mails`))
})

layer(QuietLayer)("A request for a mail", (it) => {
  it.effect("that meets a fault of ours is postponed, with nothing half done, and answered later", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const { email } = yield* registered(admins)
      const [tokens, mailed] = [yield* count("one_time_tokens"), yield* subjects(email)]
      yield* forgot(admins, email)
      yield* withoutMails(Effect.gen(function*() {
        assert.isTrue(yield* requests.workOne)
        assert.isFalse(yield* requests.workOne)
      }))
      assert.strictEqual(yield* count("one_time_tokens"), tokens)
      yield* TestClock.adjust("9999 millis")
      assert.lengthOf(yield* subjects(email), mailed.length)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* subjects(email)).slice(mailed.length), ["Create a new password"])
      assert.strictEqual(yield* count("credential_requests"), 0)
    }))

  it.effect("that meets a fault of ours is logged without the address", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const { email } = yield* registered(admins)
      yield* forgot(admins, email)
      logged.length = 0
      yield* withoutMails(requests.workOne)
      const lines = logged.filter((line) => line.includes("A credential request failed and is postponed"))
      assert.lengthOf(lines, 1)
      assert.notInclude(lines.join(), email)
      const mailbox = yield* Mailbox
      yield* TestClock.adjust("10 seconds")
      yield* mailbox.deliver
    }))

  it.effect("is never lost, however often it fails, and tried once an hour in the end", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const { email } = yield* registered(admins)
      yield* forgot(admins, email)
      yield* withoutMails(Effect.gen(function*() {
        for (let failure = 0; failure < 20; failure++) {
          assert.isTrue(yield* requests.workOne, String(failure))
          assert.isFalse(yield* requests.workOne)
          yield* TestClock.adjust("1 hour")
        }
      }))
      assert.strictEqual((yield* subjects(email)).at(-1), "Create a new password")
    }))

  it.effect("does not hold up the ones after it", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const { email } = yield* registered(admins)
      yield* forgot(admins, email)
      yield* TestClock.adjust("1 second")
      yield* forgot(admins, yield* newAddress)
      yield* withoutMails(Effect.gen(function*() {
        assert.isTrue(yield* requests.workOne)
        assert.isTrue(yield* requests.workOne)
        assert.isFalse(yield* requests.workOne)
      }))
      assert.strictEqual(yield* count("credential_requests"), 1)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* subjects(email)).at(-1), "Create a new password")
    }))

  it.effect("is answered once, however many workers there are", () =>
    Effect.gen(function*() {
      yield* warmPool
      const requests = yield* CredentialRequests
      for (let round = 0; round < 5; round++) {
        const { email } = yield* registered(admins)
        yield* forgot(admins, email)
        const worked = yield* Effect.all(Array.from({ length: 8 }, () => requests.workOne), {
          concurrency: "unbounded"
        })
        assert.lengthOf(worked.filter((worked) => worked), 1)
        assert.lengthOf((yield* subjects(email)).filter((subject) => subject === "Create a new password"), 1)
      }
    }))

  it.effect("is shared out among workers, and each is answered once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const requests = yield* CredentialRequests
      const people = yield* Effect.forEach(Array.from({ length: 12 }), () => registered(admins))
      yield* Effect.forEach(people, ({ email }) => forgot(admins, email))
      const drain = Effect.repeat(requests.workOne, { while: (worked) => worked })
      yield* Effect.all(Array.from({ length: 8 }, () => drain), { concurrency: "unbounded" })
      for (const { email } of people) {
        assert.lengthOf((yield* subjects(email)).filter((subject) => subject === "Create a new password"), 1)
      }
    }))

  it.effect("that no worker takes is known by how long it has been due", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const waited = requests.oldestDueSeconds
      assert.strictEqual(yield* waited, 0)
      yield* forgot(admins, yield* newAddress)
      yield* TestClock.adjust("90 seconds")
      yield* forgot(admins, yield* newAddress)
      assert.strictEqual(yield* waited, 90)
      yield* requests.workOne
      assert.strictEqual(yield* waited, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* waited, 1)
      yield* requests.workOne
      assert.strictEqual(yield* waited, 0)
    }))

  it.effect("that is postponed is not waiting before it is due again", () =>
    Effect.gen(function*() {
      const requests = yield* CredentialRequests
      const { email } = yield* registered(admins)
      yield* forgot(admins, email)
      yield* withoutMails(requests.workOne)
      assert.strictEqual(yield* requests.oldestDueSeconds, 0)
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* requests.oldestDueSeconds, 5)
      assert.isTrue(yield* requests.workOne)
    }))

  it.effect("about a sign-up that has expired mails nothing", () =>
    Effect.gen(function*() {
      const email = yield* newAddress
      yield* signUp(admins, { email })
      yield* TestClock.adjust("24 hours")
      assert.lengthOf(yield* subjects(email), 0)
      assert.strictEqual(yield* count("credential_requests"), 0)
    }))
})

layer(appLayer({ MAILS_PER_ADDRESS: "10" }))("A mail about an account", (it) => {
  it.effect("that is to be made is in the language that the browser asked for", () =>
    Effect.gen(function*() {
      const email = yield* newAddress
      yield* signUp(admins, { email }, { "accept-language": "fr, pt-BR;q=0.9, en;q=0.1" })
      assert.deepStrictEqual(yield* subjects(email), ["Confirme seu e-mail"])
    }))

  it.effect("without a club is in English", () =>
    Effect.gen(function*() {
      const { email } = yield* registered(admins)
      yield* access(admins, email)
      assert.deepStrictEqual(yield* subjects(email), ["Confirm your e-mail address", "Your access code"])
    }))

  it.effect("of a club's member is in the club's language, whatever the browser asks for", () =>
    Effect.gen(function*() {
      const { owner } = yield* foundClub({ locale: "pt-BR" })
      yield* forgot(admins, owner.email)
      const member = yield* makeMember(yield* makeClub({ locale: "en" }), "viewer")
      yield* forgot(admins, member.email)
      assert.deepStrictEqual(yield* subjects(owner.email), ["Crie uma nova senha"])
      assert.deepStrictEqual(yield* subjects(member.email), ["Create a new password"])
    }))

  it.effect("goes to one address ten times an hour at most, of each kind, and the answer is the same", () =>
    Effect.gen(function*() {
      const { email } = yield* registered(admins)
      const before = (yield* subjects(email)).length
      for (let n = 0; n < 12; n++) assert.strictEqual((yield* forgot(admins, email)).status, 202)
      assert.lengthOf(yield* subjects(email), before + 10)
      yield* access(admins, email)
      assert.lengthOf(yield* subjects(email), before + 11)
      yield* TestClock.adjust("1 hour")
      yield* forgot(admins, email)
      assert.lengthOf(yield* subjects(email), before + 12)
    }))

  it.effect("is made for every sign-up, so that strangers cannot use up the link of one's own", () =>
    Effect.gen(function*() {
      const email = yield* newAddress
      for (let n = 0; n < 12; n++) assert.strictEqual((yield* signUp(admins, { email })).status, 202)
      assert.lengthOf(yield* subjects(email), 12)
    }))

  it.effect("goes to one address thirty times an hour at most for sign-ups, of all clubs and spellings together", () =>
    Effect.gen(function*() {
      const email = yield* newAddress
      const sides = [admins, studentsOf(yield* makeClub()), studentsOf(yield* makeClub())]
      const answers: Array<string> = []
      for (let n = 0; n < 36; n++) {
        const { status, text } = yield* signUp(sides[n % 3] ?? admins, {
          email: n % 2 === 0 ? email : email.replace("mail", "ｍａｉｌ")
        })
        answers.push(`${status} ${text}`)
      }
      assert.lengthOf(yield* subjects(email), 30)
      assert.lengthOf([...new Set(answers)], 1)
      yield* TestClock.adjust("1 hour")
      yield* signUp(admins, { email })
      assert.lengthOf(yield* subjects(email), 31)
    }))

  it.effect("links to the configured pages, whatever host was asked", () =>
    Effect.gen(function*() {
      const mailbox = yield* Mailbox
      const club = yield* makeClub()
      const email = yield* newAddress
      const spoofed = { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" }
      yield* signUp(studentsOf(club), { email }, spoofed)
      yield* resend(studentsOf(club), email)
      const texts = (yield* mailbox.to(email)).map(({ html, text }) => text + html)
      assert.lengthOf(texts, 2)
      for (const text of texts) {
        assert.include(text, `https://turma.example/classroom/${club.organization_id}/`)
        assert.notInclude(text, "evil.example")
      }
    }))
})

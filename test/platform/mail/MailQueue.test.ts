import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Deferred, Duration, Effect, Fiber, Layer, Logger, Queue, Redacted, Ref } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { type Mail, MailNotSent } from "../../../src/platform/mail/Mail.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { batch, MailQueue, MailWorkerLayer } from "../../../src/platform/mail/MailQueue.ts"
import { MailSignal } from "../../../src/platform/mail/MailSignal.ts"
import { MailsRepo } from "../../../src/platform/mail/MailsRepo.ts"
import { MailTransport } from "../../../src/platform/mail/MailTransport.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { startSmtp } from "../../harness/Smtp.ts"

const SealingLayer = Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7)))
  .pipe(Layer.provide(SecureRandom.layerWebCrypto))

const TestLayer = Layer.mergeAll(Mailer.layer, MailsRepo.layer, MailSignal.layer)
  .pipe(Layer.provideMerge(Layer.merge(PostgresLayer, SealingLayer)))
const mailTo = (recipient: string): Mail => ({
  recipient,
  subject: "Access",
  text: "https://turma.example/?token=s3cret",
  html: "<p>s3cret</p>"
})

const enqueue = (...recipients: ReadonlyArray<string>) =>
  Effect.flatMap(
    Mailer,
    (mailer) => Effect.forEach(recipients, (recipient) => mailer.enqueue(mailTo(recipient)), { discard: true })
  )

/** Sends one batch through this transport. */
const tickWith = (transport: Layer.Layer<MailTransport>) =>
  Effect.flatMap(MailQueue, ({ tick }) => tick).pipe(Effect.provide(Layer.provide(MailQueue.layer, transport)))

const tickOver = (send: MailTransport["Service"]["send"]) => tickWith(Layer.succeed(MailTransport, { send }))

const tickOverSmtp = (url: Redacted.Redacted) => tickWith(Layer.orDie(MailTransport.layerSmtp(url)))

const down = () => new MailNotSent({ reason: "ESOCKET", permanent: false })

const rows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ last_error: string | null; row: string }>`
    select last_error, (mails.*)::text as row, encode(content, 'escape') as readable from mails order by id`
})

const clear = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from mails`)

layer(TestLayer)("The queue of mails", (it) => {
  it.effect("sends nothing about somebody that was taken back, and the rest", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      const smtp = yield* startSmtp()
      const [ann, bob] = [randomUUID(), randomUUID()]
      yield* mailer.enqueue(mailTo("ann@example.com"), { about: ann })
      yield* mailer.enqueue(mailTo("ann@example.com"), { about: ann })
      yield* mailer.enqueue(mailTo("bob@example.com"), { about: bob })
      yield* mailer.enqueue(mailTo("eve@example.com"))
      assert.strictEqual(yield* mailer.takeBack([ann, randomUUID()]), 2)
      assert.strictEqual(yield* mailer.takeBack([]), 0)
      assert.strictEqual(yield* tickOverSmtp(smtp.url), 2)
      yield* clear
    }))

  it.effect("sends what is urgent before all that came earlier", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      const sent: Array<string> = []
      yield* enqueue(...Array.from({ length: batch }, (_, n) => `early-${n}@example.com`))
      for (let n = 0; n <= batch; n++) {
        yield* TestClock.adjust("1 second")
        yield* mailer.enqueue(mailTo(`urgent-${n}@example.com`), { urgent: true })
      }
      const tick = tickOver(({ recipient }) => Effect.sync(() => void sent.push(recipient.split("-")[0] ?? "")))
      yield* Effect.repeat(tick, { while: (mails) => mails > 0 })
      // The mails of a batch leave together.
      assert.deepStrictEqual(sent.slice(0, batch), Array(batch).fill("urgent"))
      assert.include(sent.slice(batch, 2 * batch), "urgent")
      assert.lengthOf(sent, 2 * batch + 1)
      yield* clear
    }))

  it.effect("sends a mail no earlier than it is to leave", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      const leaves_at = DateTime.add(yield* DateTime.now, { days: 2 })
      yield* mailer.enqueue(mailTo("ann@example.com"), { leaves_at })
      yield* TestClock.adjust("47 hours")
      assert.strictEqual(yield* tickOver(() => Effect.void), 0)
      assert.strictEqual(yield* mailer.oldestDueSeconds, 0)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tickOver(() => Effect.void), 1)
    }))

  it.effect("sends a mail once its transaction has committed, and keeps nothing of it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const smtp = yield* startSmtp()
      yield* sql.withTransaction(enqueue("ann@example.com"))
      assert.strictEqual(yield* tickOverSmtp(smtp.url), 1)
      const { email, recipients } = yield* Queue.take(smtp.received)
      assert.deepStrictEqual(recipients, ["ann@example.com"])
      assert.include(email.text ?? "", "s3cret")
      assert.deepStrictEqual(yield* rows, [])
    }))

  it.effect("sends nothing of a transaction that failed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect
        .flip(sql.withTransaction(Effect.andThen(enqueue("ann@example.com"), Effect.fail("changed my mind"))))
      assert.strictEqual(yield* tickOver(() => Effect.void), 0)
    }))

  it.effect("stores no readable address or secret", () =>
    Effect.gen(function*() {
      yield* enqueue("ann@example.com")
      const stored = JSON.stringify(yield* rows)
      assert.include(stored, "readable")
      assert.notMatch(stored, /ann|example|s3cret|Access/)
      assert.notMatch(stored, new RegExp(Buffer.from("s3cret").toString("hex")))
      yield* clear
    }))

  it.effect("gives a mail to one of two workers", () =>
    Effect.gen(function*() {
      yield* enqueue("ann@example.com")
      const sending = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const first = yield* tickOver(() => Effect.andThen(Deferred.succeed(sending, undefined), Deferred.await(release)))
        .pipe(Effect.forkChild)
      yield* Deferred.await(sending)
      assert.strictEqual(yield* tickOver(() => Effect.die("taken twice")), 0)
      yield* Deferred.succeed(release, undefined)
      assert.strictEqual(yield* Fiber.join(first), 1)
    }))

  it.effect("shares the mails among workers that claim at once, without waiting", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const mails = yield* MailsRepo
      yield* enqueue("a@example.com", "b@example.com", "c@example.com", "d@example.com")
      const claimed = yield* Deferred.make<ReadonlyArray<string>>()
      const release = yield* Deferred.make<void>()
      const claim = Effect.map(mails.claim(2), (claims) => claims.map(({ id }) => id))
      const first = yield* claim.pipe(
        Effect.flatMap((ids) => Deferred.succeed(claimed, ids)),
        Effect.andThen(Deferred.await(release)),
        sql.withTransaction,
        Effect.forkChild
      )
      const ids = [...yield* Deferred.await(claimed), ...yield* claim]
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(first)
      assert.strictEqual(new Set(ids).size, 4)
      yield* clear
    }))

  it.effect("forgets a mail that was refused for good", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp({ refuse: () => 550 })
      yield* enqueue("nobody@example.com")
      assert.strictEqual(yield* tickOverSmtp(smtp.url), 1)
      assert.deepStrictEqual(yield* rows, [])
    }))

  it.effect("sends the others of a batch when one attempt dies", () =>
    Effect.gen(function*() {
      const sent = yield* Ref.make<ReadonlyArray<string>>([])
      yield* enqueue("bad@example.com", "ann@example.com")
      yield* tickOver(({ recipient }) =>
        recipient === "bad@example.com"
          ? Effect.die("boom")
          : Ref.update(sent, (all) => [...all, recipient])
      )
      assert.deepStrictEqual(yield* Ref.get(sent), ["ann@example.com"])
      assert.strictEqual((yield* rows).length, 1)
      yield* clear
    }))

  it.effect("keeps a mail that does not open, for the day its key is back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* enqueue("ann@example.com")
      yield* sql`update mails set content = ${new Uint8Array(64)}`
      yield* tickOver(() => Effect.die("sent without content"))
      assert.deepStrictEqual((yield* rows).map(({ last_error }) => last_error), ["sealed"])
      yield* clear
    }))
})

layer(TestLayer)("A mail server that is down", (it) => {
  it.effect("gets the mail when it returns", () =>
    Effect.gen(function*() {
      const { port, url } = yield* Effect.scoped(startSmtp())
      yield* enqueue("ann@example.com")
      assert.strictEqual(yield* tickOverSmtp(url), 1)
      assert.deepStrictEqual((yield* rows).map(({ last_error }) => last_error), ["ECONNREFUSED"])
      assert.strictEqual(yield* tickOverSmtp(url), 0)

      const smtp = yield* startSmtp({ port })
      yield* TestClock.adjust("12 seconds")
      assert.strictEqual(yield* tickOverSmtp(url), 1)
      assert.deepStrictEqual((yield* Queue.take(smtp.received)).recipients, ["ann@example.com"])
      assert.deepStrictEqual(yield* rows, [])
    }))
})

layer(TestLayer)("A worker that was killed", (it) => {
  it.effect("leaves its mail to another after the lease", () =>
    Effect.gen(function*() {
      const mails = yield* MailsRepo
      const smtp = yield* startSmtp()
      yield* enqueue("ann@example.com")
      assert.strictEqual((yield* mails.claim(batch)).length, 1)
      assert.strictEqual(yield* tickOverSmtp(smtp.url), 0)
      yield* TestClock.adjust(MailsRepo.lease)
      assert.strictEqual(yield* tickOverSmtp(smtp.url), 1)
      assert.deepStrictEqual((yield* Queue.take(smtp.received)).recipients, ["ann@example.com"])
    }))
})

layer(TestLayer)("A worker that outlived its lease", (it) => {
  it.effect("decides nothing about the mail any more", () =>
    Effect.gen(function*() {
      const mails = yield* MailsRepo
      yield* enqueue("ann@example.com")
      const [slow] = yield* mails.claim(1)
      yield* TestClock.adjust(MailsRepo.lease)
      const [current] = yield* mails.claim(1)
      assert(slow !== undefined && current !== undefined)
      yield* mails.remove(slow)
      yield* mails.postpone(slow, Duration.zero, "ESOCKET")
      assert.deepStrictEqual((yield* rows).map(({ last_error }) => last_error), [null])
      assert.deepStrictEqual(yield* mails.claim(1), [])
      yield* mails.remove(current)
      assert.deepStrictEqual(yield* rows, [])
    }))
})

layer(TestLayer)("A mail that nobody takes", (it) => {
  it.effect("is given up after 7 days, with an error that names only its id", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
      const attempt = Effect.provide(tickOver(() => Effect.fail(down())), Logger.layer([logger]))
      yield* enqueue("zoe@club.invalid")
      const id = (yield* rows)[0]?.row.slice(1, 37)

      let attempts = 0
      for (let hour = 0; hour < 168; hour++) {
        attempts += yield* attempt
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* rows).length, 1)
      }
      assert.strictEqual(attempts, 168)
      assert.isTrue(lines.every((line) => line.includes("\"WARN\"")))
      yield* attempt
      assert.deepStrictEqual(yield* rows, [])
      const last = lines.at(-1) ?? ""
      assert.include(last, "\"ERROR\"")
      assert.include(last, `${id}`)
      assert.notMatch(lines.join(), /zoe|invalid|s3cret/)
    }))
})

layer(TestLayer)("The age of the oldest due mail", (it) => {
  it.effect("is how long it has waited for a worker", () =>
    Effect.gen(function*() {
      const mailer = yield* Mailer
      assert.strictEqual(yield* mailer.oldestDueSeconds, 0)
      yield* enqueue("ann@example.com")
      yield* TestClock.adjust("90 seconds")
      yield* enqueue("bob@example.com")
      assert.strictEqual(yield* mailer.oldestDueSeconds, 90)
      yield* tickOver(() => Effect.void)
      assert.strictEqual(yield* mailer.oldestDueSeconds, 0)
    }))
})

/** A mail server that announces each mail and waits for the test. */
const gate = Effect.gen(function*() {
  const started = yield* Queue.unbounded<string>()
  const allowed = yield* Queue.unbounded<void>()
  const send: MailTransport["Service"]["send"] = ({ recipient }) =>
    Effect.andThen(Queue.offer(started, recipient), Queue.take(allowed))
  return { started, allowed, transport: Layer.succeed(MailTransport, { send }) }
})

/** The mailer of a process with a mail worker. */
const startWorker = (transport: Layer.Layer<MailTransport>) =>
  Effect.map(
    Layer.build(Layer.merge(Mailer.layer, Layer.provide(MailWorkerLayer, transport))),
    Context.get(Mailer)
  )

layer(TestLayer)("The worker", (it) => {
  it.effect("finishes what is in flight before it ends", () =>
    Effect.gen(function*() {
      const { allowed, started, transport } = yield* gate
      const closing = yield* Deferred.make<void>()
      const running = yield* Effect.gen(function*() {
        const mailer = yield* startWorker(transport)
        yield* Effect.addFinalizer(() => Deferred.succeed(closing, undefined))
        yield* mailer.enqueue(mailTo("ann@example.com"))
        yield* Queue.take(started)
      }).pipe(Effect.scoped, Effect.forkChild)
      yield* Deferred.await(closing)
      yield* Queue.offer(allowed, undefined)
      yield* Fiber.join(running)
      assert.deepStrictEqual(yield* rows, [])
    }))

  it.effect("sends a mail of its own process without waiting for the next poll", () =>
    Effect.gen(function*() {
      const { allowed, started, transport } = yield* gate
      const mailer = yield* startWorker(transport)
      // The first mail may meet the worker's first poll. The clock stands still, so the others need the signal.
      for (const recipient of ["a@example.com", "b@example.com", "c@example.com"]) {
        yield* mailer.enqueue(mailTo(recipient))
        assert.strictEqual(yield* Queue.take(started), recipient)
        yield* Queue.offer(allowed, undefined)
      }
    }))
})

layer(TestLayer)("The worker over time", (it) => {
  it.effect("polls for mails of other processes, and survives a tick that dies", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { allowed, started, transport } = yield* gate
      yield* startWorker(transport)
      yield* sql`alter table mails rename to elsewhere`
      yield* TestClock.adjust("1 second")
      yield* sql`alter table elsewhere rename to mails`
      yield* enqueue("ann@example.com")
      while ((yield* Queue.size(started)) === 0) yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Queue.take(started), "ann@example.com")
      yield* Queue.offer(allowed, undefined)
    }))
})

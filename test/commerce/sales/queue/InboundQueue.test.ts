import { assert, describe, it, layer } from "@effect/vitest"
import { Array as Arr, DateTime, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { InboundSignal } from "../../../../src/commerce/sales/inbound/InboundSignal.ts"
import type { ReceivedFacts } from "../../../../src/commerce/sales/purchase/ReceivedFacts.ts"
import { InboundQueue, inboundWorkerLayer } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import { delayAfter, mostFailures } from "../../../../src/commerce/sales/queue/InboundQueueRepo.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { timeOf } from "../../../../src/platform/sql/Uuid7.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import {
  drain,
  eventsOf,
  hooksLayer,
  type OpenHook,
  openHook,
  outcomesOf,
  post,
  sale,
  storeSales,
  Teller,
  transactionsOf
} from "../inbound/Hooks.ts"

const tick = Effect.flatMap(InboundQueue, ({ tick }) => tick)

const sell = (hook: OpenHook, transaction: string, more: Parameters<typeof sale>[0] = {}) =>
  post(hook.post, sale({ transaction, ...more }))

const isAbout = (told: ReceivedFacts, ...transactions: ReadonlyArray<string>) =>
  transactionsOf([told]).some((transaction) => transactions.includes(transaction))

describe("The wait after a failure", () => {
  it("is 10 seconds and doubles up to 10 minutes", () => {
    const seconds = [1, 2, 3, 6, 7, 20].map((failures) => Duration.toSeconds(delayAfter(failures)))
    assert.deepStrictEqual(seconds, [10, 20, 40, 320, 600, 600])
  })
})

const teller = new Teller()

layer(hooksLayer(teller))("The queue of inbound events", (it) => {
  it.effect("tells the purchases what was received, and writes down what came of it", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      teller.answer = () => Effect.succeed({ student_id: student.id })
      const received_at = yield* Effect.andThen(sell(hook, "T1"), DateTime.now)
      yield* drain
      const [event] = yield* eventsOf(hook)
      const told = teller.told.find((told) => isAbout(told, "T1")) ?? assert.fail()
      assert.deepStrictEqual(
        [told.club_id, told.platform, told.event_id, told.received_at],
        [hook.id, "hotmart", event?.id, received_at]
      )
      const { due_at, outcome, raw, student_id } = event ?? assert.fail()
      assert.deepStrictEqual([due_at, outcome, student_id], [null, "processed", student.id])
      assert.isNotNull(raw)
      teller.answer = () => Effect.succeed({})
    }))

  it.effect.each(["processed", "duplicate", "unmapped"] as const)(
    "keeps the outcome %s",
    (outcome) =>
      Effect.gen(function*() {
        const hook = yield* openHook()
        teller.answer = () => Effect.succeed({ outcome })
        yield* sell(hook, `O-${outcome}`)
        yield* drain
        assert.deepStrictEqual(yield* outcomesOf(hook), [outcome])
        teller.answer = () => Effect.succeed({})
      })
  )

  it.effect("keeps nothing of what a platform wrote about a removed student", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      teller.answer = () => Effect.succeed({ removed: true, outcome: "processed" })
      yield* sell(hook, "R1")
      yield* drain
      const [event] = yield* eventsOf(hook)
      const { external_event_id, outcome, person_key, raw } = event ?? assert.fail()
      assert.deepStrictEqual([outcome, raw, person_key, external_event_id], ["ignored", null, null, null])
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("lets two workers keep the order of each purchase and of each subscription", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const busy = new Set<string>()
      const met: Array<string> = []
      const seen: Array<string> = []
      teller.answer = (told) =>
        Effect.gen(function*() {
          const [name = ""] = transactionsOf([told])
          const group = name.slice(0, 2)
          if (busy.has(group)) met.push(name)
          busy.add(group)
          const sql = yield* SqlClient.SqlClient
          yield* Effect.orDie(sql`select pg_sleep(0.005)`)
          busy.delete(group)
          seen.push(name)
          return {}
        }).pipe(Effect.provide(services))
      const services = yield* Effect.context<SqlClient.SqlClient>()
      for (let number = 0; number < 5; number++) {
        for (const group of ["A-", "B-", "C-"]) yield* sell(hook, `${group}${number}`, { subscriber: group })
      }
      yield* Effect.all([drain, drain, drain], { concurrency: "unbounded" })
      yield* drain
      assert.isEmpty(met)
      for (const group of ["A-", "B-", "C-"]) {
        const inOrder = [0, 1, 2, 3, 4].map((number) => `${group}${number}`)
        assert.deepStrictEqual(seen.filter((name) => name.startsWith(group)), inOrder)
      }
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("lets later events of a purchase wait behind one that fails, and no others", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      let broken = true
      teller.answer = (told) => broken && isAbout(told, "P1") ? Effect.die(new Error("poison")) : Effect.succeed({})
      yield* sell(hook, "P1")
      yield* sell(hook, "P1")
      yield* sell(hook, "P2")
      // A purchase at another club does not wait.
      yield* sell(other, "P3")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), [null, null, "processed"])
      assert.deepStrictEqual(yield* outcomesOf(other), ["processed"])
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* tick, 0)
      broken = false
      yield* TestClock.adjust("1 second")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "processed", "processed"])
      assert.deepStrictEqual((yield* eventsOf(hook)).map(({ failures }) => failures), [1, 0, 0])
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("does not hold up a club by another's purchase of the same name", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      teller.answer = (told) => told.club_id === hook.id ? Effect.die(new Error("poison")) : Effect.succeed({})
      yield* sell(hook, "SAME")
      yield* sell(other, "SAME")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(other), ["processed"])
      assert.deepStrictEqual(yield* outcomesOf(hook), [null])
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("gives up after twenty failures, and keeps the body for a person to try again", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      teller.answer = () => Effect.die(new Error("poison"))
      yield* sell(hook, "G1")
      yield* sell(hook, "G1")
      for (let failures = 0; failures < mostFailures; failures++) {
        assert.deepStrictEqual(yield* outcomesOf(hook), [null, null])
        yield* tick
        yield* TestClock.adjust("10 minutes")
      }
      const [event, next] = yield* eventsOf(hook)
      assert.deepStrictEqual([event?.outcome, event?.due_at, event?.failures], ["failed", null, mostFailures])
      assert.isNotNull(event?.raw)
      assert.isNull(next?.outcome)
      teller.answer = () => Effect.succeed({})
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["failed", "processed"])
    }))

  it.effect("takes back what was done about an event that fails", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const sql = yield* SqlClient.SqlClient
      const aliases = sql`select alias from purchase_aliases where club_id = ${hook.id}`
      const write = Effect.orDie(sql`
        insert into purchase_aliases ${
        sql.insert({ club_id: hook.id, platform: "hotmart", alias: "a", external_id: "b" })
      }`)
      teller.answer = () => Effect.andThen(write, Effect.die(new Error("half done")))
      yield* sell(hook, "B1")
      yield* drain
      assert.lengthOf(yield* aliases, 0)
      teller.answer = () => Effect.as(write, {})
      yield* TestClock.adjust("10 seconds")
      yield* drain
      assert.lengthOf(yield* aliases, 1)
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed"])
      teller.answer = () => Effect.succeed({})
    }))

  it.effect("does an event again whose worker was killed in the middle", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const begun = yield* Deferred.make<void>()
      teller.answer = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      yield* sell(hook, "K1")
      const worker = yield* Effect.forkChild(tick)
      yield* Deferred.await(begun)
      // Meanwhile no other worker takes the event.
      assert.strictEqual(yield* tick, 0)
      yield* Fiber.interrupt(worker)
      teller.answer = () => Effect.succeed({})
      yield* drain
      const [event] = yield* eventsOf(hook)
      assert.deepStrictEqual([event?.outcome, event?.failures], ["processed", 0])
    }))

  it.effect("does an event again whose connection was lost in the middle", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const sql = yield* SqlClient.SqlClient
      teller.answer = () => Effect.as(Effect.orDie(sql`select pg_terminate_backend(pg_backend_pid())`), {})
      yield* sell(hook, "K2")
      yield* Effect.exit(tick)
      teller.answer = () => Effect.succeed({})
      assert.deepStrictEqual(yield* outcomesOf(hook), [null])
      yield* TestClock.adjust("10 seconds")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed"])
    }))

  it.effect("serves every club in turn, however many events one of them has", () =>
    Effect.gen(function*() {
      const [large, small] = [yield* openHook(), yield* openHook()]
      yield* storeSales(large, Array.from({ length: 10_000 }, () => sale({ transaction: "L" })))
      yield* TestClock.adjust("1 second")
      for (const name of ["S1", "S2", "S3"]) yield* sell(small, name)
      yield* tick
      assert.deepStrictEqual(yield* outcomesOf(small), ["processed", "processed", "processed"])
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from inbound_events where club_id = ${large.id}`
    }))
})

const together = new Teller()

layer(hooksLayer(together))("Sales of a club that wait at the same time", (it) => {
  const settled = (told: ReadonlyArray<ReceivedFacts>, students: ReadonlyArray<{ readonly id: StudentId }>) => ({
    students: new Map(Arr.zip(told, students).map(([{ event_id }, { id }]) => [event_id, id])),
    newNames: []
  })

  it.effect("are settled in one transaction, and whatever it leaves out one by one", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const batches: Array<ReadonlyArray<string>> = []
      together.answerTogether = (told) => {
        batches.push(transactionsOf(told))
        return Effect.succeed(settled(told, [student, student]))
      }
      for (const name of ["T1", "T2", "T3"]) yield* sell(hook, name)
      yield* sell(hook, "T4", { subscriber: "S1" })
      assert.strictEqual(yield* tick, 4)
      assert.deepStrictEqual(batches, [["T1", "T2", "T3"]])
      assert.deepStrictEqual(transactionsOf(together.told), ["T3", "T4"])
      assert.deepStrictEqual(yield* outcomesOf(hook), Array(4).fill("processed"))
      const students = (yield* eventsOf(hook)).map(({ student_id }) => student_id)
      assert.deepStrictEqual(students, [student.id, student.id, null, null])
    }))

  it.effect("are not failed by one that fails, which is tried again by itself", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const batches: Array<ReadonlyArray<string>> = []
      together.answerTogether = (told) => {
        batches.push(transactionsOf(told))
        return Effect.die(new Error("one of them is poison"))
      }
      together.answer = (told) => isAbout(told, "P2") ? Effect.die(new Error("poison")) : Effect.succeed({})
      for (const name of ["P1", "P2", "P3"]) yield* sell(hook, name)
      assert.strictEqual(yield* tick, 2)
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", null, "processed"])
      assert.deepStrictEqual((yield* eventsOf(hook)).map(({ failures }) => failures), [0, 1, 0])
      yield* TestClock.adjust("10 seconds")
      together.answer = () => Effect.succeed({})
      yield* sell(hook, "P4")
      yield* sell(hook, "P5")
      yield* drain
      assert.deepStrictEqual(batches, [["P1", "P2", "P3"], ["P4", "P5"]])
      assert.deepStrictEqual(yield* outcomesOf(hook), Array(5).fill("processed"))
    }))

  it.effect("are taken back as a whole where their worker is killed, and settled again", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const student = yield* makeStudent(hook)
      const begun = yield* Deferred.make<void>()
      together.answerTogether = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      for (const name of ["K1", "K2"]) yield* sell(hook, name)
      const worker = yield* Effect.forkChild(tick)
      yield* Deferred.await(begun)
      // Meanwhile no other worker takes the events.
      assert.strictEqual(yield* tick, 0)
      yield* Fiber.interrupt(worker)
      assert.deepStrictEqual(yield* outcomesOf(hook), [null, null])
      together.answerTogether = (told) => Effect.succeed(settled(told, [student, student]))
      yield* drain
      assert.deepStrictEqual((yield* eventsOf(hook)).map(({ failures, outcome }) => [outcome, failures]), [
        ["processed", 0],
        ["processed", 0]
      ])
    }))

  it.effect("wait for earlier events of the same purchase, and are not mixed with another club's", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      const clubs: Array<ReadonlyArray<ClubId>> = []
      const batches: Array<ReadonlyArray<string>> = []
      together.answerTogether = (told) => {
        clubs.push([...new Set(told.map(({ club_id }) => club_id))])
        batches.push(transactionsOf(told))
        return Effect.succeed({ students: new Map(), newNames: [] })
      }
      for (const name of ["A", "B"]) yield* sell(other, name)
      for (const name of ["A", "A", "B"]) yield* sell(hook, name)
      yield* tick
      assert.deepStrictEqual(batches, [["A", "B"], ["A", "B"]])
      assert.sameDeepMembers(clubs, [[hook.id], [other.id]])
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", null, "processed"])
    }))
})

const patient = new Teller()

layer(hooksLayer(patient))("An event that waits for a purchase", (it) => {
  const known = new Set<string>()
  patient.answer = (told) => {
    const refund = told.facts.some(({ kind }) => kind === "refunded")
    const names = transactionsOf([told])
    if (refund && !names.every((name) => known.has(name))) return Effect.succeed({ outcome: "unmapped" as const })
    for (const name of names) known.add(name)
    return Effect.succeed({ newNames: names })
  }
  const refund = (hook: OpenHook, transaction: string) =>
    sell(hook, transaction, { event: "PURCHASE_REFUNDED", subscriber: `S-${transaction}` })

  it.effect("is processed once the purchase is known, in the same transaction", () =>
    Effect.gen(function*() {
      const [hook, other] = [yield* openHook(), yield* openHook()]
      yield* refund(hook, "W1")
      yield* refund(hook, "W2")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["unmapped", "unmapped"])
      yield* sell(hook, "W1")
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "unmapped", "processed"])
      yield* refund(other, "W3")
      yield* drain
      yield* sell(hook, "W3")
      yield* drain
      // The refund at the other club still waits.
      assert.deepStrictEqual(yield* outcomesOf(other), ["unmapped"])
    }))

  it.effect("has waited since it came, for the ids of what follows, however often it is tried", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const answer = patient.answer
      const since: Array<readonly [string, DateTime.Utc]> = []
      let failures = 2
      patient.answer = (told) =>
        Effect.suspend(() => {
          const isRefund = told.facts.some(({ kind }) => kind === "refunded")
          since.push([isRefund ? "refund" : "sale", timeOf(told.work.idOf("kind", "name"))])
          if (isRefund || failures === 0) return answer(told)
          failures -= 1
          return Effect.die(new Error("Not yet"))
        })
      const refunded = yield* Effect.andThen(refund(hook, "Q1"), DateTime.now)
      yield* TestClock.adjust("1 hour")
      yield* drain
      const paid = yield* Effect.andThen(sell(hook, "Q1", { id: "Q1-paid" }), DateTime.now)
      for (let tries = 0; tries < 3; tries += 1) {
        yield* TestClock.adjust("1 hour")
        yield* drain
      }
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "processed"])
      assert.deepStrictEqual(since, [
        // The queue looks for a refund twice, the second time with its name locked.
        ["refund", refunded],
        ["refund", refunded],
        ["sale", paid],
        ["sale", paid],
        ["sale", paid],
        ["refund", refunded]
      ])
      patient.answer = answer
    }))

  it.effect("is found by whoever makes the purchase known at the same moment", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const [found, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const answer = patient.answer
      let asked = 0
      // The refund finds nothing, twice. The approval settles before the queue records this.
      patient.answer = (told) =>
        Effect.suspend(() => {
          const isRefund = told.facts.some(({ kind }) => kind === "refunded")
          if (!isRefund || known.has("X1") && asked >= 2) return answer(told)
          asked += 1
          const unmapped = { outcome: "unmapped" as const }
          if (asked < 2) return Effect.succeed(unmapped)
          return Deferred.succeed(found, undefined).pipe(
            Effect.andThen(Deferred.await(mayEnd)),
            Effect.as(unmapped)
          )
        })
      yield* refund(hook, "X1")
      const late = yield* Effect.forkChild(tick)
      yield* Deferred.await(found)
      yield* sell(hook, "X1")
      const early = yield* Effect.forkChild(tick)
      yield* untilBlocked()
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(late)
      yield* Fiber.join(early)
      yield* drain
      assert.deepStrictEqual(yield* outcomesOf(hook), ["processed", "processed"])
      patient.answer = answer
    }))
})

const prompt = new Teller()

layer(inboundWorkerLayer({ pollEvery: "1 hour" }).pipe(
  Layer.provide(InboundSignal.layer),
  Layer.provideMerge(hooksLayer(prompt))
))("A worker", (it) => {
  it.effect("starts as soon as its own process has received something", () =>
    Effect.gen(function*() {
      const hook = yield* openHook()
      const done = yield* Deferred.make<void>()
      prompt.answer = () => Effect.as(Deferred.succeed(done, undefined), {})
      yield* sell(hook, "N1")
      yield* Deferred.await(done)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Effect, Fiber } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { setImmediate, setTimeout } from "node:timers/promises"
import { AnswerFailed } from "../../../src/assistant/providers/Assistant.ts"
import { leastConfidence } from "../../../src/assistant/replies/Reply.ts"
import { waitsOutside } from "../../../src/platform/http/request/OutsideWaits.ts"
import { at, outcome, send, tokenAs, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { hasTrials } from "../../harness/Trials.ts"
import {
  ask,
  citation,
  type Classroom,
  classroom,
  fails,
  makeLearner,
  patchAgent,
  say,
  Script,
  used,
  work,
  WorldLayer
} from "../World.ts"

// Takes long: it waits in real time for a limit of 12 seconds.

const unknownId = "0190a000-0000-7000-8000-00000000000f"

/** A comment of the student on the lesson, with more columns. */
const makeComment = Effect.fnUntraced(function*({ club, lesson, student }: Classroom, given: object = {}) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const id = yield* random.uuidV7()
  const row = {
    club_id: club.id,
    id,
    lesson_id: lesson.id,
    author: "student",
    student_id: student.id,
    body: "Como toco dó maior?",
    created_at: DateTime.toDateUtc(yield* DateTime.now),
    ...given
  }
  yield* sql`insert into comments ${sql.insert(row)}`
  return id
}, Effect.provide(SecureRandom.layerWebCrypto))

const reply = ({ club }: Pick<Classroom, "club">, id: string, token = club.token) =>
  send("POST", `${club.path}/comments/${id}/assistant-reply`, { token })

const reasonOf = (answer: { readonly status: number; readonly json: unknown }) => [
  answer.status,
  at(answer.json, "data", "reason")
]

const patch = ({ club }: Pick<Classroom, "club">, id: string, body: object) =>
  send("PATCH", `${club.path}/comments/${id}`, { token: club.token, body })

/** The questions that the assistant got in the club. */
const askedAbout = ({ club }: Pick<Classroom, "club">) =>
  Effect.map(Script, ({ asked }) => asked.filter(({ club_id }) => club_id === club.id))

const repliesTo = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select author, body from comments where parent_id = ${id}`
})

layer(WorldLayer)("An assistant's reply", (it) => {
  it.effect("answers 201 with the comment that the assistant wrote, and costs one of the club's month", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const answer = yield* reply(place, id)
      assert.strictEqual(answer.status, 201, answer.text)
      assert.strictEqual(at(answer.json, "data", "body"), "Com três dedos.")
      assert.strictEqual(at(answer.json, "data", "parent_id"), id)
      assert.strictEqual(at(answer.json, "data", "author", "role"), "assistant")
      const agents = yield* send("GET", `${place.club.path}/agents`, place.club)
      assert.strictEqual(at(answer.json, "data", "author", "id"), at(agents.json, "data", 0, "id"))
      assert.deepStrictEqual(yield* repliesTo(id), [{ author: "assistant", body: "Com três dedos." }])
      assert.deepStrictEqual(yield* used(place), [0, 1])
    }))

  it.effect("is asked for everybody, about the lesson of the comment", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { asked } = yield* Script
      yield* reply(place, yield* makeComment(place))
      assert.deepStrictEqual<unknown>(asked.at(-1), {
        club_id: place.club.id,
        course_id: place.course.id,
        lesson_id: place.lesson.id,
        lesson_title: place.lesson.title,
        student_id: null,
        agent_name: "Assistant",
        locale: "en",
        content: "Como toco dó maior?",
        history: []
      })
    }))

  it.effect("is written once, and the next asks to no purpose", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      yield* reply(place, id)
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "already_answered"])
      assert.deepStrictEqual(yield* used(place), [0, 1])
    }))

  it.effect("is written once of 20 at once, and paid once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => reply(place, id)), {
        concurrency: "unbounded"
      })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 1)
      const others = answers.filter(({ status }) => status !== 201).map(reasonOf)
      assert.deepStrictEqual(others, Array.from({ length: 19 }, () => [200, "already_answered"]))
      assert.lengthOf(yield* repliesTo(id), 1)
      assert.deepStrictEqual(yield* used(place), [0, 1])
      assert.lengthOf(yield* askedAbout(place), 1)
    }))

  it.effect("is thought about by one at a time in a thread, and each thought is paid", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      const id = yield* makeComment(place, { body: "one by one" })
      const below = yield* makeComment(place, { body: "one by one", parent_id: id })
      const thinking = { now: 0, most: 0 }
      const think = Effect.gen(function*() {
        thinking.now += 1
        thinking.most = Math.max(thinking.most, thinking.now)
        yield* Effect.promise(() => setImmediate())
        thinking.now -= 1
        return { _tag: "Silence", reason: "low_confidence" } as const
      })
      replies.set("one by one", think)
      const asking = [id, below, id, below, id, below].map((one) => reply(place, one))
      const answers = yield* Effect.all(asking, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(reasonOf), Array.from({ length: 6 }, () => [200, "low_confidence"]))
      assert.strictEqual(thinking.most, 1)
      assert.lengthOf(yield* askedAbout(place), 6)
      assert.deepStrictEqual(yield* used(place), [0, 6])
    }))

  it.effect("is paid where the staff was faster, since it was thought about", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      const [begun, said] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const late = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(said))
      replies.set("late", Effect.as(late, { _tag: "Answer", content: "Assim.", citations: [citation], confidence: 1 }))
      const id = yield* makeComment(place, { body: "late" })
      const asking = yield* Effect.forkChild(reply(place, id))
      yield* Deferred.await(begun)
      assert.deepStrictEqual(yield* used(place), [0, 1])
      assert.strictEqual((yield* patch(place, id, { answered: true })).status, 200)
      yield* Deferred.succeed(said, undefined)
      assert.deepStrictEqual(reasonOf(yield* Fiber.join(asking)), [200, "already_answered"])
      assert.deepStrictEqual(yield* repliesTo(id), [])
      assert.deepStrictEqual(yield* used(place), [0, 1])
    }))

  it.effect("has at most the characters that a comment has", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      replies.set("long", Effect.succeed({ _tag: "Answer", content: "🎸".repeat(6000), citations: [], confidence: 1 }))
      const answer = yield* reply(place, yield* makeComment(place, { body: "long" }))
      assert.strictEqual(at(answer.json, "data", "body"), "🎸".repeat(5000))
    }))
})

layer(WorldLayer)("The assistant stays silent", (it) => {
  it.effect("below a comment of the staff", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { id: user_id } = yield* makeMember(place.club, "support")
      const id = yield* makeComment(place, { author: "staff", student_id: null, user_id })
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "author_is_staff"])
    }))

  it.effect.each([["hidden", true], ["spam", true], ["pending", true], ["deleted_at", new Date(0)]] as const)(
    "below a comment with %s",
    ([field, value]) =>
      Effect.gen(function*() {
        const place = yield* classroom
        const id = yield* makeComment(place, { [field]: value })
        assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "comment_unavailable"])
        assert.deepStrictEqual(yield* repliesTo(id), [])
      })
  )

  it.effect("below a comment on a post, which has no lesson", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { path, token } = place.club
      const { json } = yield* send("GET", `${path}/community`, { token })
      const spaces = `${path}/community/spaces/${String(at(json, "data", "spaces", 0, "id"))}`
      const post = yield* send("POST", `${spaces}/posts`, { token, body: { body: "Olá" } })
      const id = yield* makeComment(place, { lesson_id: null, post_id: at(post.json, "data", "id") })
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "no_material"])
    }))

  it.effect("below a comment that the staff has answered, or marked so", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const marked = yield* makeComment(place, { answered: true })
      assert.deepStrictEqual(reasonOf(yield* reply(place, marked)), [200, "already_answered"])
      const answered = yield* makeComment(place)
      const { id: user_id } = yield* makeMember(place.club, "support")
      yield* makeComment(place, { author: "staff", student_id: null, user_id, parent_id: answered })
      assert.deepStrictEqual(reasonOf(yield* reply(place, answered)), [200, "already_answered"])
    }))

  it.effect.each([["no_material", 0], ["low_confidence", 1], ["not_a_question", 0]] as const)(
    "where the assistant says %s, and it costs %d of the club's month",
    ([reason, units]) =>
      Effect.gen(function*() {
        const place = yield* classroom
        const { replies } = yield* Script
        replies.set(reason, Effect.succeed({ _tag: "Silence", reason }))
        const id = yield* makeComment(place, { body: reason })
        assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, reason])
        assert.deepStrictEqual(yield* repliesTo(id), [])
        assert.deepStrictEqual(yield* used(place), [0, units])
      })
  )

  it.effect("where it is not sure enough", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      const sure = (confidence: number) =>
        Effect.succeed({ _tag: "Answer", content: "Talvez.", citations: [citation], confidence } as const)
      replies.set("unsure", sure(leastConfidence - 0.01))
      replies.set("sure", sure(leastConfidence))
      const [unsure, enough] = [
        yield* makeComment(place, { body: "unsure" }),
        yield* makeComment(place, { body: "sure" })
      ]
      assert.deepStrictEqual(reasonOf(yield* reply(place, unsure)), [200, "low_confidence"])
      assert.strictEqual((yield* reply(place, enough)).status, 201)
      assert.deepStrictEqual(yield* used(place), [0, 2])
    }))

  it.effect("below the same comment again and again, for as long as the month has something left", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { asked, replies } = yield* Script
      yield* patchAgent(place.club, { monthly_budget: 2 })
      replies.set("unsure", Effect.succeed({ _tag: "Answer", content: "Hm.", citations: [citation], confidence: 0 }))
      const id = yield* makeComment(place, { body: "unsure" })
      const before = asked.length
      const answers = yield* Effect.replicateEffect(reply(place, id), 4)
      const [unsure, exhausted] = [[200, "low_confidence"], [200, "budget_exhausted"]]
      assert.deepStrictEqual(answers.map(reasonOf), [unsure, unsure, exhausted, exhausted])
      assert.lengthOf(asked.slice(before), 2)
      assert.deepStrictEqual(yield* used(place), [0, 2])
    }))

  it.effect("where it is switched off, and where the club's month is used up", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { asked } = yield* Script
      const id = yield* makeComment(place)
      const before = asked.length
      yield* patchAgent(place.club, { monthly_budget: 0 })
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "budget_exhausted"])
      yield* patchAgent(place.club, { enabled: false })
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "assistant_disabled"])
      assert.lengthOf(asked, before)
      assert.deepStrictEqual(yield* repliesTo(id), [])
    }))

  it.effect("below all but as many comments as the month has left", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 3 })
      const ids = yield* Effect.forEach(Array.from({ length: 10 }), () => makeComment(place))
      const answers = yield* Effect.forEach(ids, (id) => reply(place, id), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 3)
      assert.lengthOf(answers.filter((answer) => reasonOf(answer)[1] === "budget_exhausted"), 7)
      assert.lengthOf((yield* Effect.forEach(ids, repliesTo)).flat(), 3)
      assert.deepStrictEqual(yield* used(place), [0, 3])
      assert.lengthOf(yield* askedAbout(place), 3)
    }))

  it.effect("below 20 comments at once but one, asked about no other, where the month has one left", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      yield* patchAgent(place.club, { monthly_budget: 1 })
      const ids = yield* Effect.forEach(Array.from({ length: 20 }), () => makeComment(place))
      const answers = yield* Effect.forEach(ids, (id) => reply(place, id), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 201), 1)
      assert.lengthOf(answers.filter((answer) => reasonOf(answer)[1] === "budget_exhausted"), 19)
      assert.lengthOf(yield* askedAbout(place), 1)
      assert.deepStrictEqual(yield* used(place), [0, 1])
    }))
})

layer(WorldLayer)("A request for a reply", (it) => {
  it.effect("answers 503 where nobody answers, and nothing is written", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      replies.set("down", Effect.fail(new AnswerFailed({ code: "provider_unavailable" })))
      const id = yield* makeComment(place, { body: "down" })
      assert.deepStrictEqual(outcome(yield* reply(place, id)), [503, "assistant_unavailable"])
      assert.deepStrictEqual(yield* repliesTo(id), [])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))

  it.effect("that fails is given back 5 times a day for each student, their questions among them", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      yield* say("refused", fails("answer_refused"))
      replies.set("refused", Effect.fail(new AnswerFailed({ code: "answer_refused" })))
      yield* ask(place, "refused")
      yield* work
      assert.deepStrictEqual(yield* used(place), [0, 0])
      const refuse = Effect.fnUntraced(function*(to: Classroom) {
        const id = yield* makeComment(to, { body: "refused" })
        assert.deepStrictEqual(outcome(yield* reply(to, id)), [503, "assistant_unavailable"])
        return yield* used(to)
      })
      const costs = yield* Effect.replicateEffect(refuse(place), 6)
      assert.deepStrictEqual(costs, [0, 0, 0, 0, 1, 2].map((units) => [0, units]))
      yield* ask(place, "refused")
      yield* work
      assert.deepStrictEqual(yield* used(place), [1, 3])
      const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
      assert.deepStrictEqual(yield* refuse(other), [0, 3])
      yield* TestClock.adjust("1 day")
      const later = { ...place, club: { ...place.club, token: yield* tokenOf(place.club.owner) } }
      assert.deepStrictEqual(yield* refuse(later), [1, 3])
    }))

  it.effect("finds no comment of another club", () =>
    Effect.gen(function*() {
      const [place, foreign] = [yield* classroom, yield* classroom]
      const theirs = yield* makeComment(foreign)
      for (const id of [theirs, unknownId, "malformed"]) {
        assert.deepStrictEqual(outcome(yield* reply(place, id)), [404, "not_found"])
      }
      assert.deepStrictEqual(yield* repliesTo(theirs), [])
    }))

  it.effect.each([["owner", 201], ["admin", 201], ["editor", 201], ["support", 201], ["viewer", 403]] as const)(
    "of a member who is %s answers %d",
    ([role, status]) =>
      Effect.gen(function*() {
        const place = yield* classroom
        const answer = yield* reply(place, yield* makeComment(place), yield* tokenAs(place.club, role))
        assert.strictEqual(answer.status, status)
      })
  )

  it.effect("of a student is turned away", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const answer = yield* reply(place, yield* makeComment(place), place.student.token)
      assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))
})

layer(WorldLayer)("A reply of a slow model", (it) => {
  // In real time, because the limit of every request is 12 seconds of real time.
  it.effect.skipIf(!hasTrials)("is waited for longer than the database", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      const late = Effect.promise(() => setTimeout(13_000))
      const said = { _tag: "Answer", content: "Com três dedos.", citations: [citation], confidence: 0.9 } as const
      replies.set("slow", Effect.as(waitsOutside(late), said))
      const id = yield* makeComment(place, { body: "slow" })
      assert.strictEqual((yield* reply(place, id)).status, 201)
    }))

  it.effect.skipIf(!hasTrials)("that waits for nobody else is given up after 12 seconds", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { replies } = yield* Script
      replies.set("stuck", Effect.never)
      const id = yield* makeComment(place, { body: "stuck" })
      assert.deepStrictEqual(outcome(yield* reply(place, id)), [503, "temporarily_unavailable"])
    }))
})

layer(WorldLayer)("A reply that takes too long", (it) => {
  it.effect("answers 503 after 25 seconds", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const { asked, replies } = yield* Script
      replies.set("never", Effect.never)
      const id = yield* makeComment(place, { body: "never" })
      const moveOn = Effect.gen(function*() {
        while (asked.length === 0) yield* Effect.yieldNow
        yield* TestClock.adjust("25 seconds")
      })
      const [answer] = yield* Effect.all([reply(place, id), moveOn], { concurrency: "unbounded" })
      assert.deepStrictEqual(outcome(answer), [503, "assistant_unavailable"])
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))
})

layer(WorldLayer, { excludeTestServices: true })("A thread that another process has", (it) => {
  const leased = Effect.fnUntraced(function*(id: string, milliseconds: number) {
    const sql = yield* SqlClient.SqlClient
    const until = (yield* Clock.currentTimeMillis) + milliseconds
    yield* sql`update comments set reply_leased_until = ${new Date(until)} where id = ${id}`
    return until
  })

  it.effect("is waited for, and where that process was killed until its time is over", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const until = yield* leased(id, 1500)
      assert.strictEqual((yield* reply(place, id)).status, 201)
      assert.isAtLeast(yield* Clock.currentTimeMillis, until)
      assert.deepStrictEqual(yield* used(place), [0, 1])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select reply_leased_until from comments where id = ${id}`, [
        { reply_leased_until: null }
      ])
    }))
})

layer(WorldLayer)("A thread that another process keeps", (it) => {
  it.effect("answers 503 after 25 seconds, and nobody was asked", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const place = yield* classroom
      const id = yield* makeComment(place)
      const below = yield* makeComment(place, { parent_id: id })
      yield* sql`update comments set reply_leased_until = ${new Date(Date.UTC(2100))} where id = ${id}`
      const asking = yield* Effect.forkChild(reply(place, below))
      while (asking.pollUnsafe() === undefined) yield* Effect.andThen(sql`select 1`, TestClock.adjust("1 second"))
      assert.deepStrictEqual(outcome(yield* Fiber.join(asking)), [503, "assistant_unavailable"])
      assert.lengthOf(yield* askedAbout(place), 0)
      assert.deepStrictEqual(yield* used(place), [0, 0])
    }))
})

const remove = ({ club }: Pick<Classroom, "club">, id: unknown) =>
  send("DELETE", `${club.path}/comments/${String(id)}`, { token: club.token })

/** Asserts that one of 20 concurrent requests replies, and the others find the comment answered. */
const answersOnce = Effect.fnUntraced(function*(place: Classroom, id: string) {
  const answers = yield* Effect.all(Array.from({ length: 20 }, () => reply(place, id)), { concurrency: "unbounded" })
  assert.lengthOf(answers.filter(({ status }) => status === 201), 1)
  const others = answers.filter(({ status }) => status !== 201).map(reasonOf)
  assert.deepStrictEqual(others, Array.from({ length: 19 }, () => [200, "already_answered"]))
})

layer(WorldLayer)("A comment that the assistant has answered", (it) => {
  it.effect("is answered again once its reply is deleted, once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const first = yield* reply(place, id)
      assert.strictEqual((yield* remove(place, at(first.json, "data", "id"))).status, 204)
      const { json } = yield* send("GET", `${place.club.path}/comments/${id}`, place.club)
      assert.strictEqual(at(json, "data", "answered"), false)
      yield* answersOnce(place, id)
      assert.lengthOf((yield* repliesTo(id)).filter(({ body }) => body !== ""), 1)
      assert.deepStrictEqual(yield* used(place), [0, 2])
    }))

  it.effect("is answered again once the staff says that it is not answered, once, whoever had answered it", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      yield* reply(place, id)
      assert.strictEqual((yield* patch(place, id, { answered: false })).status, 200)
      yield* answersOnce(place, id)
      const said = yield* send("POST", `${place.club.path}/comments/${id}/replies`, {
        token: place.club.token,
        body: { body: "Assim." }
      })
      assert.strictEqual(said.status, 201, said.text)
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "already_answered"])
      yield* patch(place, id, { answered: false })
      yield* answersOnce(place, id)
      assert.deepStrictEqual(yield* used(place), [0, 3])
    }))

  it.effect("stays answered where another is opened again, or the staff has answered too", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const below = yield* makeComment(place, { parent_id: id })
      const first = yield* reply(place, id)
      assert.deepStrictEqual(reasonOf(yield* reply(place, below)), [200, "already_answered"])
      yield* patch(place, below, { answered: false })
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "already_answered"])
      yield* send("POST", `${place.club.path}/comments/${id}/replies`, {
        token: place.club.token,
        body: { body: "Assim." }
      })
      yield* remove(place, at(first.json, "data", "id"))
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "already_answered"])
    }))

  it.effect("is open again itself, of all in its thread", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* makeComment(place)
      const below = yield* makeComment(place, { parent_id: id })
      const answered = yield* reply(place, below)
      assert.strictEqual(answered.status, 201, answered.text)
      yield* patch(place, id, { answered: true })
      yield* remove(place, at(answered.json, "data", "id"))
      assert.deepStrictEqual(reasonOf(yield* reply(place, id)), [200, "already_answered"])
      assert.strictEqual((yield* reply(place, below)).status, 201)
    }))

  it.effect("is not answered twice in a thread, of two comments at once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const other = { ...place, student: yield* makeLearner(place.club, place.delivery) }
      for (let n = 0; n < 5; n++) {
        const id = yield* makeComment(place)
        const below = yield* makeComment(other, { parent_id: id })
        const asked = [id, below, id, below, id, below].map((one) => reply(place, one))
        const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
        assert.lengthOf(answers.filter(({ status }) => status === 201), 1)
        assert.lengthOf(yield* repliesTo(id), 2)
      }
    }))
})

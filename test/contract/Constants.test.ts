import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { WebhookRules } from "../../src/webhooks/model/WebhookSettings.ts"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../harness/App.ts"
import { makeCourse, makeEnrollment, makeLiveLesson, makeModule } from "../harness/Makers.ts"

// Contract, Limits, Other constants, and Versioning, for all parts that have routes.

const ladder = (count: number) => Array.from({ length: count }, (_, n) => ({ name: "A", min_points: n }))
const named = (name: string) => [{ name, min_points: 0 }, { name: "B", min_points: 1 }]
const paying = (points: number) => ({ rules: [{ action: "lesson_completed", points }] })

const accepted = [200, undefined]
const invalid = [422, "validation_failed"]

layer(AppLayer)("The constants of the contract", (it) => {
  it.effect.each([
    ["1 level", ladder(1), [422, "level_count_invalid"]],
    ["2 levels", ladder(2), accepted],
    ["12 levels", ladder(12), accepted],
    ["13 levels", ladder(13), [422, "level_count_invalid"]],
    ["a name of 0 characters", named(""), invalid],
    ["a name of 1 character", named("a"), accepted],
    ["a name of 40 characters", named("a".repeat(40)), accepted],
    ["a name of 41 characters", named("a".repeat(41)), invalid],
    ["min_points of -1", [{ name: "A", min_points: -1 }, ...ladder(2)], invalid]
  ])("hold for a ladder with %s", ([, levels, expected]) =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const answer = yield* send("PUT", `${path}/gamification/levels`, { token, body: { levels } })
      assert.deepStrictEqual<unknown>(outcome(answer), expected)
    }))

  it.effect.each([[-1, invalid], [0, accepted], [1000, accepted], [1001, invalid]] as const)(
    "hold for a rule with %d points",
    ([points, expected]) =>
      Effect.gen(function*() {
        const { path, token } = yield* foundClub()
        const answer = yield* send("PATCH", `${path}/gamification`, { token, body: paying(points) })
        assert.deepStrictEqual(outcome(answer), [...expected])
      })
  )

  it.effect("are 5 a day for comments and posts, and no cap for the rest", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const { json } = yield* send("GET", `${path}/gamification`, { token })
      const caps = listAt(json, "data", "rules").map((rule) => [at(rule, "action"), at(rule, "daily_cap")])
      assert.deepStrictEqual(caps.filter(([, cap]) => cap !== null), [["comment_posted", 5], ["post_published", 5]])
    }))

  it.effect.each([
    ["0 characters", "", invalid],
    ["1 character", "a", [201, undefined]],
    ["32 characters", "a".repeat(32), [201, undefined]],
    ["33 characters", "a".repeat(33), invalid]
  ])("hold for the key of a lesson with %s", ([, public_id, expected]) =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const course = yield* makeCourse(club)
      const module = yield* makeModule(club, course)
      const answer = yield* send("POST", `${club.path}/modules/${module.id}/lessons`, {
        token: club.token,
        body: { title: "A", public_id }
      })
      assert.deepStrictEqual<unknown>(outcome(answer), expected)
    }))

  it.effect("are 32 characters at most of the key in an address, beyond which no lesson is", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const { delivery, lesson } = yield* makeLiveLesson(club)
      yield* makeEnrollment(club, student, delivery)
      const ask = (key: string) => send("GET", `${club.path}/classroom/lessons/${key}/ask`, { token: student.token })
      assert.lengthOf(lesson.public_id, 32)
      assert.strictEqual((yield* ask(lesson.public_id)).status, 200)
      assert.deepStrictEqual(outcome(yield* ask(`${lesson.public_id}a`)), [404, "not_found"])
    }))

  const person = { name: "Ana", email: "ana@user.example", password: "12345678" }
  const address = (length: number) => `${"a".repeat(length - "@b.example".length)}@b.example`

  it.effect.each([
    ["a name of 0 characters", { name: "" }, invalid],
    ["a name of 1 character", { name: "A" }, [202, undefined]],
    ["a name of 200 characters", { name: "A".repeat(200) }, [202, undefined]],
    ["a name of 201 characters", { name: "A".repeat(201) }, invalid],
    ["an address of 320 characters", { email: address(320) }, [202, undefined]],
    ["an address of 321 characters", { email: address(321) }, invalid],
    ["a password of 7 characters", { password: "1234567" }, invalid],
    ["a password of 8 characters", { password: "12345678" }, [202, undefined]],
    ["a password of 1024 characters", { password: "a".repeat(1024) }, [202, undefined]],
    ["a password of 1025 characters", { password: "a".repeat(1025) }, invalid]
  ])("hold for a sign-up with %s", ([, field, expected]) =>
    Effect.gen(function*() {
      const answer = yield* send("POST", "/v1/auth/admin/sign-up", { body: { ...person, ...Object(field) } })
      assert.deepStrictEqual<unknown>(outcome(answer), expected)
    }))

  it.effect("are 20 webhook endpoints per club", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const body = { url: "https://93.184.215.14/", event_types: ["student.created"] }
      const register = send("POST", `${path}/webhook-endpoints`, { token, body })
      const answers = yield* Effect.forEach(Array.from({ length: 21 }), () => register)
      assert.deepStrictEqual(answers.map(({ status }) => status), [...Array.from({ length: 20 }, () => 201), 409])
    }))

  it.effect("are the defaults of whatever an operator may set of webhooks", () =>
    Effect.gen(function*() {
      const rules = yield* WebhookRules
      assert.deepStrictEqual(rules.retry_schedule.map(Duration.toSeconds), [5, 300, 1800, 7200, 18000, 36000, 36000])
      assert.deepStrictEqual([rules.retry_jitter, rules.hold_after], [0.1, 5])
      const { attempt_timeout, disable_after, hold_base, hold_max, retry_after_max, secret_overlap } = rules
      const short = [attempt_timeout, hold_base, hold_max, retry_after_max, secret_overlap, disable_after]
      assert.deepStrictEqual(short.map(Duration.toSeconds), [15, 60, 3600, 36000, 86400, 432000])
      const { attempt_retention, body_retention, history_retention, pending_ttl, recover_window } = rules
      const long = [pending_ttl, recover_window, body_retention, attempt_retention, history_retention]
      assert.deepStrictEqual(long.map(Duration.toDays), [30, 30, 30, 30, 90])
    }))

  it.effect("are version 0.2.0 of the interface, which is not the release that the service tells", () =>
    Effect.gen(function*() {
      const { json: description } = yield* send("GET", "/openapi.json")
      const { json: health } = yield* send("GET", "/v1/health")
      assert.strictEqual(at(description, "info", "version"), "0.2.0")
      assert.strictEqual(at(health, "data", "version"), "0.3.0")
    }))
})

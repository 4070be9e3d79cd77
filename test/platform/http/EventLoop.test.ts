import { assert, layer } from "@effect/vitest"
import { isLight } from "../../../src/platform/http/json/JsonMarks.ts"
import { driven as drivenBy, each, filled, kibibyte, LoopLayer, mebibyte, readShapes, shapes, toPath } from "./Held.ts"

// Bodies of one request. `EventLoopTrials.test.ts` covers files, many requests at once, and long answers.

const question = { text: "a", options: Array.from({ length: 10 }, () => ({ text: "a", correct: true })) }
const id = "018f0000-0000-7000-8000-000000000001"

/** Fields of ordinary routes that take lists, each with as many items as the service reads. */
const lists = {
  "/community/spaces/order": { ids: Array.from({ length: 9000 }, () => id) },
  [`/lessons/${id}/blocks`]: { kind: "quiz", pass_percent: 50, questions: Array.from({ length: 200 }, () => question) },
  "/deliveries": { name: "a", items: Array.from({ length: 3000 }, () => ({ kind: "course", id })) },
  "/webhook-endpoints": { url: "https://a.example", event_types: Array.from({ length: 9000 }, () => "webhook.test") }
}

/** Bodies with faults almost everywhere. The answer leaves out most of them. */
const wrong = {
  "levels": { to: "/gamification/levels", body: filled(20_000, () => "{}", [`{"levels":[`, "]}"]) },
  "levels of another shape": {
    to: "/gamification/levels",
    body: filled(mebibyte - 12, (n) => `{"nmae":"${"a".repeat(400)}","min_pionts":${n}}`, [`{"levels":[`, "]}"])
  },
  "fields that nobody knows": { to: "/students", body: filled(100_000, (n) => `"nmae${n}":0`, ["{", "}"]) },
  "fields that are nearly known": {
    to: "/webhook-endpoints",
    body: filled(150_000, (n) => `"event_tipes${"_".repeat(n % 9)}${n % 97}":0`, ["{", "}"])
  },
  "a key as long as can be": { to: "/students", body: `{"${"k".repeat(mebibyte - 100)}":0}` },
  "questions": {
    to: `/lessons/${id}/blocks`,
    body: filled(mebibyte - 12, () => `{"text":"","options":[{"text":"${"a".repeat(600)}"}]}`, [
      `{"kind":"quiz","questions":[`,
      "]}"
    ])
  },
  "items of deliveries": { to: "/deliveries", body: filled(50_000, () => `{"kind":"x"}`, [`{"items":[`, "]}"]) },
  "rows, as many as are read": {
    to: "/students/imports",
    body: filled(107_000, () => `{"nmae":1,"email":{}}`, [`{"rows":[`, "]}"])
  },
  "more rows than are read": {
    to: "/students/imports",
    body: filled(150_000, () => `{"nmae":1,"email":{}}`, [`{"rows":[`, "]}"])
  },
  "JSON that breaks at its end": { to: "/students", body: `["${"\\n".repeat(mebibyte / 2 - 50)}" x` },
  "JSON that breaks behind many marks": { to: "/students", body: `[${"[],".repeat(6600)}x` }
}

const texts = {
  "accents": "é\u0301".repeat(100_000),
  "one sign that is many": "\ufdfa".repeat(100_000),
  "emoji": "👩‍👩‍👧‍👦".repeat(20_000),
  "mentions": "@a ".repeat(100_000),
  "links": "http://a.b/[".repeat(50_000),
  "an address": `a@${"a.".repeat(100_000)}`
}

layer(LoopLayer, { excludeTestServices: true })(
  "The event loop is held for a moment only by",
  (it) => {
    const driven = (what: string, requests: Parameters<typeof drivenBy>[0]) =>
      it.effect(what, () => drivenBy(requests), 600_000)

    driven("JSON of 1 MiB", () => each({ ...shapes(mebibyte - 12), ...readShapes }, toPath("/v1/clubs")))

    driven(
      "JSON of 1 MiB with an Idempotency-Key",
      () => each(readShapes, toPath("/v1/clubs", { "idempotency-key": "a" }))
    )

    driven("JSON of 16 KiB at the doors", () => each(shapes(16 * kibibyte - 12), toPath("/v1/auth/admin/sign-in")))

    driven(
      "lists in ordinary bodies",
      ({ path }) =>
        each(lists, (body, name) => ({
          path: `${path}${name}`,
          body: JSON.stringify(body),
          ...(name.endsWith("/order") ? { method: "PUT" as const } : {})
        }))
    )

    driven("what is to be said of wrong bodies", ({ path }) =>
      each(wrong, ({ body, to }, name) => {
        assert.isTrue(to.endsWith("/imports") || isLight(body), `${name} are not looked at`)
        return { path: `${path}${to}`, body, ...(to.endsWith("/levels") ? { method: "PUT" } : {}) }
      }))

    driven(
      "texts in ordinary bodies",
      ({ path }) =>
        each(texts, (body) => ({ path: `${path}/students`, body: JSON.stringify({ name: body, email: body }) }))
    )

    driven("texts in a query", ({ path }) =>
      each({ ...texts, cursor: "[".repeat(9000) }, (text, name) => {
        const value = encodeURIComponent([...text].slice(0, 1000).join(""))
        return { path: `${path}/students?${name === "cursor" ? name : "search"}=${value}` }
      }))
  }
)

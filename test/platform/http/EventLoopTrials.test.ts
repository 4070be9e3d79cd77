import { assert, layer } from "@effect/vitest"
import { Clock, Effect, FileSystem } from "effect"
import { SqlClient } from "effect/sql"
import { lessonBytes } from "../../../src/learning/content/Block.ts"
import { courseLessonLimit } from "../../../src/learning/content/Lesson.ts"
import { endpointLimit, overlapLimit } from "../../../src/webhooks/endpoint/Endpoint.ts"
import { largestBody } from "../../../src/webhooks/workbench/inbox/Inbox.ts"
import { catalog } from "../../commerce/billing/stripe/Catalog.ts"
import { secretKey, webhookSecret } from "../../commerce/billing/stripe/World.ts"
import { at, enrolledStudent, foundClub } from "../../harness/App.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeMedia,
  makeModule
} from "../../harness/Makers.ts"
import { signed, startStripeServer } from "../../harness/StripeServer.ts"
import { ask, post } from "../../harness/Turma.ts"
import {
  type Club,
  drive,
  driven as drivenBy,
  each,
  filled,
  kibibyte,
  LoopLayer,
  type Made,
  mebibyte,
  readShapes,
  type Sent,
  shapes,
  startWatched,
  toPath,
  Watched
} from "./Held.ts"

// Takes long: it sends about a hundred requests. Many are files of 4 MiB, three times each, and others twenty at once.

/** Texts of an inbox's largest body that may contain tax documents everywhere. */
const withDocuments = Object.fromEntries(Object.entries({
  "a form that is one field": `a=&${"x".repeat(64 * kibibyte)}`,
  "many fields": "a=1&".repeat(16 * kibibyte),
  "escaped fields": "%61=%31&".repeat(8 * kibibyte),
  "documents": "a=12345678901&".repeat(4 * kibibyte),
  "nearly documents": "1234567890A ".repeat(5 * kibibyte),
  "digits of other scripts": "１２３ ".repeat(6 * kibibyte),
  "JSON": JSON.stringify(Array.from({ length: 4000 }, () => "12345678901"))
}).map(([name, text]) => [name, text.slice(0, 64 * kibibyte - 12)]))

const rows = <Row>(row: (n: number) => Row) => Array.from({ length: 5000 }, (_, n) => row(n))

const person = (n: number) => ({
  name: `Ana ${"x".repeat(180)} ${n}`,
  email: `ana${n}@example.com`,
  document: "12345678901",
  delivery: "violão".repeat(20),
  cohort: "manhã".repeat(20),
  expires_at: "31/12/2100"
})

const csvOf = (name: (n: number) => string) =>
  `email;name\n${rows((n) => `${name(n)}@example.com;Ana ${n}`).join("\n")}`

const wrongRows = `email;name;document;delivery;cohort;expires_at\n${
  rows((n) => `a${n};${"x".repeat(201)};1;${"çãé".repeat(60)};${"\ufdfa".repeat(60)};31/13/2030`).join("\n")
}`

const csvFiles: Record<string, string | Uint8Array<ArrayBuffer>> = {
  "delimiters": ",".repeat(4 * mebibyte),
  "delimiters under a header": `email,name\n${",".repeat(4 * mebibyte - 11)}`,
  "rows of many cells": `email\n${`${",".repeat(499)}\n`.repeat(8000)}`,
  "line breaks": `email\n${"\r".repeat(4 * mebibyte - 6)}`,
  "white space": " ".repeat(4 * mebibyte),
  "a quote without its end": `email\n"${"a\n".repeat(2 * mebibyte - 4)}`,
  "rows with everything wrong in them": wrongRows,
  "rows in order": csvOf((n) => `ana${n}`),
  "quotes that hide the ends of their rows": `email\n${`"${"\"\"".repeat(200)}\n`.repeat(9000)}`,
  "UTF-16": new Uint8Array(Buffer.from(csvOf((n) => `ana${n}${"x".repeat(350)}`), "utf16le")),
  "lines of either encoding": new Uint8Array(Buffer.from(`email\n${"é\n\u00c3\u00a9\n".repeat(800_000)}`, "latin1")),
  "one line of neither": new Uint8Array(Buffer.from(`email\né${"\u0081".repeat(4 * mebibyte - 10)}`, "latin1"))
}

const jsonFiles = {
  "rows with everything in them": JSON.stringify({ rows: rows(person) }),
  "rows in order": JSON.stringify({ rows: rows((n) => ({ name: `Ana ${n}`, email: `ana${n}@example.com` })) }),
  "too many rows": filled(4 * mebibyte, () => `{"name":"a","email":"b"}`, [`{"rows":[`, "]}"]),
  "a row of members": filled(4 * mebibyte, (n) => `"k${n}":0`, [`{"rows":[{`, "}]}"]),
  "no rows": filled(4 * mebibyte, (n) => `"k${n}":0`, ["{", "}"])
}

/** The longest texts, with as many ends of words, sentences and paragraphs as possible. */
const transcripts = ["a ", "a. ", "a\n\n", ". ", "\n", "a", "🎸 ", "a\n", "word ", "?! "].map((text) =>
  text.repeat(500_000 / text.length)
)

const platforms = ["generic", "hotmart", "kiwify", "eduzz", "hubla", "stripe"]

const signatures = {
  "webhook-id": "a",
  "webhook-timestamp": "1".repeat(1000),
  "webhook-signature": "v1,aaaa ".repeat(500),
  "stripe-signature": `t=1,${"v1=a,".repeat(500)}`
}

layer(LoopLayer, { excludeTestServices: true })(
  "The event loop is held for a moment only by",
  (it) => {
    const driven = (what: string, requests: Parameters<typeof drivenBy>[0]) =>
      it.effect(what, () => drivenBy(requests), 600_000)

    driven(
      "an import as CSV",
      ({ path }) => each(csvFiles, toPath(`${path}/students/imports?dry_run=true`, { "content-type": "text/csv" }))
    )

    driven("an import as JSON", ({ path }) => each(jsonFiles, toPath(`${path}/students/imports?dry_run=true`)))

    driven("a sales platform's notice", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const requests: Record<string, Sent> = {}
        for (const platform of platforms) {
          const made = yield* post(`${url}${path}/inbound-webhooks`, { platform, token_only: true }, token)
          const hook = new URL(String(at(made.json, "data", "url"))).pathname
          for (const [name, body] of Object.entries(shapes(256 * kibibyte - 12))) {
            requests[`${platform} ${name}`] = { path: hook, body, headers: signatures }
          }
        }
        return requests
      }))

    const atOnce = Effect.map((requests: Record<string, Sent>): Record<string, Made> =>
      Object.fromEntries(Object.entries(requests).map(([name, sent]) => [name, { ...sent, times: 20 }]))
    )

    /** Each body is within its bound, but twenty of them at the same moment could hold the loop together. */
    const worst = (bytes: number) => {
      const { "lists in lists": nested, members } = shapes(bytes)
      return { "not read, nested": nested, "not read, members": members, ...readShapes }
    }

    driven(
      "JSON at twenty connections at once",
      () =>
        atOnce(Effect.map(
          Effect.all([
            each(worst(mebibyte - 12), toPath("/v1/clubs")),
            each(readShapes, toPath("/v1/clubs", { "idempotency-key": "b" }))
          ]),
          ([plain, keyed]) => ({
            ...plain,
            ...Object.fromEntries(Object.entries(keyed).map(([name, sent]) => [`${name}, keyed`, sent]))
          })
        ))
    )

    /** The headers with a new key of the club. */
    const keyOf = Effect.fnUntraced(function*({ path, token }: Pick<Club, "path" | "token">) {
      const { url } = yield* Watched
      const made = yield* post(`${url}${path}/keys`, { name: "An agent", role: "admin" }, token)
      return { authorization: `Bearer ${String(at(made.json, "data", "token"))}` }
    })

    driven("messages of twenty agents at once", (club) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const headers = {
          ...(yield* keyOf(club)),
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25"
        }
        // The first message of a process builds the protocol's server.
        yield* ask(`${url}/mcp`, {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/json", ...headers }
        })
        return yield* atOnce(each(worst(mebibyte - 12), toPath("/mcp", headers)))
      }))

    driven("imports of twenty administrators at once", ({ path }) => {
      const to = `${path}/students/imports?dry_run=true`
      // A tenth of the largest import: the service reads larger ones in pieces of the same size.
      const some = JSON.stringify({ rows: rows(person).slice(0, 500) })
      const csv = wrongRows.split("\n").slice(0, 500).join("\n")
      return atOnce(Effect.succeed({
        "JSON": { path: to, body: some },
        "JSON that is none of rows": { path: to, body: jsonFiles["a row of members"] },
        "CSV": { path: to, body: csv, headers: { "content-type": "text/csv" } }
      }))
    })

    // Runs first, because the next test uses up the limit of inboxes for a minute.
    driven("a request to an inbox that a key looks at", (club) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const headers = yield* keyOf(club)
        const made = yield* post(`${url}${club.path}/webhook-inboxes`, {}, club.token)
        const inbox = `${club.path}/webhook-inboxes/${String(at(made.json, "data", "id"))}/requests`
        const address = `${url}${new URL(String(at(made.json, "data", "url"))).pathname}`
        const requests: Record<string, Sent> = {}
        for (const [name, body] of Object.entries(withDocuments)) {
          assert.strictEqual((yield* ask(address, { method: "POST", body })).status, 200)
          const latest = yield* ask(`${url}${inbox}?limit=1`, { headers })
          requests[name] = { path: `${inbox}/${String(at(latest.json, "data", 0, "id"))}`, headers, times: 20 }
        }
        return requests
      }))

    driven("requests to an inbox, twenty at once", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const made = yield* post(`${url}${path}/webhook-inboxes`, {}, token)
        const inbox = new URL(String(at(made.json, "data", "url"))).pathname
        return yield* atOnce(each(worst(64 * kibibyte - 12), toPath(inbox)))
      }))

    driven("notices of sales platforms, twenty at once", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const requests: Record<string, Sent> = {}
        for (const platform of ["generic", "hotmart"]) {
          const body = platform === "generic" ? { platform, token_only: true } : { platform, secret: "a-secret" }
          const made = yield* post(`${url}${path}/inbound-webhooks`, body, token)
          const hook = new URL(String(at(made.json, "data", "url"))).pathname
          for (const [name, body] of Object.entries(worst(256 * kibibyte - 12))) {
            requests[`${platform} ${name}`] = { path: hook, body, headers: signatures }
          }
        }
        return yield* atOnce(Effect.succeed(requests))
      }))

    driven("a notice that somebody looks at", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const made = yield* post(
          `${url}${path}/inbound-webhooks`,
          { platform: "generic", token_only: true },
          token
        )
        const key = yield* keyOf({ path, token })
        const hook = String(at(made.json, "data", "id"))
        const address = `${url}${new URL(String(at(made.json, "data", "url"))).pathname}`
        const requests: Record<string, Sent> = {}
        const { "a long text": _, ...notices } = readShapes
        for (const [name, body] of Object.entries(notices)) {
          yield* ask(address, { method: "POST", body, headers: signatures })
          const latest = yield* ask(`${url}${path}/inbound-webhooks/${hook}/events?limit=1`, {
            headers: { authorization: `Bearer ${token}` }
          })
          const sent = { path: `${path}/inbound-events/${String(at(latest.json, "data", 0, "id"))}` }
          requests[name] = sent
          requests[`${name}, at twenty screens at once`] = { ...sent, times: 20 }
          requests[`${name}, for twenty keys at once`] = { ...sent, headers: key, times: 20 }
        }
        return requests
      }))

    driven("messages of an agent, as many as come together", ({ path, token }) =>
      Effect.gen(function*() {
        const { url } = yield* Watched
        const headers = {
          ...(yield* keyOf({ path, token })),
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-03-26"
        }
        const batch = (...messages: ReadonlyArray<object>): Sent => ({
          path: "/mcp",
          headers,
          body: JSON.stringify(messages.map((message, id) => ({ jsonrpc: "2.0", id, ...message })))
        })
        const list = { method: "tools/list" }
        const read = { method: "resources/read", params: { uri: "turma://guides/operations" } }
        // The first agent loads some modules, once.
        yield* ask(`${url}/mcp`, { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 0, ...list }), headers })
        return {
          "lists of tools": batch(...Array.from({ length: 20 }, () => list)),
          "a list of tools and long answers": batch(list, ...Array.from({ length: 19 }, () => read)),
          "a list of tools and a long answer, of twenty agents at once": { ...batch(list, read), times: 20 },
          "a list for a client as no other": (time) => batch({ ...list, params: { _meta: { time } } })
        }
      }))

    driven(
      "a signature that an inbox looks for among as many keys as can be, in as many signatures and bytes",
      (club) =>
        Effect.gen(function*() {
          const { url } = yield* Watched
          const inbox = yield* post(`${url}${club.path}/webhook-inboxes`, {}, club.token)
          const leading = { inbox_id: at(inbox.json, "data", "id"), event_types: ["webhook.test"], signing: "both" }
          for (let endpoint = 0; endpoint < endpointLimit; endpoint++) {
            const made = yield* post(`${url}${club.path}/webhook-endpoints`, leading, club.token)
            const rotation = `${url}${club.path}/webhook-endpoints/${String(at(made.json, "data", "id"))}/rotate-secret`
            yield* Effect.replicateEffect(post(rotation, {}, club.token), overlapLimit)
          }
          const path = new URL(String(at(inbox.json, "data", "url"))).pathname
          const listed = (version: string, count: number) =>
            `${version},${Buffer.alloc(64).toString("base64")} `.repeat(count)
          const sent = (signature: string): Sent => ({
            path,
            body: "a".repeat(largestBody),
            headers: { "webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": signature }
          })
          return {
            "of Ed25519": sent(listed("v1a", 16)),
            "of HMAC": sent(listed("v1", 16)),
            "of both": sent(`${listed("v1", 4)}${listed("v1a", 12)}`)
          }
        })
    )

    driven("an import that is worked on", ({ path }) =>
      Effect.succeed({
        "as CSV": (time) => ({
          path: `${path}/students/imports`,
          body: csvOf((n) => `csv-${time}-${n}`),
          headers: { "content-type": "text/csv" }
        }),
        "as JSON": (time) => ({
          path: `${path}/students/imports`,
          body: JSON.stringify({ rows: rows((n) => ({ ...person(n), email: `json-${time}-${n}@example.com` })) })
        })
      }))

    driven("an export", (club) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into students (club_id, id, name, email, verified_at, created_at)
          select ${club.id}::uuid, gen_random_uuid(), '=' || repeat('";', 99), 'student-' || n || '@a.example', at, at
          from generate_series(1, 5000) n, (values (${new Date(2026, 0)}::timestamptz)) as given (at)`
          .pipe(Effect.orDie)
        return { "of students": { path: `${club.path}/students/export.csv` } }
      }))

    driven("what the assistant is to know of a lesson", (club) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const course = yield* makeCourse(club)
        const lesson = yield* makeLesson(club, yield* makeModule(club, course))
        for (const transcript of transcripts) {
          const video = yield* makeMedia(club, { kind: "video" })
          yield* sql`
            insert into media_texts (club_id, media_id, page, body) values (${club.id}, ${video.id}, 0, ${transcript})`
          yield* makeBlock(club, lesson, { kind: "video", media_id: video.id })
        }
        return {
          "ten transcripts": (time: number): Sent => ({
            path: `${club.path}/lessons/${lesson.id}`,
            method: "PATCH",
            body: JSON.stringify({ title: `Lesson ${time}` })
          })
        }
      }).pipe(Effect.orDie))

    driven("what is long to read", (club) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const course = yield* makeCourse(club)
        const module = yield* makeModule(club, course)
        const delivery = yield* makeCatalogDelivery(club)
        yield* makeItem(club, delivery, { kind: "course", id: course.id })
        const student = yield* enrolledStudent(club)
        yield* makeEnrollment(club, student, delivery)
        const lesson = yield* makeLesson(club, module)
        yield* sql`
          insert into lessons (club_id, id, course_id, module_id, public_id, title, position, published_at, created_at)
          select ${club.id}::uuid, gen_random_uuid(), ${course.id}::uuid, ${module.id}::uuid, 'lesson-' || n,
            repeat('é"', 100), n + 1, at, at
          from generate_series(1, ${courseLessonLimit - 1}::int) n,
            (values (${new Date(2026, 0)}::timestamptz)) as given (at)`
        const body = "🎸\n".repeat(33_000)
        const bytes = Buffer.byteLength(body)
        for (let n = 1; n * bytes <= lessonBytes; n++) yield* makeBlock(club, lesson, { kind: "text", body })
        const { url } = yield* Watched
        const made = yield* post(`${url}${club.path}/community/spaces`, { name: "Longest" }, club.token)
        const posts = `${club.path}/community/spaces/${String(at(made.json, "data", "id"))}/posts`
        const longest = post(`${url}${posts}`, { title: "Long", body: "🎸\n".repeat(10_000) }, club.token)
        yield* Effect.replicateEffect(longest, 100)
        const headers = { authorization: `Bearer ${student.token}` }
        return {
          "a course of many lessons": { path: `${club.path}/classroom/courses/${course.public_id}`, headers },
          "its outline": { path: `${club.path}/courses/${course.id}/outline` },
          "the longest lesson in it": { path: `${club.path}/classroom/lessons/${lesson.public_id}`, headers },
          "its blocks": { path: `${club.path}/lessons/${lesson.id}/blocks` },
          "the longest posts": { path: `${posts}?limit=100` }
        }
      }).pipe(Effect.orDie))

    it.effect("what Stripe tells, signed and not", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-loop-" })
        yield* fs.writeFileString(`${folder}/catalog.json`, JSON.stringify(catalog))
        const process = yield* startWatched({
          BILLING_PROVIDER: "stripe",
          BILLING_CATALOG: `${folder}/catalog.json`,
          STRIPE_SECRET_KEY: secretKey,
          STRIPE_WEBHOOK_SECRET: webhookSecret,
          STRIPE_BASE_URL: (yield* startStripeServer).base_url
        })
        const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        // An event of the largest size, with the most structure that the service reads.
        const event = (time: number) => {
          const told = { id: `evt_${time}`, type: "invoice.paid", created: timestamp }
          const around = [`${JSON.stringify(told).slice(0, -1)},"data":{"object":{"id":"in_${time}",`, "}}}"] as const
          return filled(256 * kibibyte - 12, (n) => `"k${n}":"${"a".repeat(16)}"`, around)
        }
        const bodies: Record<string, (time: number) => string> = { "an event with a large object": event }
        for (const [name, body] of Object.entries(shapes(256 * kibibyte - 12))) bodies[name] = () => body
        const requests: Record<string, Made> = {}
        for (const [name, body] of Object.entries(bodies)) {
          const path = "/internal/billing/stripe"
          requests[`${name}, not signed`] = (time) => ({ path, body: body(time), headers: signatures })
          requests[name] = (time) => {
            const signature = signed(body(time), webhookSecret, timestamp)
            return { path, body: body(time), headers: { "stripe-signature": signature } }
          }
        }
        yield* drive(process, yield* foundClub(), requests)
      }), 600_000)
  }
)

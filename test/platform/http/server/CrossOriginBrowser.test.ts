import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { createServer } from "node:http"
import { Passwords } from "../../../../src/membership/accounts/Passwords.ts"
import { classroom, messagePath, replyTo, work, worldLayer } from "../../../assistant/World.ts"
import { openPage, withoutBrowser } from "../../../harness/Browser.ts"
import { listening } from "../../../harness/Listening.ts"
import { makeUser } from "../../../harness/Makers.ts"
import { png } from "../../../learning/media/Files.ts"
import { localFolder } from "../../storage/local/LocalFolder.ts"

// A real browser reads the headers: a page of another origin can do the same as a page of our own.

const { folder } = localFolder()

const apiAddress = Effect.map(HttpServer.HttpServer, ({ address }) => {
  if (address._tag === "UnixPathAddress") throw new Error("The server listens on no port")
  return `http://127.0.0.1:${address.port}`
})

const password = "violao e voz"

const passwordHash = Effect.flatMap(Passwords, ({ hash }) => hash(Redacted.make(password)))
  .pipe(Effect.provide(Passwords.layer))

/** An empty page at this host, with a function that runs scripts in it. */
const pageAt = Effect.fnUntraced(function*(host: "localhost" | "127.0.0.1", expected: ReadonlyArray<RegExp>) {
  const port = yield* listening(createServer((_, response) => {
    response.setHeader("content-type", "text/html")
    response.end("<!doctype html><title>An app</title><link rel=icon href=data:,>")
  }))
  const page = yield* openPage({ expected })
  yield* Effect.promise(() => page.goto(`http://${host}:${port}/`))
  return (body: string, values: Readonly<Record<string, unknown>>) =>
    Effect.promise((): Promise<unknown> =>
      page
        .evaluate(`(async ({ ${Object.keys(values).join(", ")} }) => { ${tools} ${body} })(${JSON.stringify(values)})`)
    )
})

/** Helpers that a page's own scripts would have. */
const tools = `
  const call = (path, { token, json, ...init } = {}) => fetch(api + path, {
    method: json === undefined ? "GET" : "POST",
    ...init,
    headers: {
      ...(token === undefined ? {} : { Authorization: "Bearer " + token }),
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...init.headers
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) })
  })
  const has = (response, ...names) => names.map((name) => response.headers.has(name))
  const codeOf = async (response) => [response.status, (await response.json()).error.code]
`

const WorldLayer = worldLayer({
  ALLOWED_ORIGINS: "http://localhost:*",
  DATA_DIR: folder,
  RATE_LIMIT_CREDENTIALS: "3"
}).pipe(Layer.provide(Logger.layer([])))

describe.skipIf(withoutBrowser)("A page of another origin", () => {
  layer(WorldLayer, { excludeTestServices: true })((it) => {
    it.effect("signs in, and reads which request it was, what is left and why it is refused", () =>
      Effect.gen(function*() {
        const api = yield* apiAddress
        const { email } = yield* makeUser({ password_hash: yield* passwordHash })
        const run = yield* pageAt("localhost", [/status of (?:401|429)/])
        const seen = yield* run(
          `
          const signIn = (given) => call("/v1/auth/admin/sign-in", { json: { email, password: given } })
          const first = await signIn(password)
          const { data } = await first.json()
          const me = await call("/v1/me", { token: data.access_token })
          const wrong = await codeOf(await signIn("something else"))
          await signIn("something else")
          const last = await signIn("something else")
          return {
            first: [first.status, ...has(first, "X-Request-Id", "RateLimit", "RateLimit-Policy")],
            me: (await me.json()).data.email,
            wrong,
            last: [...has(last, "Retry-After", "RateLimit", "X-Request-Id"), ...await codeOf(last)],
            unauthenticated: await codeOf(await call("/v1/me"))
          }`,
          { api, email, password }
        )
        assert.deepStrictEqual(seen, {
          first: [200, true, true, true],
          me: email,
          wrong: [401, "invalid_credentials"],
          last: [true, true, true, 429, "rate_limited"],
          unauthenticated: [401, "unauthenticated"]
        })
      }))

    it.effect("uploads a file and follows a stream", () =>
      Effect.gen(function*() {
        const api = yield* apiAddress
        const place = yield* classroom
        const id = yield* replyTo(place)
        yield* work
        const run = yield* pageAt("localhost", [])
        const seen = yield* run(
          `
          const bytes = Uint8Array.from(file)
          const announced = { purpose: "comment", file_name: "a.png", mime: "image/png", size_bytes: bytes.length }
          const begun = await call(club + "/classroom/media", { token, json: announced })
          const { media, upload } = (await begun.json()).data
          const { pathname } = new URL(upload.url)
          const sent = await fetch(api + pathname, { method: upload.method, headers: upload.headers, body: bytes })
          const done = await call(club + "/classroom/media/" + media.id + "/complete", { token, method: "POST" })
          const stream = await call(message + "/stream", { token, headers: { "Last-Event-ID": "0" } })
          let text = ""
          for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) text += chunk
          return {
            sent: [begun.status, sent.ok, (await done.json()).data.status],
            stream: [stream.status, ...has(stream, "X-Request-Id")],
            events: [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
          }`,
          {
            api,
            club: place.club.path,
            file: [...png],
            message: messagePath(place, id),
            token: place.student.token
          }
        )
        assert.deepStrictEqual(seen, {
          sent: [201, true, "ready"],
          stream: [200, true],
          events: ["message.delta", "message.citation", "message.completed"]
        })
      }))

    it.effect("is told nothing where its origin is foreign, not even that it was refused", () =>
      Effect.gen(function*() {
        const api = yield* apiAddress
        const { student } = yield* classroom
        const run = yield* pageAt("127.0.0.1", [/blocked by CORS policy/, /net::ERR_FAILED/])
        const seen = yield* run(
          `
          const outcome = (response) => response.then(() => "read", ({ name }) => name)
          return [
            await outcome(call("/v1/health")),
            await outcome(call("/v1/me")),
            await outcome(call("/v1/auth/session", { token })),
            await outcome(call("/v1/auth/admin/sign-in", { json: { email: "ana@user.example", password: "violao" } }))
          ]`,
          { api, token: student.token }
        )
        assert.deepStrictEqual(seen, Array(4).fill("TypeError"))
      }))
  })
})

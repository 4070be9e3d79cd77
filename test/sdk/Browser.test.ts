import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { eventTypes } from "../../src/events/EventTypes.ts"
import { classroom, replyTo, work, worldLayer } from "../assistant/World.ts"
import { openPage, withoutBrowser } from "../harness/Browser.ts"
import { listening } from "../harness/Listening.ts"
import { makeStudent } from "../harness/Makers.ts"
import { bundled } from "./Bundle.ts"

// In a page of another origin than the service's.

const WorldLayer = worldLayer({ ALLOWED_ORIGINS: "http://localhost:*" }).pipe(Layer.provide(Logger.layer([])))

/** A page with the SDK. Answers a function that runs a script in it with these values. */
const pageWithSdk = Effect.fnUntraced(function*(expected: ReadonlyArray<RegExp>) {
  const { code } = yield* Effect.promise(() => bundled("esm"))
  const port = yield* listening(createServer((request, response) => {
    const isModule = request.url === "/turma-sdk.js"
    response.setHeader("content-type", isModule ? "text/javascript" : "text/html")
    response.end(isModule ? code : "<!doctype html><title>An app</title><link rel=icon href=data:,>")
  }))
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
  const page = yield* openPage({ expected })
  yield* Effect.promise(() => page.goto(`http://localhost:${port}/`))
  const head = `const { createTurma, TurmaError, verifyWebhook } = await import("/turma-sdk.js")
    const collected = async (all) => { const items = []; for await (const one of all) items.push(one); return items }
    const baseUrl = "http://127.0.0.1:${address.port}"
    const turmaOf = (token) => createTurma({ baseUrl, token })`
  return (body: string, values: Readonly<Record<string, unknown>>) =>
    Effect.promise((): Promise<unknown> =>
      page
        .evaluate(`(async ({ ${Object.keys(values).join(", ")} }) => { ${head}; ${body} })(${JSON.stringify(values)})`)
    )
})

describe.skipIf(withoutBrowser)("turma-sdk in a browser", () => {
  layer(WorldLayer, { excludeTestServices: true })((it) => {
    it.effect("creates, lists, is refused, follows an answer and verifies a webhook", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        yield* Effect.forEach(Array.from({ length: 4 }), () => makeStudent(place.club))
        const messageId = yield* replyTo(place)
        yield* work
        const run = yield* pageWithSdk([/status of (?:401|422)/])
        const at = new Date()
        const body = JSON.stringify(eventTypes[0]?.example)
        const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
        const seen = yield* run(
          `
          const turma = turmaOf(token)
          const { data } = await turma.students.create({ clubId, body: { name: "Bia", email: "bia@example.com" } })
          const students = await collected(turma.students.list({ clubId, limit: 2 }))
          const refused = await turma.students.create({ clubId, body: { name: "" } }).catch((error) => error)
          const stranger = await turmaOf("nobody").account.me().catch((error) => error)
          const events = await collected(turmaOf(studentToken).ask.stream({ clubId, messageId }))
          const { type } = await verifyWebhook({ secret, headers, body })
          return [
            students.length,
            students.some(({ id }) => id === data.id),
            refused instanceof TurmaError && [refused.status, refused.code, refused.requestId !== undefined],
            stranger.code,
            events.map(({ event }) => event),
            type
          ]`,
          {
            clubId: place.club.organization_id,
            token: place.club.token,
            studentToken: place.student.token,
            messageId,
            secret,
            body,
            headers: {
              "webhook-id": "1",
              "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
              "webhook-signature": new Webhook(secret).sign("1", at, body)
            }
          }
        )
        assert.deepStrictEqual(seen, [
          6,
          true,
          [422, "validation_failed", true],
          "unauthenticated",
          ["message.delta", "message.citation", "message.completed"],
          eventTypes[0]?.type
        ])
      }))

    it.effect("takes the page's own fetch, and hears of an ETag that brings nothing new the next time", () =>
      Effect.gen(function*() {
        const { club } = yield* classroom
        const run = yield* pageWithSdk([/status of 304/])
        const seen = yield* run(
          `
          const turma = createTurma({ baseUrl, token, fetch: window.fetch, retries: 0 })
          const told = []
          const onResponse = ({ headers }) => told.push(headers.get("etag"))
          await turma.gamification.read({ clubId }, { onResponse })
          const headers = { "If-None-Match": told[0] }
          const again = await turma.gamification.read({ clubId }, { headers }).catch((error) => error)
          return [typeof told[0], again.code]`,
          { clubId: club.organization_id, token: club.token }
        )
        assert.deepStrictEqual(seen, ["string", "not_modified"])
      }))

    it.effect("lets go of a stream and of a call whose signal is aborted", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const messageId = yield* replyTo(place)
        const run = yield* pageWithSdk([])
        const seen = yield* run(
          `
          const signal = AbortSignal.timeout(200)
          const failed = await collected(turmaOf(token).ask.stream({ clubId, messageId }, { signal })).catch((error) => error)
          const before = await turmaOf(token).sessions.current({}, { signal }).catch((error) => error)
          return [failed.name, before === failed]`,
          { clubId: place.club.organization_id, token: place.student.token, messageId }
        )
        assert.deepStrictEqual(seen, ["TimeoutError", true])
      }))
  })
})

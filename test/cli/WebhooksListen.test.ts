import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer } from "effect"
import { request as httpsRequest } from "node:https"
import { Webhook } from "standardwebhooks"
import { ask, runTurma, startTurma } from "../harness/Turma.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const id = "0190a000-0000-7000-8000-000000000001"

const listening = Effect.fnUntraced(function*(...words: ReadonlyArray<string>) {
  const args = ["src/cli/main.ts", "webhooks", "listen", "--port", "0", ...words]
  const turma = yield* startTurma({ args, env: { WEBHOOK_SECRET: secret } })
  yield* turma.until("Listening at")
  const found = /Listening at (\S+),/.exec(turma.said.stdout)?.[1] ?? ""
  return { ...turma, url: found }
})

/** A signed delivery of this moment. */
const signed = (body: string, key = secret) => {
  const moment = new Date()
  return {
    "webhook-id": id,
    "webhook-timestamp": `${Math.floor(moment.getTime() / 1000)}`,
    "webhook-signature": new Webhook(key).sign(id, moment, body)
  }
}

const deliver = (url: string, body: string, headers: Record<string, string> = signed(body)) =>
  ask(url, { method: "POST", body, headers })

/** Sends one POST over TLS and trusts only this certificate. Answers the status. */
const deliverTls = (url: string, ca: string, body: string) =>
  Effect.callback<number, Error>((resume) => {
    const sent = httpsRequest(url, { method: "POST", ca, headers: signed(body), agent: false }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode ?? 0))
    })
    sent.on("error", (error) => resume(Effect.fail(error)))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

/** A command that receives plain HTTP, for all tests. The last one ends it. */
class Listening extends Context.Service<Listening, Effect.Success<ReturnType<typeof listening>>>()("test/Listening") {
  static readonly layer = Layer.effect(Listening, listening("--http"))
}

const TestLayer = Listening.layer.pipe(Layer.provideMerge(NodeServices.layer))

layer(TestLayer, { excludeTestServices: true })("turma webhooks listen", (it) => {
  it.effect("receives over TLS with a certificate of its own, which is gone when it ends, or with one that is there", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const own = yield* listening()
      const path = /WEBHOOK_ALLOWED_NETWORKS=127\.0\.0\.0\/8 WEBHOOK_EXTRA_CA_FILE=(\S+)/.exec(own.said.stdout)?.[1] ??
        ""
      assert.match(own.url, /^https:\/\/127\.0\.0\.1:\d+/)
      assert.strictEqual(yield* deliverTls(own.url, yield* fs.readFileString(path), "{}"), 200)
      yield* own.until("verified, answered 200")
      const [cert, key] = [`${folder}/a.pem`, `${folder}/b.pem`]
      yield* fs.copyFile(path, cert)
      yield* fs.copyFile(path.replace("certificate", "key"), key)
      assert.strictEqual((yield* own.end()).code, 0)
      assert.isFalse(yield* fs.exists(path))
      const given = yield* listening("--cert", cert, "--key", key)
      assert.strictEqual(yield* deliverTls(given.url, yield* fs.readFileString(cert), "{}"), 200)
    }))

  it.effect("prints when, what, which, and the body, and that it is verified", () =>
    Effect.gen(function*() {
      const turma = yield* Listening
      const answer = yield* deliver(turma.url, "{\"type\":\"purchase.paid\",\"data\":{\"total\":1990}}")
      assert.strictEqual(answer.status, 200)
      yield* turma.until("1990")
      const [, , first, ...lines] = turma.said.stdout.split("\n")
      assert.match(first ?? "", /^\d{4}-\d\d-\d\dT\S+Z {2}purchase\.paid {2}verified, answered 200$/)
      assert.strictEqual(lines[0], `  webhook-id         ${id}`)
      assert.match(lines[1] ?? "", /^ {2}webhook-timestamp {2}\d+ \(\d{4}-\S+Z\)$/)
      assert.deepStrictEqual(lines.slice(2, 7), [
        "  {",
        "    \"type\": \"purchase.paid\",",
        "    \"data\": {",
        "      \"total\": 1990",
        "    }"
      ])
    }))

  it.effect("says why a delivery is not verified, and answers as always", () =>
    Effect.gen(function*() {
      const turma = yield* Listening
      const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`
      assert.strictEqual((yield* deliver(turma.url, "{}", signed("{}", other))).status, 200)
      yield* turma.until("not verified: no signature matches")
      yield* deliver(turma.url, "{}", {})
      yield* turma.until("not verified: webhook-id is missing")
      yield* deliver(turma.url, "{}", { ...signed("{}"), "webhook-timestamp": "1" })
      yield* turma.until("seconds old, more than 300")
    }))

  it.effect("answers the status that it is told to", () =>
    Effect.gen(function*() {
      const turma = yield* listening("--http", "--status", "503")
      assert.strictEqual((yield* deliver(turma.url, "{}")).status, 503)
      yield* turma.until("verified, answered 503")
    }))

  it.effect("answers 405 to what is no delivery and 413 to what is too large, and goes on", () =>
    Effect.gen(function*() {
      const turma = yield* Listening
      assert.strictEqual((yield* ask(turma.url)).status, 405)
      assert.strictEqual((yield* deliver(turma.url, "x".repeat(5 * 2 ** 20))).status, 413)
      assert.strictEqual((yield* deliver(turma.url, "{}")).status, 200)
    }))

  it.effect("fails with 2 where the port is taken", () =>
    Effect.gen(function*() {
      const port = new URL((yield* Listening).url).port
      const args = ["src/cli/main.ts", "webhooks", "listen", "--http", "--port", port]
      const { code, stderr } = yield* runTurma({ args, env: {} })
      assert.deepStrictEqual([code, stderr], [2, `turma: Cannot listen on port ${port} of 127.0.0.1\n`])
    }))

  it.effect("ends at once although a connection is open", () =>
    Effect.gen(function*() {
      const turma = yield* Listening
      yield* Effect.promise(() => fetch(turma.url, { method: "POST", body: "{}" }))
      assert.deepInclude(yield* turma.end(), { code: 0, signal: null, stderr: "" })
    }))
})

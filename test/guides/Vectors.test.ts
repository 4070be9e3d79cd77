import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { parseSecret } from "../../src/webhooks/send/Secret.ts"
import { signatureOf } from "../../src/webhooks/send/Signature.ts"
import { block } from "./Calling.ts"
import { isSkipped, isSkippedIn, python, startReceiverIn } from "./Receivers.ts"

// Checks the receivers that verify by themselves against the vectors of the format, each at its own second.

const Vectors = Schema.Struct({
  vectors: Schema.NonEmptyArray(Schema.Struct({
    secret: Schema.String,
    id: Schema.String,
    timestamp: Schema.Int,
    body: Schema.String,
    signature: Schema.String
  })),
  must_reject: Schema.NonEmptyArray(Schema.String)
})

const { must_reject, vectors } = Schema.decodeUnknownSync(Schema.fromJsonString(Vectors))(readFileSync(
  new URL("../vectors/signatures.json", import.meta.url),
  "utf8"
))

const [vector] = vectors
const key = Redacted.value(Option.getOrThrow(parseSecret(vector.secret)))

/** The call that reads the clock in each receiver. */
const clocks = { Python: "time.time()", PHP: "time()" } as const

const startAt = (language: keyof typeof clocks, second: number) =>
  startReceiverIn(language, vector.secret, (code) => {
    assert.lengthOf(code.split(clocks[language]), 2)
    return code.replace(clocks[language], `${second}`)
  })

interface Sent {
  readonly id?: string
  readonly body?: Uint8Array<ArrayBuffer> | string
  readonly signature?: string
}

const post = (url: string, { body = vector.body, id = vector.id, signature = vector.signature }: Sent = {}) =>
  Effect.promise(async () => {
    const headers = {
      connection: "close",
      "webhook-id": id,
      "webhook-timestamp": `${vector.timestamp}`,
      "webhook-signature": signature
    }
    const { status } = await fetch(url, { method: "POST", body, headers })
    return status
  })

layer(NodeServices.layer, { excludeTestServices: true })(
  "a receiver that verifies by itself",
  (it) => {
    for (const language of ["Python", "PHP"] as const) {
      const run = it.effect.skipIf(isSkippedIn(language))

      run(
        `in ${language} accepts what is signed, by any of several signatures, and nothing else`,
        () =>
          Effect.gen(function*() {
            const { kept, url } = yield* startAt(language, vector.timestamp)
            for (const signature of must_reject) {
              assert.strictEqual(yield* post(url, { signature }), 401, signature)
            }
            const [wrong = ""] = must_reject
            for (const signature of ["", " ", wrong, `v1,${"é".repeat(44)}`, vector.signature.toLowerCase()]) {
              assert.strictEqual(yield* post(url, { signature }), 401, signature)
            }
            assert.strictEqual(yield* post(url, { id: `${vector.id}x` }), 401)
            assert.strictEqual(yield* post(url, { body: `${vector.body} ` }), 401)
            assert.strictEqual(yield* post(url, { body: new Uint8Array([0xff, 0xfe, 0]) }), 401)
            assert.deepStrictEqual(kept(), [])
            assert.strictEqual(yield* post(url), 204)
            const several = `v1,${"A".repeat(43)}= v2,${vector.signature.slice(3)} ${vector.signature}`
            assert.strictEqual(yield* post(url, { signature: several }), 204)
            assert.deepStrictEqual(kept(), [vector.body])
          })
      )

      run(`in ${language} verifies the bytes of a body in any script`, () =>
        Effect.gen(function*() {
          const { kept, url } = yield* startAt(language, vector.timestamp)
          const body = `{"type":"webhook.test","data":"Violão 🎸, \\u0000 音楽"}`
          const id = "msg_2"
          const signature = signatureOf(key, id, vector.timestamp, new TextEncoder().encode(body))
          assert.strictEqual(yield* post(url, { id, body, signature }), 204)
          assert.deepStrictEqual(kept(), [body])
        }))

      run(`in ${language} takes a clock that is 5 minutes off, and none that is more`, () =>
        Effect.gen(function*() {
          for (const [off, status] of [[300, 204], [-300, 204], [301, 401], [-301, 401]] as const) {
            const { url } = yield* startAt(language, vector.timestamp + off)
            assert.strictEqual(yield* post(url), status, `${off}`)
          }
        }))

      run(`in ${language} says nothing good of an event that it could not keep`, () =>
        Effect.gen(function*() {
          const { url } = yield* startReceiverIn(language, vector.secret, (code) => {
            const kept = "insert or ignore into inbox"
            assert.include(code, kept)
            return code.replace(clocks[language], `${vector.timestamp}`).replace(kept, "insert or ignore into nowhere")
          })
          // PHP answers, and Python closes the connection.
          const answered = yield* Effect.exit(post(url))
          if (answered._tag === "Success") assert.strictEqual(answered.value, 500)
        }))
    }

    it.effect.skipIf(isSkippedIn("PHP"))("in PHP takes nothing while it has no secret", () =>
      Effect.gen(function*() {
        const { kept, url } = yield* startReceiverIn(
          "PHP",
          "",
          (code) => code.replace(clocks.PHP, `${vector.timestamp}`)
        )
        const signature = signatureOf(
          new Uint8Array(),
          vector.id,
          vector.timestamp,
          new TextEncoder().encode(vector.body)
        )
        assert.strictEqual(yield* post(url, { signature }), 500)
        assert.deepStrictEqual(kept(), [])
      }))

    it.skipIf(isSkipped(python)).for(["", "whsec_", "whsec_not base64"])(
      "in Python does not start with the secret %j",
      (secret) => {
        const env = { WEBHOOK_SECRET: secret, INBOX: ":memory:" }
        const { status } = spawnSync(python ?? "", ["-c", block("python", "receiver")], { env, timeout: 10_000 })
        assert.strictEqual(status, 1)
      }
    )
  }
)

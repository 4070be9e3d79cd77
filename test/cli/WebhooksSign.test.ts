import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { Webhook } from "standardwebhooks"
import { signatureHeader } from "../../src/webhooks/send/Signature.ts"
import { formatPublicKey, keyOfSeed, publicBytesOf } from "../../src/webhooks/send/SigningKey.ts"
import { runCommand } from "../harness/CommandHost.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
const timestamp = "1614265330"
const body = "{\"test\": 2432232314}"
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

const args = (...words: ReadonlyArray<string>) => ["src/cli/main.ts", "webhooks", ...words]
const turma = (env: Record<string, string>, ...words: ReadonlyArray<string>) => runCommand(["webhooks", ...words], env)

const signer = keyOfSeed(new Uint8Array(32).fill(7))
const publicKey = formatPublicKey(publicBytesOf(signer))
const otherKey = formatPublicKey(publicBytesOf(keyOfSeed(new Uint8Array(32).fill(8))))
const asymmetricSignature = signatureHeader([], id, Number(timestamp), Buffer.from(body), [signer])

/** A file with these bytes, until the test ends. */
const fileOf = Effect.fnUntraced(function*(content: Uint8Array | string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFileScoped()
  yield* fs.writeFile(path, Buffer.from(content))
  return path
})

const request = ["--id", id, "--timestamp", timestamp]
const captured = [...request, "--signature", signature, "--at", timestamp]

layer(NodeServices.layer, { excludeTestServices: true })("turma webhooks sign", (it) => {
  it.effect("prints the three headers", () =>
    Effect.gen(function*() {
      const file = yield* fileOf(body)
      const said = yield* turma({}, "sign", "--secret", secret, ...request, "--body", file)
      assert.deepStrictEqual(said, {
        code: 0,
        stdout: `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}\n`,
        stderr: ""
      })
    }))

  it.effect("signs for this moment without a timestamp, so that the library accepts it", () =>
    Effect.gen(function*() {
      const emoji = "{\"name\": \"Zoë 👩‍🚀\"}"
      const file = yield* fileOf(emoji)
      const { stdout } = yield* turma({ WEBHOOK_SECRET: secret }, "sign", "--id", id, "--body", file)
      const headers = Object.fromEntries(stdout.trim().split("\n").map((line) => line.split(": ")))
      assert.deepStrictEqual(new Webhook(secret).verify(emoji, headers), { name: "Zoë 👩‍🚀" })
    }))

  it.effect("reads the body from standard input, byte for byte", () =>
    Effect.gen(function*() {
      const bytes = Uint8Array.from([0, 255, 128, 10, 13])
      const file = yield* fileOf(bytes)
      const fromFile = yield* turma({}, "sign", "--secret", secret, ...request, "--body", file)
      const child = ChildProcess.make(process.execPath, args("sign", "--secret", secret, ...request), {
        stdin: Stream.make(bytes),
        env: { PATH: process.env["PATH"] }
      })
      const piped = yield* Effect.flatMap(child, ({ stdout }) => Stream.mkString(Stream.decodeText(stdout)))
      assert.strictEqual(piped, fromFile.stdout)
    }))
})

layer(NodeServices.layer, { excludeTestServices: true })("turma webhooks verify", (it) => {
  const verify = (...words: ReadonlyArray<string>) => turma({ WEBHOOK_SECRET: secret }, "verify", ...words)

  it.effect("says that a request is verified", () =>
    Effect.gen(function*() {
      const said = yield* verify(...captured, "--body", yield* fileOf(body))
      assert.deepStrictEqual(said, { code: 0, stdout: "verified\n", stderr: "" })
    }))

  it.effect("takes an endpoint's public key for a signature of `v1a`, and a secret for none of those", () =>
    Effect.gen(function*() {
      const file = yield* fileOf(body)
      const asymmetric = [...request, "--at", timestamp, "--body", file, "--signature", asymmetricSignature]
      const said = yield* verify(...asymmetric, "--secret", publicKey)
      assert.deepStrictEqual(said, { code: 0, stdout: "verified\n", stderr: "" })
      for (const other of [secret, otherKey]) {
        assert.strictEqual((yield* verify(...asymmetric, "--secret", other)).code, 1)
      }
      const symmetric = yield* verify(...captured, "--body", file, "--secret", publicKey)
      assert.strictEqual(symmetric.code, 1)
    }))

  it.effect("says with exit code 1 that no signature matches", () =>
    Effect.gen(function*() {
      const said = yield* verify(...captured, "--body", yield* fileOf(`${body}\n`))
      assert.deepStrictEqual([said.code, said.stdout], [1, ""])
      assert.match(said.stderr, /^turma: not verified: no signature matches: .*\n$/)
    }))

  it.effect("says how old a timestamp is", () =>
    Effect.gen(function*() {
      const at = `${Number(timestamp) + 301}`
      const said = yield* verify(...captured.slice(0, -1), at, "--body", yield* fileOf(body))
      assert.deepStrictEqual(
        [said.code, said.stderr],
        [1, "turma: not verified: the timestamp is 301 seconds old, more than 300\n"]
      )
    }))

  it.effect("judges a timestamp by the machine's clock unless told when", () =>
    Effect.gen(function*() {
      const said = yield* verify(...captured.slice(0, -2), "--body", yield* fileOf(body))
      assert.deepStrictEqual([said.code, said.stdout], [1, ""])
      assert.match(said.stderr, /^turma: not verified: the timestamp is \d+ seconds old, more than 300\n$/)
    }))
})

layer(NodeServices.layer, { excludeTestServices: true })("turma webhooks, called wrongly,", (it) => {
  const wrong: Record<string, readonly [env: Record<string, string>, words: ReadonlyArray<string>, line: RegExp]> = {
    "without a secret": [{}, ["sign", ...request], /Give the secret as --secret, or as WEBHOOK_SECRET/],
    "with a secret that is none": [{}, ["sign", "--secret", "hunter2", ...request], /--secret is not whsec_/],
    "with a variable that is none": [{ WEBHOOK_SECRET: "hunter2" }, ["listen"], /WEBHOOK_SECRET is not whsec_/],
    "with a key that is none": [{}, ["listen", "--secret", "whpk_hunter2"], /--secret is not whsec_.*, or whpk_/],
    "with a public key to sign with": [{}, ["sign", "--secret", publicKey, ...request], /--secret is not whsec_/],
    "without a body": [
      { WEBHOOK_SECRET: secret },
      ["sign", ...request, "--body", "/no/body"],
      /Cannot read \/no\/body: there is no such file/
    ],
    "without an id": [{ WEBHOOK_SECRET: secret }, ["verify"], /Missing required flag: --id/],
    "with a flag that there is not": [{ WEBHOOK_SECRET: secret }, ["sign", "--loud"], /--loud/],
    "with a time that is none": [
      { WEBHOOK_SECRET: secret },
      ["sign", "--id", id, "--timestamp", "-1"],
      /expected Unix seconds/
    ],
    "with a status that is none": [{}, ["listen", "--status", "20"], /expected 200 to 599/],
    "with half a certificate": [{}, ["listen", "--cert", "a.pem"], /--cert and --key go together/],
    "with a certificate that is not there": [
      {},
      ["listen", "--cert", "/no/a", "--key", "/no/b"],
      /Cannot read the certificate \/no\/a: there is no such file/
    ],
    "where there is no openssl": [{ PATH: "/nowhere" }, ["listen"], /with openssl: give --cert and --key, or --http/]
  }

  it.effect.each(Object.entries(wrong))(
    "%s, says so in one line and fails with 2",
    ([, [env, words, line]]) =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* turma(env, ...words)
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, /^turma: .*\n$/)
        assert.match(stderr, line)
        assert.notInclude(stderr, "hunter2")
      })
  )

  it.effect("still shows how it is called", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* turma({}, "verify", "--help")
      assert.strictEqual(code, 0)
      assert.include(stdout, "--signature")
    }))
})

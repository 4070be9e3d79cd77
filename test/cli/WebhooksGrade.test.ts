import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { IncomingMessage } from "node:http"
import { Webhook } from "standardwebhooks"
import { Report } from "../../src/webhooks/workbench/grader/Report.ts"
import { runCommand } from "../harness/CommandHost.ts"
import { httpServer } from "./webhooks/Forwarding.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

const turma = (...words: ReadonlyArray<string>) =>
  runCommand(["webhooks", "grade", ...words], { WEBHOOK_SECRET: secret })

interface Said {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A local program that verifies its requests. It gives this answer to valid ones. */
const receiver = Effect.fnUntraced(function*(
  answer: (body: string, request: IncomingMessage) => Said,
  refusal: Said = { status: 401 }
) {
  const posted: Array<string> = []
  const url = yield* httpServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      posted.push(body)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      let said = refusal
      try {
        new Webhook(secret).verify(body, headers)
        said = answer(body, request)
      } catch {
        // The request is refused.
      }
      response.writeHead(said.status, said.headers).end(said.body)
    })
  })
  return { url, posted }
})

const decodeReport = Schema.decodeUnknownSync(Schema.fromJsonString(Report))

layer(NodeServices.layer, { excludeTestServices: true })("turma webhooks grade", (it) => {
  it.effect("says that nothing is wrong, with exit code 0, and how each probe was answered", () =>
    Effect.gen(function*() {
      const ids = new Set<string>()
      const { posted, url } = yield* receiver((_, { headers }) => {
        const id = String(headers["webhook-id"])
        const isRepeat = ids.has(id)
        ids.add(id)
        return isRepeat ? { status: 200, headers: { "turma-seen": "1" } } : { status: 204 }
      })
      const { code, stderr, stdout } = yield* turma(`${url}/hooks`)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.include(stdout, `Grade A: ${url}/hooks\nNothing is wrong.\nIt says that it knows what it has had.\n`)
      assert.match(stdout, /^wrong_signature +refused +401 +\d+$/m)
      assert.match(stdout, /^large +taken +204 +\d+$/m)
      assert.strictEqual(posted.length, 13)
    }))

  it.effect("says in sentences what is wrong, with exit code 1, and lets the terminal obey no answer", () =>
    Effect.gen(function*() {
      const { url } = yield* receiver((body) =>
        body.includes("added_later") ? { status: 422, body: "no \u001b[2J such field" } : { status: 200 }
      )
      const { code, stderr, stdout } = yield* turma(url)
      assert.deepStrictEqual([code, stderr], [1, ""])
      assert.match(stdout, /^Grade C: /)
      assert.match(
        stdout,
        /^error: It refuses a body with unknown fields.*\n {2}shown by unknown_fields$/m
      )
      assert.match(stdout, /^unknown_fields +taken +422 +\d+ +no .* such field$/m)
      assert.notInclude(stdout, "\u001b")
      assert.include(stdout, "It does not say if it drops repeats")
    }))

  it.effect("ends with exit code 0 where there are warnings alone", () =>
    Effect.gen(function*() {
      const { url } = yield* receiver((body) => ({ status: body.length > 100_000 ? 413 : 200 }))
      const { code, stdout } = yield* turma(url)
      assert.strictEqual(code, 0)
      assert.match(stdout, /^Grade B: .*\nwarning: It refuses a body of 200 KB$/m)
    }))

  it.effect("prints the report as JSON", () =>
    Effect.gen(function*() {
      const { url } = yield* receiver(() => ({ status: 302, headers: { location: "/elsewhere" } }))
      const { code, stdout } = yield* turma(url, "--json")
      const { findings, grade, observations } = decodeReport(stdout)
      assert.deepStrictEqual([code, grade, findings.map((one) => one.code)], [1, "F", ["redirects"]])
      assert.strictEqual(observations.length, 13)
    }))

  it.effect("says that nobody answers, and sends no more after two probes", () =>
    Effect.gen(function*() {
      const url = yield* httpServer((request) => request.socket.destroy())
      const { code, stdout } = yield* turma(url)
      assert.strictEqual(code, 1)
      assert.match(stdout, /^error: It answered nothing \(connection\): /m)
      assert.notInclude(stdout, "later_first")
    }))

  it.effect("wants an address of HTTP and a secret, with exit code 2", () =>
    Effect.gen(function*() {
      const { code, stderr } = yield* turma("ftp://localhost/")
      assert.deepStrictEqual([code, stderr], [
        2,
        "turma: url: expected an http or https address without user and password\n"
      ])
      const without = yield* runCommand(["webhooks", "grade", "http://localhost/"], {})
      assert.strictEqual(without.code, 2)
      assert.include(without.stderr, "Give the secret as --secret")
    }))
})

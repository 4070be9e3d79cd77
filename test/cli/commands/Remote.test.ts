import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { freePort } from "../../harness/FreePort.ts"
import { type Answering, clubId, commandLine, pageOf, secretKey, signedIn, startStub } from "./CommandLine.ts"

// Takes long: commands wait in real time for a service that is away, and one lists 60,000 students.

const student = (index: number, name = `Bia ${index}`) => ({
  id: `019d4860-d9c0-7a10-8c4e-${String(index).padStart(12, "0")}`,
  name,
  email: `bia${index}@example.com`,
  created_at: "2026-04-01T09:30:00.123Z"
})

const refusal = (status: number, code: string): Answering => ({
  status,
  headers: { "x-request-id": "req-42" },
  body: { error: { code, message: "It may not be" } }
})

const list = ["students", "list"]

const refusals: ReadonlyArray<readonly [status: number, code: string, exit: number]> = [
  [400, "invalid_cursor", 5],
  [401, "unauthenticated", 3],
  [403, "forbidden", 4],
  [404, "not_found", 4],
  [409, "student_exists", 5],
  [422, "validation_failed", 5],
  [500, "internal_error", 6],
  [503, "temporarily_unavailable", 6]
]

const addresses: ReadonlyArray<readonly [url: string, line: RegExp]> = [
  ["http://turma.example", /plain http to this machine alone/],
  ["ftp://127.0.0.1", /expected the https address/],
  ["https://ana:secret@turma.example", /without user/]
]

const keyless: ReadonlyArray<readonly [words: ReadonlyArray<string>, code: number]> = [
  [["students", "list"], 3],
  [["students", "list", "--limt", "3"], 2],
  [["students", "show", "no-id"], 3]
]

const replies: ReadonlyArray<readonly [typed: string, code: number, isDone: boolean]> = [
  ["n\n", 1, false],
  ["\n", 1, false],
  ["y\n", 0, true],
  ["yes\n", 0, true]
]

/** Runs the command against a service that gives this answer to every request. */
const against = Effect.fnUntraced(function*(answer: (asked: { path: string }) => Answering, words = list) {
  const stub = yield* startStub(answer)
  const turma = yield* commandLine(signedIn(stub.url))
  return { ...(yield* turma.run(words)), asked: stub.asked }
})

layer(Layer.empty, { excludeTestServices: true })("A command that asks the service", (it) => {
  it.effect.each(refusals)(
    "tells a refusal in one line, with its code and its request: %i %s is exit code %i",
    ([status, code, exit]) =>
      Effect.gen(function*() {
        const said = yield* against(() => refusal(status, code))
        assert.deepStrictEqual([said.code, said.stdout], [exit, ""])
        assert.strictEqual(said.stderr, `turma: It may not be (${code}, request req-42)\n`)
      })
  )

  it.effect("sends the key, and shows it nowhere", () =>
    Effect.gen(function*() {
      const said = yield* against(() => ({ status: 500, body: "<html>no" }))
      assert.strictEqual(said.asked[0]?.headers.authorization, `Bearer ${secretKey}`)
      assert.notInclude(said.stdout + said.stderr, secretKey.slice(15))
      assert.match(said.stderr, /^turma: The answer 500 is not one of Turma's: is the address right\?.*\n$/)
    }))

  it.effect("waits as long as the service asks to, and says so", () =>
    Effect.gen(function*() {
      let left = 2
      const said = yield* against(() =>
        left-- > 0 ? { ...refusal(429, "rate_limited"), headers: { "retry-after": "1" } } : pageOf([student(1)])
      )
      assert.deepStrictEqual([said.code, said.asked.length], [0, 3])
      assert.strictEqual(said.stderr, "turma: the service is at its limit: waiting 1 s, as it asks\n".repeat(2))
      assert.include(said.stdout, "bia1@example.com")
    }))

  it.effect("does not wait longer than a minute", () =>
    Effect.gen(function*() {
      const said = yield* against(() => ({ ...refusal(429, "rate_limited"), headers: { "retry-after": "61" } }))
      assert.deepStrictEqual([said.code, said.asked.length], [6, 1])
    }))

  it.effect("does not wait for ever", () =>
    Effect.gen(function*() {
      const said = yield* against(() => ({ ...refusal(429, "rate_limited"), headers: { "retry-after": "0" } }))
      assert.deepStrictEqual([said.code, said.asked.length], [6, 6])
    }))

  it.effect("says in one line that nobody listens there", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine(signedIn(`http://127.0.0.1:${yield* freePort}`))
      const said = yield* turma.run(list)
      assert.deepStrictEqual([said.code, said.stdout], [6, ""])
      assert.match(said.stderr, /^turma: http:\S+ does not answer: .*ECONNREFUSED.*\n$/)
    }))

  it.effect("follows no redirect: the key would go there", () =>
    Effect.gen(function*() {
      const other = yield* startStub(() => pageOf([]))
      const said = yield* against(() => ({ status: 307, headers: { location: other.url } }))
      assert.deepStrictEqual([said.code, other.asked.length], [5, 0])
    }))

  it.effect.each(addresses)("sends no key to %s", ([url, line]) =>
    Effect.gen(function*() {
      const turma = yield* commandLine({ ...signedIn(url) })
      const said = yield* turma.run(list)
      assert.strictEqual(said.code, 2)
      assert.match(said.stderr, line)
      assert.notInclude(said.stderr, "secret")
    }))

  it.effect.each(keyless)(
    "called with %j and no key, fails with %i",
    ([words, code]) =>
      Effect.gen(function*() {
        const turma = yield* commandLine()
        const said = yield* turma.run(words)
        assert.deepStrictEqual([said.code, said.stdout], [code, ""])
        assert.match(said.stderr, /^turma: [^\n]*\n$/)
      })
  )

  it.effect("called wrongly, says where to read how it is called", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine(signedIn("https://turma.example"))
      const wrong = yield* turma.run(["students", "list", "--limt", "3"])
      assert.match(wrong.stderr, /^turma: .*--limt.*See npx turma students list --help\n$/)
      const malformed = yield* turma.run(["students", "show", "no-id"])
      assert.deepStrictEqual([malformed.code, malformed.stderr], [2, "turma: no-id is not the id of a student\n"])
    }))

  it.effect("ends with 130 on Ctrl-C, before it is done", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => ({ status: 429, headers: { "retry-after": "60" } }))
      const turma = yield* commandLine(signedIn(stub.url))
      const { child, ended, until } = yield* turma.start(list)
      yield* until("waiting 60 s")
      child.kill("SIGINT")
      const said = yield* ended
      assert.deepStrictEqual([said.code, said.stdout], [130, ""])
    }))
})

layer(Layer.empty, { excludeTestServices: true })("Output", (it) => {
  const evil = "Bia\u001b[2J\u009b31m\u202eevil\u0007\r\nrm -rf"

  it.effect("shows nothing that a terminal obeys, whatever a student is called", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => pageOf([student(1, evil)]))
      const turma = yield* commandLine({ ...signedIn(stub.url), NO_COLOR: "1" })
      const obeyed = /[\p{Cc}\p{Bidi_Control}]/u
      const table = yield* Effect.flatMap(turma.terminal(200, list), ({ ended }) => ended)
      assert.include(table.stdout, "evil")
      assert.notMatch(table.stdout.replaceAll(/[\r\n]/g, ""), obeyed)
      assert.lengthOf(table.stdout.trimEnd().split("\n"), 2)
      for (const flags of [[], ["--json"], ["--jsonl"]]) {
        const { stdout } = yield* turma.run([...list, ...flags])
        assert.notMatch(stdout.replaceAll(/[\t\n]/g, ""), obeyed)
      }
      const { stdout } = yield* turma.run([...list, "--json"])
      assert.deepStrictEqual(JSON.parse(stdout), [student(1, evil)])
    }))

  it.effect("is a table that fits into the terminal, and has colours unless somebody wants none", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => pageOf([student(1, "日本語の名前".repeat(10)), student(2)]))
      const turma = yield* commandLine(signedIn(stub.url))
      const coloured = yield* Effect.flatMap(turma.terminal(60, list), ({ ended }) => ended)
      assert.include(coloured.stdout, "\u001b[1mID")
      const plain = yield* Effect.flatMap(turma.terminal(60, list, { env: { NO_COLOR: "1" } }), ({ ended }) => ended)
      assert.notInclude(plain.stdout, "\u001b")
      const lines = plain.stdout.trimEnd().split("\r\n")
      assert.lengthOf(lines, 3)
      const wide = (line: string) => [...line].reduce((sum, one) => sum + (one > "\u2e80" ? 2 : 1), 0)
      for (const line of lines) assert.isAtMost(wide(line), 60)
      assert.include(lines[1], "…")
    }))

  it.effect("is lines of cells between tabs where it is piped, whole and without a head", () =>
    Effect.gen(function*() {
      const said = yield* against(() => pageOf([student(1), student(2)]))
      assert.strictEqual(
        said.stdout,
        [1, 2].map((index) => `${student(index).id}\tBia ${index}\tbia${index}@example.com\t2026-04-01T09:30:00Z\n`)
          .join("")
      )
    }))

  it.effect("is the API's data as it is with --json, fields that are not known among them", () =>
    Effect.gen(function*() {
      const strange = { ...student(1), moon: { phase: "full" } }
      const said = yield* against(() => pageOf([strange]), [...list, "--json"])
      assert.deepStrictEqual(JSON.parse(said.stdout), [strange])
      const nothing = yield* against(() => pageOf([]), [...list, "--json"])
      assert.deepStrictEqual([nothing.code, JSON.parse(nothing.stdout), nothing.stderr], [0, [], ""])
    }))

  it.effect("ends in silence when nobody reads it any more", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => pageOf(Array.from({ length: 100 }, (_, index) => student(index)), "more"))
      const turma = yield* commandLine(signedIn(stub.url))
      const said = yield* turma.bash("turma students list --all | head -n 1; echo ${PIPESTATUS[0]}")
      assert.deepStrictEqual(said.stdout.split("\n").slice(1), ["0", ""])
      assert.strictEqual(said.stderr, "")
    }))

  it.effect("of a very long list takes no more memory than that of a short one", () =>
    Effect.gen(function*() {
      const pages = 600
      let left = pages
      const stub = yield* startStub(() =>
        pageOf(Array.from({ length: 100 }, (_, index) => student(index, "x".repeat(200))), --left > 0 ? "more" : null)
      )
      const turma = yield* commandLine(signedIn(stub.url))
      // The whole list does not fit into memory. Young objects count too, and a busy machine collects many too late.
      const said = yield* turma.bash("turma students list --all --json | wc -l", {
        env: { NODE_OPTIONS: "--max-old-space-size=64 --max-semi-space-size=1" }
      })
      assert.deepStrictEqual([said.code, said.stdout.trim(), said.stderr], [0, `${pages * 100 + 2}`, ""])
    }))

  it.effect("says that there is more, beside the output", () =>
    Effect.gen(function*() {
      const said = yield* against(() => pageOf([student(1)], "more"), [...list, "--limit", "1"])
      assert.deepStrictEqual([said.code, said.stderr], [
        0,
        "There are more: --limit N for more of them, --all for all\n"
      ])
    }))
})

layer(Layer.empty, { excludeTestServices: true })("What is done for good", (it) => {
  const remove = ["students", "remove", student(1).id]
  const service = () =>
    startStub(({ method }) => method === "DELETE" ? { status: 204 } : { body: { data: student(1) } })

  it.effect("is not done where there is nobody to ask", () =>
    Effect.gen(function*() {
      const stub = yield* service()
      const turma = yield* commandLine(signedIn(stub.url))
      const said = yield* turma.run(remove, { stdin: "y\n" })
      assert.deepStrictEqual([said.code, said.stderr], [
        2,
        "turma: There is no terminal to ask on: confirm with --yes\n"
      ])
      assert.notInclude(stub.asked.map(({ method }) => method), "DELETE")
    }))

  it.effect.each(replies)(
    "is asked about on a terminal: %j",
    ([typed, code, isDone]) =>
      Effect.gen(function*() {
        const stub = yield* service()
        const turma = yield* commandLine(signedIn(stub.url))
        const { child, ended, until } = yield* turma.terminal(100, remove)
        yield* until("[y/N]")
        child.stdin.write(typed)
        const said = yield* ended
        assert.strictEqual(said.code, code, said.stdout)
        assert.include(said.stdout, "Remove Bia 1 (bia1@example.com)")
        assert.strictEqual(stub.asked.some(({ method }) => method === "DELETE"), isDone)
      })
  )

  it.effect("is done at once with --yes", () =>
    Effect.gen(function*() {
      const stub = yield* service()
      const turma = yield* commandLine(signedIn(stub.url))
      assert.strictEqual((yield* turma.run([...remove, "--yes"])).code, 0)
      assert.include(stub.asked.map(({ method }) => method), "DELETE")
    }))
})

layer(Layer.empty, { excludeTestServices: true })("A terminal that signs in", (it) => {
  it.effect("waits for whoever lets it in, also where the service is at its limit or away for a moment", () =>
    Effect.gen(function*() {
      const moment = "2026-04-01T09:30:00.000Z"
      const key = {
        id: student(1).id,
        name: "Command line",
        prefix: secretKey.slice(6, 14),
        status: "active",
        role: "viewer",
        scopes: null,
        allowed_networks: [],
        holder: null,
        created_at: moment,
        expires_at: null,
        revoked_at: null,
        previous_token_ends_at: null,
        last_used_at: null,
        last_used_address: null,
        organization_id: clubId,
        club_name: "Violão"
      }
      const begun = {
        device_code: "a",
        user_code: "BDWP-HQPK",
        verification_url: "http://127.0.0.1/account/terminal",
        verification_url_complete: "http://127.0.0.1/account/terminal?code=BDWP-HQPK",
        expires_at: moment,
        interval_seconds: 1
      }
      const answers: Array<Answering> = [
        refusal(429, "rate_limited"),
        refusal(503, "temporarily_unavailable"),
        refusal(409, "authorization_pending"),
        { body: { data: { ...key, token: secretKey } } }
      ]
      const stub = yield* startStub(({ path }) => {
        if (path === "/v1/auth/device") return { status: 201, body: { data: begun } }
        if (path === "/v1/auth/device/token") return answers.shift() ?? refusal(422, "device_code_invalid")
        return {
          body: { data: path === "/v1/key" ? { ...key, acts_as: "viewer" } : { name: "Violão", slug: "violao" } }
        }
      })
      const turma = yield* commandLine()
      const { code, stderr } = yield* turma.run(["login", "--url", stub.url])
      assert.deepStrictEqual([code, answers], [0, []], stderr)
      assert.include(stderr, "Signed in to Violão")
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { eventually } from "../../harness/Eventually.ts"
import {
  type Answering,
  type Asked,
  clubId,
  commandLine,
  pageOf,
  secretKey,
  signedIn,
  startStub
} from "./CommandLine.ts"

// Takes long: some tests start a command, and the waits between its attempts are in real time.

const evil = "Bia\u001b[2J\u009b31m\u202eevil\u0007"
const obeyed = /[\p{Cc}\p{Bidi_Control}]/u

const id = (number: number) => `019d4860-d9c0-7a10-8c4e-${String(number).padStart(12, "0")}`

const student = { id: id(1), name: "Bia", email: "bia@example.com", created_at: "2026-04-01T09:30:00.123Z" }

const delivery = (number: number) => ({
  id: id(number),
  status: "succeeded",
  event_type: "student.created",
  attempts_count: 1,
  created_at: "2026-04-01T09:30:00.123Z"
})

const refusal = (status: number, code: string): Answering => ({ status, body: { error: { code, message: "No" } } })

const list = ["students", "list"]

/** Runs the command against a service that gives this answer to every request. */
const against = Effect.fnUntraced(function*(answer: (asked: Asked) => Answering, words: ReadonlyArray<string> = list) {
  const stub = yield* startStub(answer)
  const turma = yield* commandLine(signedIn(stub.url))
  return { ...(yield* turma.run(words)), asked: stub.asked }
})

layer(Layer.empty, { excludeTestServices: true })("Output for people", (it) => {
  it.effect("has nothing that a terminal obeys, whoever has written it", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(({ path }) => {
        if (path === "/v1/key") return { body: { data: { organization_id: evil } } }
        return { body: { data: path.endsWith("/diagnosis") ? { summary: evil } : { id: id(1), url: evil } } }
      })
      const turma = yield* commandLine({ TURMA_URL: stub.url, TURMA_KEY: secretKey, NO_COLOR: "1" })
      const failed = yield* turma.run(list)
      assert.strictEqual(failed.code, 2)
      assert.include(failed.stderr, "evil")
      assert.notMatch(failed.stderr.replaceAll("\n", ""), obeyed)
      const show = ["webhooks", "endpoints", "show", id(1), "--club", clubId]
      const shown = yield* Effect.flatMap(turma.terminal(200, show), ({ ended }) => ended)
      assert.lengthOf(shown.stdout.match(/evil/g) ?? [], 2)
      assert.notMatch(shown.stdout.replaceAll(/[\r\n]/g, ""), obeyed)
    }))

  it.effect("that is not whole for want of room brings a message", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => pageOf([student]))
      const turma = yield* commandLine(signedIn(stub.url))
      const said = yield* turma.bash("turma students list > /dev/full")
      assert.strictEqual(said.code, 1)
      assert.match(said.stderr, /^turma: The output is not whole: .*ENOSPC.*\n$/)
    }))
})

layer(Layer.empty, { excludeTestServices: true })("A service in trouble", (it) => {
  it.effect("that breaks off its answer, or the connection, brings a message", () =>
    Effect.gen(function*() {
      const half = yield* against(() => ({
        headers: { "content-length": "1000", connection: "close" },
        body: "{\"data\":[{"
      }))
      assert.deepStrictEqual([half.code, half.stdout], [6, ""])
      assert.match(half.stderr, /^turma: http:\S+ broke off its answer\n$/)
      const lost = yield* against(() => ({ status: 0 }))
      assert.deepStrictEqual([lost.code, lost.stdout], [6, ""])
      const foreign = yield* against(() => ({ body: "<html>" }))
      assert.deepStrictEqual([foreign.code, /is not Turma's/.test(foreign.stderr)], [6, true])
    }))

  it.effect("does not end an import that it goes on with", () =>
    Effect.gen(function*() {
      const begun = { id: id(1), status: "pending", total: 2, processed: 0, failed: 0 }
      const answers: Array<Answering> = [
        { body: { data: begun } },
        refusal(503, "temporarily_unavailable"),
        { status: 0 },
        { body: { data: { ...begun, processed: 1000 } } },
        { body: { data: { ...begun, status: "completed", processed: 2 } } }
      ]
      const stub = yield* startStub(({ method }) =>
        method === "POST" ? { body: { data: begun } } : answers.shift() ?? {}
      )
      const turma = yield* commandLine(signedIn(stub.url))
      writeFileSync(`${turma.home}/students.csv`, "name,email\n")
      const words = ["import", `${turma.home}/students.csv`]
      const { code, stdout } = yield* Effect.flatMap(turma.terminal(100, words), ({ ended }) => ended)
      assert.deepStrictEqual([code, answers], [0, []], stdout)
      answers.push(refusal(403, "forbidden"))
      const refused = yield* turma.run(words)
      assert.strictEqual(refused.code, 4)
      assert.include(
        refused.stderr,
        `goes on with it: npx turma api GET /v1/clubs/{clubId}/students/imports/${id(1)}\n`
      )
    }))
})

layer(Layer.empty, { excludeTestServices: true })("turma webhooks tail", (it) => {
  /** A club with endpoints, each with its deliveries, newest first. */
  const club = Effect.gen(function*() {
    const endpoints = new Map<string, ReadonlyArray<unknown>>([[id(1), []], [id(2), []]])
    const trouble: Array<Answering> = []
    const stub = yield* startStub(({ path }) => {
      const instead = path.endsWith("/deliveries") ? trouble.shift() : undefined
      if (instead !== undefined) return instead
      if (path.endsWith("/webhook-endpoints")) return pageOf([...endpoints.keys()].map((id) => ({ id })))
      const [, endpoint = ""] = /webhook-endpoints\/([^/]+)\/deliveries$/.exec(path) ?? []
      const deliveries = endpoints.get(endpoint)
      return deliveries === undefined ? refusal(404, "not_found") : pageOf(deliveries)
    })
    const turma = yield* commandLine(signedIn(stub.url))
    const tail = yield* turma.start(["webhooks", "tail", "--jsonl"])
    yield* tail.until("Watching 2 endpoints")
    return { ...tail, endpoints, trouble }
  })

  const troubles: ReadonlyArray<readonly [what: string, answering: Answering]> = [
    ["is restarted", { status: 0 }],
    ["is busy", refusal(503, "temporarily_unavailable")],
    ["is behind a proxy that answers instead", { status: 502, body: "<html>" }],
    ["breaks off its answer", { headers: { "content-length": "1000", connection: "close" }, body: "{" }]
  ]

  it.effect(`goes on where the service ${troubles.map(([what]) => what).join(", or ")}, and misses nothing`, () =>
    Effect.gen(function*() {
      const { child, ended, endpoints, said, trouble, until } = yield* club
      const deliveries: Array<ReturnType<typeof delivery>> = []
      for (const [index, [what, answering]] of troubles.entries()) {
        const before = said.stderr.length
        const says = (text: string) => () => said.stderr.slice(before).includes(text)
        trouble.push(answering, answering)
        yield* eventually(Effect.delay(Effect.sync(says("; trying again")), "50 millis"), (isSo) => isSo)
        const [earlier, later] = [10 + 2 * index, 11 + 2 * index]
        deliveries.unshift(delivery(later), delivery(earlier))
        endpoints.set(id(1), deliveries)
        yield* eventually(Effect.delay(Effect.sync(says("connected again")), "50 millis"), (isSo) => isSo)
        yield* until(id(later))
        assert.lengthOf(said.stderr.slice(before).match(/trying again/g) ?? [], 1, what)
      }
      child.kill("SIGINT")
      assert.strictEqual((yield* ended).code, 0)
      const printed = said.stdout.trim().split("\n").map((line) => JSON.parse(line).id)
      assert.deepStrictEqual(printed, deliveries.map((one) => one.id).toReversed())
    }))

  it.effect("goes on with the others where an endpoint is deleted, and ends where its key does", () =>
    Effect.gen(function*() {
      const { ended, endpoints, trouble, until } = yield* club
      endpoints.delete(id(1))
      endpoints.set(id(2), [delivery(10)])
      yield* until(id(10))
      trouble.push(refusal(401, "unauthenticated"))
      assert.strictEqual((yield* ended).code, 3)
    }))
})

layer(Layer.empty, { excludeTestServices: true })("Types of events", (it) => {
  const deliveries = ["webhooks", "deliveries", "list", id(1)]

  it.effect.each(["--event", "-e", "--events"])("are a filter of deliveries by %s", (flag) =>
    Effect.gen(function*() {
      const said = yield* against(() => pageOf([]), [...deliveries, flag, "student.created"])
      assert.deepStrictEqual([said.code, said.asked.at(-1)?.query.get("event_type")], [0, "student.created"])
    }))

  it.effect("are refused where there are too many or none, before anything is asked", () =>
    Effect.gen(function*() {
      const two = yield* against(() => pageOf([]), [...deliveries, "-e", "student.created", "-e", "purchase.paid"])
      assert.deepStrictEqual([two.code, two.stderr], [2, "turma: --event: expected one type\n"])
      const none = yield* against(() => ({}), ["webhooks", "endpoints", "create", "https://hooks.example.com"])
      const line = "turma: Give a type of event with --event: npx turma events types lists them\n"
      assert.deepStrictEqual([none.code, none.stderr], [2, line])
      assert.deepStrictEqual([two.asked, none.asked], [[], []])
    }))
})

layer(Layer.empty, { excludeTestServices: true })("A key", (it) => {
  it.effect("goes where its profile says, or the environment where none is named", () =>
    Effect.gen(function*() {
      const ofProfile = yield* startStub(() => pageOf([]))
      const ofEnvironment = yield* startStub(() => pageOf([]))
      const turma = yield* commandLine()
      const key = `${secretKey.slice(0, -1)}x`
      const profile = { url: ofProfile.url, club_id: clubId, club_name: "Violão", key }
      mkdirSync(`${turma.home}/config/turma`, { recursive: true, mode: 0o700 })
      writeFileSync(
        `${turma.home}/config/turma/profiles.json`,
        JSON.stringify({ latest: "p", profiles: { p: profile } }),
        { mode: 0o600 }
      )
      const last = ({ asked }: typeof ofProfile) => [asked.at(-1)?.path, asked.at(-1)?.headers.authorization]
      const other = id(7).replace("7a10", "4a10")
      const path = (club: string) => `/v1/clubs/${club}/students`
      const env = { ...signedIn(ofEnvironment.url), TURMA_CLUB: other }

      assert.strictEqual((yield* turma.run(list)).code, 0)
      assert.deepStrictEqual(last(ofProfile), [path(clubId), `Bearer ${key}`])
      yield* turma.run(list, { env: { TURMA_CLUB: other } })
      assert.deepStrictEqual(last(ofProfile), [path(other), `Bearer ${key}`])
      yield* turma.run(list, { env })
      assert.deepStrictEqual(last(ofEnvironment), [path(other), `Bearer ${secretKey}`])
      yield* turma.run([...list, "--club", clubId], { env })
      assert.deepStrictEqual(last(ofEnvironment), [path(clubId), `Bearer ${secretKey}`])
      assert.lengthOf(ofProfile.asked, 2)
      yield* turma.run([...list, "--profile", "p"], { env })
      assert.deepStrictEqual(last(ofProfile), [path(clubId), `Bearer ${key}`])
      assert.deepStrictEqual([ofProfile.asked.length, ofEnvironment.asked.length], [3, 2])
    }))

  it.effect("goes nowhere else, whatever path is asked for", () =>
    Effect.gen(function*() {
      const other = yield* startStub(() => ({}))
      const stub = yield* startStub(({ path }) => path.startsWith("/turma/") ? {} : { status: 500 })
      const turma = yield* commandLine(signedIn(`${stub.url}/turma`))
      const { host } = new URL(other.url)
      const paths = [
        other.url,
        `//${host}/v1`,
        `/\\${host}/v1`,
        `@${host}/v1`,
        `/../v1/key`,
        "/v1/../../v1/key",
        "v1/key"
      ]
      for (const path of [...paths, "/%2e%2e/v1/key"]) yield* turma.run(["api", "GET", path])
      assert.lengthOf(other.asked, 0)
      for (const { path } of stub.asked) assert.isTrue(path.startsWith("/turma/"), path)
      const away = yield* startStub(() => ({ status: 302, headers: { location: other.url } }))
      assert.strictEqual((yield* turma.run(["api", "GET", "/v1/key"], { env: signedIn(away.url) })).code, 5)
      const login = yield* turma.run(["login", "--url", away.url, "--key-stdin"], { stdin: `${secretKey}\n` })
      assert.deepStrictEqual([login.code, other.asked.length], [5, 0])
    }))

  it.effect("is not sent with what no request may have", () =>
    Effect.gen(function*() {
      const stub = yield* startStub(() => ({}))
      const turma = yield* commandLine(signedIn(stub.url))
      const get = ["api", "GET", "/v1/key"]
      for (
        const header of ["Host: elsewhere.example", "content-length: 5", "X-A: a\u0001b", "X-A: …", "X A: b", "X-A"]
      ) {
        const said = yield* turma.run([...get, "-H", header])
        assert.deepStrictEqual([said.code, /^turma: --header: [^\n]*\n$/.test(said.stderr)], [2, true], header)
      }
      const body = yield* turma.run([...get, "--input", "-"], { stdin: "{}" })
      assert.deepStrictEqual([body.code, /--input is a body/.test(body.stderr)], [2, true])
      assert.lengthOf(stub.asked, 0)
    }))
})

import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schedule } from "effect"
import { at, listAt } from "../harness/App.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi, startTurma } from "../harness/Turma.ts"

const anyAddress = /[A-Za-z0-9.]+(?:@|%40)[a-z]+\.example/

/** The variables that all processes of one installation share, and the mails that it keeps as files. */
const installation = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const DATA_DIR = yield* fs.makeTempDirectoryScoped()
  const DATABASE_URL = Redacted.value(yield* freshDatabaseUrl)
  const env = {
    DATABASE_URL,
    DATA_DIR,
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    RATE_LIMIT_CREDENTIALS: "1000",
    LOG_LEVEL: "trace",
    LOG_FORMAT: "pretty"
  }
  const files = Effect.orElseSucceed(fs.readDirectory(`${DATA_DIR}/mail`), (): Array<string> => [])
  const to = (address: string) => Effect.map(files, (names) => names.filter((name) => name.endsWith(`-${address}.eml`)))
  const until = (address: string, count: number) =>
    Effect.repeat(to(address), {
      until: (names) => names.length === count,
      schedule: Schedule.spaced("50 millis")
    })
  const secret = Effect.fnUntraced(function*(address: string, count: number) {
    const last = (yield* until(address, count)).toSorted().at(-1)
    return /[?&](?:token|code)=([\w-]{43})/.exec(yield* fs.readFileString(`${DATA_DIR}/mail/${last}`))?.[1]
  })
  return { env, secret, to, until }
})

type Installation = Effect.Success<typeof installation>

const ana = { name: "Ana", email: "ana@people.example", password: "violao e voz" }
const bia = { name: "Bia", email: "bia@people.example", password: "seis cordas" }
const moved = "bia@moved.example"

/** A club, and its student with mails at two addresses. Some changes of the address were refused. */
const live = Effect.fnUntraced(function*({ secret, until }: Installation, url: string) {
  yield* post(`${url}/v1/auth/admin/sign-up`, ana)
  yield* post(`${url}/v1/auth/admin/confirm`, { token: yield* secret(ana.email, 1) })
  const { email, password } = ana
  const { json } = yield* post(`${url}/v1/auth/admin/sign-in`, { email, password })
  const owner = String(at(json, "data", "access_token"))
  const founded = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, owner)
  assert.strictEqual(founded.status, 201, founded.text)
  const club_id = at(founded.json, "data", "organization_id")
  const club = `${url}/v1/clubs/${club_id}`
  yield* post(`${url}/v1/auth/sign-up`, { ...bia, club_id })
  yield* post(`${url}/v1/auth/confirm`, { token: yield* secret(bia.email, 1) })
  yield* post(`${url}/v1/auth/sign-in`, { club_id, email: bia.email, password: "a wrong one" })
  yield* post(`${url}/v1/auth/access`, { club_id, email: bia.email })
  yield* until(bia.email, 2)
  const as = { authorization: `Bearer ${owner}`, "content-type": "application/json" }
  const found = yield* ask(`${club}/students?search=${encodeURIComponent(bia.email)}`, { headers: as })
  const student = `${club}/students/${at(listAt(found.json, "data")[0], "id")}`
  yield* post(`${club}/students`, { name: "Caio", email: "caio@people.example", send_invite: true }, owner)
  yield* until("caio@people.example", 1)
  const patch = (body: object) => ask(student, { method: "PATCH", headers: as, body: JSON.stringify(body) })
  assert.strictEqual((yield* patch({ email: "caio@people.example" })).status, 409)
  assert.strictEqual((yield* patch({ email: "no address@people.example" })).status, 422)
  assert.strictEqual((yield* patch({ email: moved })).status, 200)
  yield* until(moved, 1)
  return { as, path: new URL(student).pathname }
})

layer(NodeServices.layer, { excludeTestServices: true })("Mails that are files", (it) => {
  it.effect(
    "go with whom they are about, though the process that removed them dies, and no log names anybody",
    () =>
      Effect.gen(function*() {
        const here = yield* installation
        const all = yield* startApi({ env: here.env })
        const { as, path } = yield* live(here, all.url)
        const first = yield* all.end("SIGKILL")

        // No worker is running, so after this process dies only the database knows which files to delete.
        const api = yield* startApi({ env: { ...here.env, ROLE: "api" } })
        assert.strictEqual((yield* ask(`${api.url}${path}`, { method: "DELETE", headers: as })).status, 204)
        const second = yield* api.end("SIGKILL")
        assert.isNotEmpty(yield* here.to(bia.email))
        assert.isNotEmpty(yield* here.to(moved))

        const worker = yield* startTurma({ env: { ...here.env, ROLE: "worker" } })
        yield* here.until(bia.email, 0)
        yield* here.until(moved, 0)
        assert.lengthOf(yield* here.to(ana.email), 1)
        assert.lengthOf(yield* here.to("caio@people.example"), 1)
        const third = yield* worker.end()

        assert.include(first.stdout, "Mail written")
        for (const { stderr, stdout } of [first, second, third]) assert.notMatch(stdout + stderr, anyAddress)
      })
  )

  it.effect(
    "or are refused by a server that repeats the address leave no address in the log",
    () =>
      Effect.gen(function*() {
        const here = yield* installation
        const smtp = yield* startSmtp({ refuse: (recipient) => recipient.startsWith("ana") ? 550 : 450 })
        const service = yield* startApi({ env: { ...here.env, SMTP_URL: Redacted.value(smtp.url) } })
        yield* post(`${service.url}/v1/auth/admin/sign-up`, ana)
        yield* service.until("Mail refused for good")
        yield* post(`${service.url}/v1/auth/admin/sign-up`, { ...ana, email: "caio@people.example" })
        yield* service.until("Mail not sent yet")
        const { stderr, stdout } = yield* service.end()
        assert.notMatch(stdout + stderr, anyAddress)
      })
  )
})

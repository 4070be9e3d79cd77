import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Schedule } from "effect"
import { at } from "../harness/App.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"

/** Sends the request of a browser that follows no redirect. */
const open = (url: string, cookie = "") => ask(url, { redirect: "manual", headers: { accept: "text/html", cookie } })

const attempts = [1, 2, 3, 4]

const ana = { email: "ana@user.example", password: "violao e voz" }

/** The token in the first mail in the folder. */
const mailedToken = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const written = Effect.map(
    Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => []),
    (files) => files.find((name) => name.endsWith(".eml"))
  )
  const file = yield* Effect.repeat(written, {
    until: (name) => name !== undefined,
    schedule: Schedule.spaced("50 millis")
  })
  return /[?&]token=([\w-]{43})/.exec(yield* fs.readFileString(`${folder}/${file}`))?.[1]
})

layer(NodeServices.layer, { excludeTestServices: true })("Several processes", (it) => {
  it.effect("print one address for mails, which one browser opens once, and each knows at once that a key is revoked", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* postgresFolder()
      const turma = yield* startApi({
        args: startArguments,
        env: {
          DATA_DIR,
          PROCESSES: "2",
          LOG_FORMAT: "json",
          RATE_LIMIT_CREDENTIALS: "1000"
        }
      })
      yield* turma.until("processes are ready")
      const printed = turma.said.stdout.matchAll(/Mails: (http:\S+)/g)
      const [address = "", ...others] = Array.from(printed, ([, url = ""]) => url)
      assert.deepStrictEqual(others, [])
      assert.isTrue(address.startsWith(`${turma.url}/?token=`), address)

      const opened = yield* Effect.forEach(attempts, () => open(address))
      assert.deepStrictEqual(opened.map(({ status }) => status), [302, 302, 302, 302])
      const [cookie = "", ...more] = opened.flatMap(({ headers }) => headers.getSetCookie())
      assert.deepStrictEqual(more, [])
      const [pass = ""] = cookie.split(";")
      for (const _ of attempts) {
        assert.include((yield* open(turma.url, pass)).text, "No mail was written yet.")
        assert.include((yield* open(turma.url)).text, "prints at its start, in the line “Mails:”")
      }

      const auth = `${turma.url}/v1/auth/admin`
      yield* post(`${auth}/sign-up`, { name: "Ana", ...ana })
      yield* post(`${auth}/confirm`, { token: yield* mailedToken(`${DATA_DIR}/mail`) })
      const owner = String(at((yield* post(`${auth}/sign-in`, ana)).json, "data", "access_token"))
      const founded = yield* post(`${turma.url}/v1/clubs`, { name: "Violão Fácil" }, owner)
      const club = `${turma.url}/v1/clubs/${at(founded.json, "data", "organization_id")}`
      const made = yield* post(`${club}/keys`, { name: "Order system", role: "viewer" }, owner)
      const headers = { authorization: `Bearer ${at(made.json, "data", "token")}`, connection: "close" }
      const used = Effect.replicateEffect(
        Effect.map(ask(`${turma.url}/v1/key`, { headers }), ({ status }) => status),
        30
      )
      const linesOf = () => turma.said.stdout.split("\n").filter((line) => line.includes(`"route":"/v1/key"`))
      const processesOf = (lines: ReadonlyArray<string>) =>
        new Set(lines.map((line) => /"process":(\d+)/.exec(line)?.[1])).size

      assert.deepStrictEqual(new Set(yield* used), new Set([200]))
      const before = linesOf().length
      assert.strictEqual(processesOf(linesOf()), 2)
      const one = `${club}/keys/${at(made.json, "data", "id")}`
      const revoked = yield* ask(one, { method: "DELETE", headers: { authorization: `Bearer ${owner}` } })
      assert.strictEqual(revoked.status, 204)
      assert.deepStrictEqual(new Set(yield* used), new Set([401]))
      assert.strictEqual(processesOf(linesOf().slice(before)), 2)
      assert.strictEqual((yield* turma.end()).code, 0)
    }))
})

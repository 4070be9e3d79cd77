import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { at } from "../harness/App.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startArguments } from "../harness/ScriptArguments.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { journey } from "./Journey.ts"

const internalSecret = "a-long-random-text"

layer(NodeServices.layer, { excludeTestServices: true, timeout: "120 seconds" })("A key of a club", (it) => {
  it.effect("is over at once on every process when it is revoked", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const turma = yield* startApi({
        args: startArguments,
        env: {
          DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
          APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
          INTERNAL_SECRET: internalSecret,
          LOG_FORMAT: "json",
          PROCESSES: "2",
          SMTP_URL: Redacted.value(smtp.url),
          RATE_LIMIT_CREDENTIALS: "1000",
          DATA_DIR: yield* postgresFolder()
        }
      })
      yield* turma.until("processes are ready")
      const { club, owner } = yield* journey({ url: turma.url, mails: smtp.received, internalSecret })
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
    }))
})

import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readdirSync } from "node:fs"
import { settingsTable } from "../../src/cli/printSettings.ts"
import { migrationsFolder } from "../../src/platform/sql/Migrations.ts"
import { runCommand } from "../harness/CommandHost.ts"
import { document } from "../harness/Document.ts"
import { freePort } from "../harness/FreePort.ts"
import { emptyDatabaseUrl } from "../harness/Postgres.ts"
import { ask, startApi } from "../harness/Turma.ts"

layer(NodeServices.layer, { excludeTestServices: true })("turma", (it) => {
  it.effect("migrate says which migrations it applied, and that there are none left", () =>
    Effect.gen(function*() {
      const env = { DATABASE_URL: Redacted.value(yield* emptyDatabaseUrl) }
      const first = yield* runCommand(["migrate"], env)
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      const files = readdirSync(migrationsFolder).filter((file) => file.endsWith(".sql")).toSorted()
      const applied = [...first.stdout.matchAll(/Applied migration (\d{4}_\w+\.sql)/g)].map(([, file]) => file)
      assert.deepStrictEqual(applied, files)
      const second = yield* runCommand(["migrate"], env)
      assert.strictEqual(second.code, 0)
      assert.notInclude(second.stdout, "Applied")
      assert.include(second.stdout, "The schema is up to date")
    }))

  it.effect("migrate fails with 1 where there is no database", () =>
    Effect.gen(function*() {
      const env = { DATABASE_URL: "postgres://turma:s3cret@127.0.0.1:1/turma" }
      const { code, stderr } = yield* runCommand(["migrate"], env)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^turma: DATABASE_URL: cannot use postgres:\/\/turma@127\.0\.0\.1:1\/turma: .*\n$/)
    }))

  it.effect("openapi prints the document that the service has", () =>
    Effect.gen(function*() {
      for (
        const [env, url] of [
          [{}, "http://127.0.0.1:3000"],
          [{ PORT: "8080", HOST: "::1" }, "http://[::1]:8080"],
          [{ PUBLIC_URL: "https://turma.example/" }, "https://turma.example"]
        ] as const
      ) {
        const { code, stdout } = yield* runCommand(["openapi"], env)
        assert.strictEqual(code, 0)
        const servers = [{ url, description: "This service" }]
        assert.deepStrictEqual(JSON.parse(stdout), { ...document, servers })
      }
    }))

  it.effect("settings prints the table of the guide to configuration", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* runCommand(["settings"], { PORT: "not read" })
      assert.deepStrictEqual([code, stdout], [0, `${settingsTable()}\n`])
    }))

  it.effect("serve is the service, which says that mails are not leaving where nobody is at SMTP_URL, and serves", () =>
    Effect.gen(function*() {
      const env = {
        DATABASE_URL: Redacted.value(yield* emptyDatabaseUrl),
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        SMTP_URL: `smtp://turma:s3cret@127.0.0.1:${yield* freePort}`
      }
      const service = yield* startApi({ args: ["src/cli/main.ts", "serve"], env })
      yield* service.until("SMTP_URL: mails are not leaving")
      assert.notInclude(service.said.stdout + service.said.stderr, "s3cret")
      assert.strictEqual((yield* ask(`${service.url}/v1/health`)).status, 200)
      assert.strictEqual((yield* service.end()).code, 0)
    }))

  it.effect("fails with 2 for a command that it does not have, and for a variable that is wrong", () =>
    Effect.gen(function*() {
      const unknown = yield* runCommand(["dance"], {})
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "Unknown subcommand \"dance\"")
      const wrong = yield* runCommand(["migrate"], { DATABASE_POOL: "1" })
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /^turma: DATABASE_POOL: expected .*\n$/)
    }))
})

import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { globSync, readFileSync } from "node:fs"
import { emptyDatabaseUrl } from "../harness/Postgres.ts"
import { runTurma } from "../harness/Turma.ts"
import { dataFolder } from "../harness/Watchdog.ts"
import { blocks, guide, project } from "./Guides.ts"

const upgrades = guide("upgrades")

it.live("looks before a migration, and migrates without serving", () =>
  Effect.gen(function*() {
    const env = {
      DATA_DIR: yield* dataFolder,
      DATABASE_URL: Redacted.value(yield* emptyDatabaseUrl),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
    }
    const looked = blocks(upgrades, "sh").join("\n")
    assert.strictEqual(looked, "npx turma doctor\n")
    assert.include(upgrades, "`npx turma migrate`")
    const turma = (command: string) => runTurma({ args: ["src/cli/main.ts", command], env })
    assert.match((yield* turma("doctor")).stdout, /Migrations.*\d+ are pending, from 0001_/)
    assert.strictEqual((yield* turma("migrate")).code, 0)
    assert.match((yield* turma("doctor")).stdout, /Migrations.*the schema is up to date/)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

it("quotes lines that the service says", () => {
  const said = globSync("src/**/*.ts", { cwd: project }).filter((file) =>
    /^src\/(?:platform|operations|cli|membership)\//.test(file)
  )
    .map((file) => readFileSync(`${project}${file}`, "utf8")).join("\n")
  const quoted = upgrades.split("\"").filter((text, n) => n % 2 === 1 && text.length > 8 && !text.includes("…"))
    .map((text) => text.replaceAll("\n", " "))
  assert.isAbove(quoted.length, 3)
  for (const line of quoted) assert.include(said, line)
})

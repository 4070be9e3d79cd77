import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readFileSync } from "node:fs"
import { settingsTable } from "../../../src/cli/printSettings.ts"
import { checkAll, checkSettings, settings } from "../../../src/cli/settings/Settings.ts"
import { refusedValues } from "../../platform/config/refusedValues.ts"

const environment = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

/** The variables that a check refuses. Empty if it passes. */
const refusedBy = (check: typeof checkSettings, variables: Record<string, string>) =>
  check.pipe(
    Effect.match({ onSuccess: () => [], onFailure: ({ errors }) => errors.map(({ variable }) => variable) }),
    Effect.provide(environment(variables))
  )

const database = "postgres://turma@db.example/turma"
const key = Buffer.alloc(32, 7).toString("base64")

describe("the settings", () => {
  it.effect("are all optional", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* refusedBy(checkSettings, {}), [])
    }))

  it.each(Object.entries(settings))("name %s by the variable that is read", (name, { variable }) => {
    assert.strictEqual(variable, name)
  })

  it.effect.each(Object.entries(refusedValues))(
    "refuse %s=%s and nothing beside it",
    ([variable, value]) =>
      Effect.gen(function*() {
        const others = variable === "DATABASE_URL" ? { APP_SECRET_KEY: key } : {}
        assert.deepStrictEqual(yield* refusedBy(checkSettings, { ...others, [variable]: value }), [variable])
      })
  )

  it.effect("refuse all that is wrong at once, each once", () =>
    Effect.gen(function*() {
      assert.sameMembers(yield* refusedBy(checkSettings, refusedValues), Object.keys(refusedValues))
    }))

  it.effect("require the key that seals secrets beside a database of one's own", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* refusedBy(checkSettings, { DATABASE_URL: database }), ["APP_SECRET_KEY"])
      assert.deepStrictEqual(yield* refusedBy(checkSettings, { DATABASE_URL: database, APP_SECRET_KEY: key }), [])
    }))

  it.effect.each([["anthropic", "ANTHROPIC_API_KEY"], ["openai", "OPENAI_API_KEY"]] as const)(
    "require the key of %s where it answers, and say so",
    ([provider, variable]) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* refusedBy(checkSettings, { AI_PROVIDER: provider }), [variable])
        assert.deepStrictEqual(yield* refusedBy(checkSettings, { AI_PROVIDER: provider, [variable]: "a key" }), [])
      })
  )

  it.effect("are checked alone where a command reads only some", () =>
    Effect.gen(function*() {
      const { DATABASE_POOL, LOG_LEVEL } = settings
      const check = checkAll({ DATABASE_POOL, LOG_LEVEL })
      assert.deepStrictEqual(yield* refusedBy(check, { PORT: "-1", LOG_LEVEL: "loud" }), ["LOG_LEVEL"])
    }))

  it("are the table of the guide to configuration", () => {
    const guide = readFileSync(new URL("../../../src/guides/configuration.md", import.meta.url), "utf8")
    const table = /<!-- settings -->\n+(.*?)\n+<!-- \/settings -->/s.exec(guide)?.[1]
    assert.strictEqual(table, settingsTable(), "Paste what this prints: npx turma settings")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { settings } from "../../../src/cli/settings/Settings.ts"
import { sayUnknown, unknownVariables } from "../../../src/platform/config/UnknownVariables.ts"
import { usualVariables } from "./usualVariables.ts"

const known = Object.values(settings).flatMap(({ isSecret, variable }) =>
  isSecret ? [variable, `${variable}_FILE`] : [variable]
)

const found = (...variables: ReadonlyArray<string>) =>
  unknownVariables(variables, known).map(({ meant, variable }) => [variable, meant])

describe("a variable that nothing reads", () => {
  it.each([
    ["PROT", "PORT"],
    ["PORTT", "PORT"],
    ["ROEL", "ROLE"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_ULR", "DATABASE_URL"],
    ["DATABASEURL", "DATABASE_URL"],
    ["WEBHOOK_LEASEE", "WEBHOOK_LEASE"],
    ["APP_SECRET_KEY_PREVIUOS", "APP_SECRET_KEY_PREVIOUS"],
    ["APP_SECERT_KEY", "APP_SECRET_KEY"],
    ["REDIS_URl", "REDIS_URL"],
    ["database_url", "DATABASE_URL"],
    ["SMPT_URL", "SMTP_URL"],
    ["TRUSTED_PROXYES", "TRUSTED_PROXIES"],
    ["PROCESES", "PROCESSES"],
    ["REDIS_URL_FLIE", "REDIS_URL_FILE"],
    ["PORT_FILE", "PORT"],
    ["LOG_LEVEL_FILE", "LOG_LEVEL"],
    ["WEBHOOK_COLOUR", undefined],
    ["TURMA_MODE", undefined],
    ["RATE_LIMIT_EVERYTHING", undefined]
  ])("is %s, for which %s was probably meant", (variable, meant) => {
    assert.deepStrictEqual(found(variable), [[variable, meant]])
  })

  it("is none of those that there are", () => {
    assert.deepStrictEqual(found(...known), [])
  })

  it("is none of what others usually set", () => {
    assert.isAbove(usualVariables.length, 300)
    assert.deepStrictEqual(found(...usualVariables), [])
  })

  it("is said in a line without its value", () => {
    assert.strictEqual(
      sayUnknown({ variable: "PROT", meant: "PORT" }),
      "PROT is no variable of Turma: is PORT meant?"
    )
    assert.include(
      sayUnknown({ variable: "PORT_FILE", meant: "PORT" }),
      "only secrets are read from files, so set PORT"
    )
    assert.include(sayUnknown({ variable: "WEBHOOK_COLOUR", meant: undefined }), "nothing reads it")
  })
})

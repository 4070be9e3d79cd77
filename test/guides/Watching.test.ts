import { assert, it } from "@effect/vitest"
import { Readiness } from "../../src/operations/health/Api.ts"
import { AttemptError } from "../../src/webhooks/model/AttemptError.ts"
import { guide } from "./Guides.ts"

const watching = guide("watching")

it("names outcomes of attempts that there are", () => {
  const outcomes = [...watching.matchAll(/outcome="(\w+)"/g)].map(([, outcome]) => outcome)
  assert.isNotEmpty(outcomes)
  assert.includeMembers<unknown>(["accepted", ...AttemptError.literals], outcomes)
  assert.notMatch(watching, /\w+_failed`/)
})

it("says of each check of readiness what to do when it fails", () => {
  const [, degraded = ""] = /^### Readiness is degraded$(.*?)^### /ms.exec(watching) ?? []
  const [, unavailable = ""] = /^### The database does not answer$(.*?)^### /ms.exec(watching) ?? []
  assert.include(unavailable, "TurmaUnavailable")
  const others = Object.keys(Readiness.fields.checks.fields).filter((name) => name !== "database")
  assert.deepStrictEqual(others.filter((name) => !degraded.includes(`\`${name}\`:`)), [])
})

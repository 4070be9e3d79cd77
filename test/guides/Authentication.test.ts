import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { features } from "../../src/identity/people/Scope.ts"
import { sessionSettings } from "../../src/identity/sessions/SessionSettings.ts"
import { tokenLifetimes } from "../../src/identity/tokens/OneTimeTokens.ts"
import { keyLimit } from "../../src/membership/keys/ClubKey.ts"
import { operations } from "../harness/Document.ts"
import { guide } from "./Guides.ts"

const text = guide("authentication")

describe("the guide to authentication", () => {
  it("says how long sessions last unless somebody says otherwise", () => {
    const { ADMIN_SESSION_IDLE, ADMIN_SESSION_MAX, STUDENT_SESSION_IDLE, STUDENT_SESSION_MAX } = sessionSettings
    assert.match(
      text,
      new RegExp(`^\\| administrator .* ${ADMIN_SESSION_IDLE.fallback} \\| ${ADMIN_SESSION_MAX.fallback} \\|$`, "m")
    )
    assert.match(
      text,
      new RegExp(`^\\| student .* ${STUDENT_SESSION_IDLE.fallback} \\| ${STUDENT_SESSION_MAX.fallback} \\|$`, "m")
    )
  })

  it("says how long mailed links and codes work", () => {
    const { access, confirm, removal, reset } = tokenLifetimes
    assert.include(text, `| the link that confirms an address | ${Duration.toHours(confirm)} hours |`)
    assert.include(text, `| the link to choose a new password | ${Duration.toHours(reset)} hour |`)
    const asks = "the link by which a student confirms that they ask to be removed"
    assert.include(text, `| ${asks} | ${Duration.toHours(removal)} hours |`)
    assert.include(text, `| the code to sign in with | ${Duration.toMinutes(access)} minutes |`)
  })
})

describe("the guide to keys", () => {
  const keys = guide("club-keys")

  it("names every area that there is, and no other", () => {
    const [, areas = ""] = /The areas are ([^.]*)\./.exec(keys) ?? []
    assert.deepStrictEqual([...areas.matchAll(/`(\w+)`/g)].map(([, area]) => area), [...features])
  })

  it("says how many keys a club has", () => {
    assert.include(keys, `at most ${keyLimit} keys that have not ended`)
  })
})

it.each([
  "api",
  "audit-log",
  "authentication",
  "club-keys",
  "idempotency",
  "pagination",
  "receivers",
  "sales-platforms",
  "support",
  "billing"
])(
  "The routes that the guide %s names are there",
  (name) => {
    const known = new Set(operations.map((operation) => operation.name))
    const named = [...guide(name).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/v1\/[^\s`{}]+(?:\{clubId\}[^\s`{}]*)?)/g)]
      .map(([, route = ""]) => route)
    assert.deepStrictEqual(named.filter((route) => !known.has(route)), [])
  }
)

import { assert, describe, it } from "@effect/vitest"
import {
  accessState,
  actionsOf,
  activeCount,
  endChange
} from "../../../../../src/console/views/students/model/AccessState.ts"

const now = Date.UTC(2026, 5, 15, 12)
const [before, later] = ["2026-06-15T11:59:59.999Z", "2026-06-15T12:00:00.001Z"]

const access = (given: Partial<Parameters<typeof accessState>[0]> = {}) => ({
  starts_at: before,
  expires_at: null,
  revoked_at: null,
  ...given
})

describe("An access", () => {
  it("lets in from its start until its end, and not at the end itself", () => {
    assert.strictEqual(accessState(access(), now), "active")
    assert.strictEqual(accessState(access({ starts_at: later }), now), "coming")
    assert.strictEqual(accessState(access({ expires_at: later }), now), "active")
    assert.strictEqual(accessState(access({ expires_at: "2026-06-15T12:00:00.000Z" }), now), "over")
  })

  it("is revoked whatever else it is", () => {
    for (const given of [{}, { starts_at: later }, { expires_at: before }]) {
      assert.strictEqual(accessState(access({ ...given, revoked_at: before }), now), "revoked")
    }
  })

  it("is counted while it lets in", () => {
    assert.strictEqual(activeCount([access(), access({ expires_at: before }), access({ expires_at: later })], now), 2)
  })

  it("can be given back when it is revoked, extended when it has an end, and all else while it lasts", () => {
    assert.deepStrictEqual(actionsOf(access({ revoked_at: before }), now), ["restore"])
    assert.deepStrictEqual(actionsOf(access({ expires_at: before }), now), ["extend"])
    assert.deepStrictEqual(actionsOf(access({ expires_at: later }), now), ["extend", "shorten", "move", "revoke"])
    assert.deepStrictEqual(actionsOf(access({ starts_at: later }), now), ["shorten", "move", "revoke"])
  })

  it("lets in longer, not so long, not any more or again by another end", () => {
    const end = (expires_at: string | null, next: string | null) => endChange(access({ expires_at }), next, now)
    const [soon, never] = ["2026-07-01T00:00:00.000Z", null]
    assert.strictEqual(end(later, soon), "later")
    assert.strictEqual(end(later, never), "later")
    assert.strictEqual(end(never, soon), "earlier")
    assert.strictEqual(end(soon, later), "earlier")
    assert.strictEqual(end(soon, before), "over")
    assert.strictEqual(end(before, soon), "again")
    assert.strictEqual(end(before, never), "again")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { TlsSessions } from "../../../src/webhooks/send/TlsSessions.ts"

const session = Buffer.from("session")
const certificate_ends_at = DateTime.makeUnsafe("2027-01-01T00:00:00Z")
const fresh = (now: number) => ({ now, resumed: false, certificate_ends_at })
const resumed = (now: number) => ({ now, resumed: true, certificate_ends_at: null })
const tenMinutes = 600_000

describe("a TLS session", () => {
  it("is resumed for ten minutes after the certificate was checked", () => {
    const sessions = new TlsSessions()
    sessions.set("a", session, fresh(0))
    assert.strictEqual(sessions.get("a", tenMinutes - 1)?.session, session)
    assert.isUndefined(sessions.get("a", tenMinutes))
  })

  it("is not resumed for longer because another one came of it", () => {
    const sessions = new TlsSessions()
    sessions.set("a", session, fresh(0))
    sessions.set("a", Buffer.from("later"), resumed(tenMinutes - 1))
    assert.strictEqual(sessions.get("a", tenMinutes - 1)?.session.toString(), "later")
    assert.strictEqual(sessions.get("a", tenMinutes - 1)?.certificate_ends_at, certificate_ends_at)
    assert.isUndefined(sessions.get("a", tenMinutes))
  })

  it("belongs to one host and port", () => {
    const sessions = new TlsSessions()
    sessions.set("a", session, fresh(0))
    assert.isUndefined(sessions.get("a:8443", 0))
  })

  it("is kept for the 1000 hosts that were last connected to", () => {
    const sessions = new TlsSessions()
    sessions.set("first", session, fresh(0))
    sessions.set("second", session, fresh(0))
    sessions.set("first", session, fresh(1))
    for (let i = 0; i < 999; i++) sessions.set(`host${i}`, session, fresh(2))
    assert.isDefined(sessions.get("first", 2))
    assert.isUndefined(sessions.get("second", 2))
  })
})

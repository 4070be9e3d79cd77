import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { verified } from "../../../../../src/console/views/webhooks/model/Verification.ts"

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`
const body = JSON.stringify({ id: "e", type: "student.created", data: { name: "ديانا 👩‍🎓" } })
const at = new Date(Date.UTC(2020, 0, 1))
const headers = {
  "webhook-id": "e",
  "webhook-timestamp": String(at.getTime() / 1000),
  "webhook-signature": new Webhook(secret).sign("e", at, body)
}

describe("Verifying a signature", () => {
  it("believes what the official library has signed, however long ago", async () => {
    assert.strictEqual(await verified(` ${secret}\n`, headers, body), "valid")
  })

  it("says why it does not", async () => {
    assert.strictEqual(await verified(other, headers, body), "no_matching_signature")
    assert.strictEqual(await verified(secret, headers, `${body} `), "no_matching_signature")
    assert.strictEqual(await verified("hello", headers, body), "secret_invalid")
    assert.strictEqual(await verified(secret, { ...headers, "webhook-id": "" }, body), "header_missing")
  })
})

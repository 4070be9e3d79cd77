import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent } from "undici"
import { given } from "./orders.ts"

const deadline = 15_000

const dispatcher = new Agent({
  connect: { ca: readFileSync(given("CA_FILE"), "utf8") },
  headersTimeout: deadline,
  bodyTimeout: deadline
})

const secret = Buffer.from(given("SECRET"), "base64")

/** Signs a body by the contract and posts it over a kept connection. Answers status, body and milliseconds. */
export const post = async (url: string, id: string, body: string) => {
  const started = performance.now()
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest("base64")
  const { origin, pathname } = new URL(url)
  const response = await dispatcher.request({
    origin,
    path: pathname,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": `${timestamp}`,
      "webhook-signature": `v1,${signature}`
    },
    body
  })
  const text = await response.body.text()
  return { status: response.statusCode, text, milliseconds: Math.round(performance.now() - started) }
}

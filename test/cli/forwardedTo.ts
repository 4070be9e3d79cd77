import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"

// A developer's server, as a separate process: prints the id of each verified webhook and answers 204. The first
// argument names the file with the signing secret. The second one is the delay before each answer, in milliseconds.

const [, , secretFile = "", thinks = "0"] = process.argv

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = request.headers
    const headers = {
      "webhook-id": String(id),
      "webhook-signature": String(signature),
      "webhook-timestamp": String(timestamp)
    }
    new Webhook(readFileSync(secretFile, "utf8").trim()).verify(Buffer.concat(chunks).toString(), headers)
    process.stdout.write(`got ${String(id)}\n`)
    void sleep(Number(thinks)).then(() => response.writeHead(204).end())
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) process.stdout.write(`port ${address.port}\n`)
})

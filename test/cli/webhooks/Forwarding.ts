import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { createServer as createSocketServer, type Socket } from "node:net"
import type { HandedOut } from "../../../src/cli/webhooks/forward/Upstream.ts"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import { WebhookDeliveryId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"
import { listening } from "../../harness/Listening.ts"

// The peers of the command, in this process: the program that it forwards to, and a service that misbehaves.

export const HttpLayer = NodeHttpClient.layerNodeHttp

export const deliveryId = (number: number) =>
  WebhookDeliveryId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`)

/** A delivery as a poll answers it. */
export const handedOut = (number: number, given: Partial<HandedOut> = {}): HandedOut => ({
  delivery_id: deliveryId(number),
  event_id: `019d4860-d9c0-7f21-8b6c-${String(number).padStart(12, "0")}`,
  attempt: 1,
  receipt: "0.schedule",
  headers: {
    "content-type": "application/json",
    "webhook-id": `019d4860-d9c0-7f21-8b6c-${String(number).padStart(12, "0")}`,
    "webhook-timestamp": "0",
    "webhook-signature": "v1,x"
  },
  body: `{"type":"student.created"}`,
  ...given
})

const portOf = (address: ReturnType<ReturnType<typeof createServer>["address"]>) =>
  typeof address === "object" && address !== null ? address.port : 0

/** A server that handles each raw connection as the test says. Answers its address. */
export const rawServer = Effect.fnUntraced(function*(connected: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    connected(socket)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )
  return `http://127.0.0.1:${portOf(server.address())}/`
})

/** A server that speaks HTTP. Answers its address, without a slash at the end. */
export const httpServer = Effect.fnUntraced(function*(answer: RequestListener) {
  return `http://127.0.0.1:${yield* listening(createServer(answer))}`
})

/** A service at this address. */
export const remoteAt = (url: string) => ({
  url,
  key: Redacted.make("token"),
  club_id: OrganizationId.make("6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10")
})

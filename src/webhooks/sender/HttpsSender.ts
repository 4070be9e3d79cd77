import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Clock, Effect, Layer, Metric, Result } from "effect"
import { Addresses } from "../address/Addresses.ts"
import type { AttemptError } from "../model/AttemptError.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import type { Connection } from "./Connection.ts"
import { ConnectionPool } from "./ConnectionPool.ts"
import { Connector, type OpenSockets } from "./Connector.ts"
import { failedResult, ResponseReader } from "./ResponseReader.ts"
import { type OutgoingRequest, Sender } from "./Sender.ts"
import { trustedRoots } from "./TrustedRoots.ts"

const opened = Metric.counter("turma_webhook_connections_opened_total", {
  description: "Connections to receivers that were opened, TLS included",
  incremental: true
})

const reused = Metric.counter("turma_webhook_connections_reused_total", {
  description: "Attempts that went out on a connection of an earlier one",
  incremental: true
})

/** One attempt under way: what must be closed when it ends, and its result so far. */
class Attempt {
  readonly url: URL
  readonly request: OutgoingRequest
  readonly opened: OpenSockets = new Set()
  response = new ResponseReader()
  error: AttemptError = "timeout"
  #connection: Connection | undefined

  constructor(url: URL, request: OutgoingRequest) {
    this.url = url
    this.request = request
  }

  post(connection: Connection): Effect.Effect<void> {
    this.#connection = connection
    return connection.post(this.url, this.request, this.response)
  }

  /** Closes everything, or keeps the connection for the next attempt if its response was read to the end. */
  end(pool: ConnectionPool<Connection>): void {
    const connection = this.#connection
    if (connection !== undefined && this.response.isComplete && connection.isOpen) pool.put(connection)
    else {
      connection?.destroy()
      for (const socket of this.opened) socket.destroy()
    }
  }
}

/** Loaded with the first delivery: undici is a twelfth of all modules. */
const connections = Effect.promise(() => import("./Connection.ts"))

const make = Effect.gen(function*() {
  const addresses = yield* Addresses
  const rules = yield* WebhookRules
  const connector = new Connector(addresses, yield* trustedRoots)
  const pool = new ConnectionPool<Connection>({ byHost: rules.concurrency, overall: 2 * rules.concurrency })
  yield* Effect.addFinalizer(() => Effect.sync(() => pool.closeAll()))

  const connect = Effect.fnUntraced(function*({ opened: sockets, url }: Attempt, now: number) {
    const { Connection } = yield* connections
    const socket = yield* connector.open(url, now, sockets)
    const connection = new Connection(socket, url, now)
    connection.onClose(() => pool.close(connection))
    yield* Metric.update(opened, 1)
    return connection
  })

  // A receiver may close an idle connection just as we write to it. That is no failure, so the request is sent once more.
  const deliver = Effect.fnUntraced(function*(attempt: Attempt) {
    const now = yield* Clock.currentTimeMillis
    const idle = pool.take(attempt.url.host, now)
    if (idle !== undefined) {
      yield* Metric.update(reused, 1)
      yield* attempt.post(idle)
      if (!attempt.response.isUnheard) return
      attempt.response = new ResponseReader()
    }
    yield* attempt.post(yield* connect(attempt, now))
  })

  const send = (request: OutgoingRequest) =>
    Effect.suspend(() => {
      const url = addresses.read(request.url)
      if (Result.isFailure(url)) return Effect.succeed(failedResult("address_not_allowed"))
      const attempt = new Attempt(url.success, request)
      return deliver(attempt).pipe(
        Effect.catch((error) =>
          Effect.sync(() => {
            attempt.error = error
          })
        ),
        Effect.timeoutOption(rules.attempt_timeout),
        Effect.map(() => attempt.response.result(attempt.error)),
        Effect.ensuring(Effect.sync(() => attempt.end(pool)))
      )
    })

  return Sender.of({ send })
})

/** Sends over HTTPS, on connections of its own, without proxy or redirect, HTTP/1.1 only (webhook-engine, Address rules). */
export const HttpsSenderLayerNoDeps = Layer.effect(Sender, make)

/** The same, with addresses judged by the operator's settings. */
export const HttpsSenderLayer = HttpsSenderLayerNoDeps.pipe(
  Layer.provide([Addresses.layer, NodeFileSystem.layer])
)

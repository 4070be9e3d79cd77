import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Clock, Duration, Effect, Layer, Metric, Result } from "effect"
import type { AttemptError } from "../model/AttemptError.ts"
import type { AttemptPeer } from "../model/AttemptPeer.ts"
import { WebhookRules } from "../model/WebhookSettings.ts"
import { Addresses } from "./Addresses.ts"
import type { Connection } from "./Connection.ts"
import { ConnectionPool } from "./ConnectionPool.ts"
import { Connector, type OpenSockets } from "./Connector.ts"
import { type Deadline, Deadlines } from "./Deadlines.ts"
import { PhaseTimer } from "./PhaseTimer.ts"
import { failedAnswer, ResponseReader } from "./ResponseReader.ts"
import { type OutgoingRequest, Sender, type SendResult } from "./Sender.ts"
import { TargetRoom, Targets, TargetsFull } from "./Targets.ts"
import { trustedRoots } from "./TrustedRoots.ts"

const opened = Metric.counter("turma_webhook_connections_opened_total", {
  description: "Connections to receivers that were opened, TLS included",
  incremental: true
})

const reused = Metric.counter("turma_webhook_connections_reused_total", {
  description: "Attempts that went out on a connection of an earlier one",
  incremental: true
})

/** The surroundings of an attempt. */
interface Surroundings {
  /** Monotonic milliseconds. */
  readonly endsAt: number
  readonly monotonic: () => number
  readonly targets: Targets
}

/** One attempt under way: what must be closed when it ends, and its result so far. */
class Attempt implements Deadline {
  readonly url: URL
  readonly request: OutgoingRequest
  readonly endsAt: number
  readonly room: TargetRoom
  /** The sockets of its own connection, if it opens one. */
  opened: OpenSockets | undefined
  timer: PhaseTimer
  response: ResponseReader
  /** True if the last connection that it was written to was one of an earlier attempt; null before there is one. */
  reused: boolean | null = null
  /** The last peer. */
  peer: AttemptPeer | null = null
  error: AttemptError = "timeout"
  /** Calls back at the end of the time. */
  expire = () => {}
  #connection: Connection | undefined
  readonly #monotonic: () => number
  isOver = false

  constructor(url: URL, request: OutgoingRequest, { endsAt, monotonic, targets }: Surroundings) {
    this.url = url
    this.request = request
    this.endsAt = endsAt
    this.room = new TargetRoom(targets, request.club_id)
    this.#monotonic = monotonic
    this.timer = new PhaseTimer(monotonic)
    this.response = new ResponseReader(this.timer)
  }

  /** To be sent once more: it went out on a connection of an earlier attempt until it does on one of its own. */
  startAnew(): void {
    this.timer = new PhaseTimer(this.#monotonic)
    this.response = new ResponseReader(this.timer)
  }

  /** Calls back when there is nothing more to read; maybe more than once. */
  post(connection: Connection, reused: boolean, ended: () => void): void {
    const { response, timer } = this
    this.#connection = connection
    this.reused = reused
    this.peer = connection.peer
    response.onEnd(ended)
    response.onSent(() => connection.whenWritten(() => timer.begin("wait_ms")))
    timer.begin("send_ms")
    connection.post(this.url, this.request, response)
  }

  /** Closes everything, or keeps the connection for the next attempt if its response was read to the end. */
  end(pool: ConnectionPool<Connection>): void {
    if (this.isOver) return
    this.isOver = true
    const connection = this.#connection
    if (connection !== undefined && this.response.isComplete && connection.isOpen) pool.put(connection)
    else {
      connection?.destroy()
      for (const socket of this.opened ?? []) socket.destroy()
    }
    this.room.giveBack()
  }

  result(): SendResult {
    const answer = this.response.result(this.error)
    return { ...answer, phases: this.timer.end(), connection_reused: this.reused, peer: this.peer }
  }
}

const refused: SendResult = {
  ...failedAnswer("address_not_allowed"),
  phases: null,
  connection_reused: null,
  peer: null
}

/** Loaded with the first delivery: undici is a twelfth of all modules. */
const connections = Effect.promise(() => import("./Connection.ts"))

const make = Effect.gen(function*() {
  const addresses = yield* Addresses
  const rules = yield* WebhookRules
  const clock = yield* Clock.Clock
  const connector = new Connector(addresses, yield* trustedRoots)
  const pool = new ConnectionPool<Connection>({ byHost: rules.concurrency, overall: 2 * rules.concurrency })
  yield* Effect.addFinalizer(() => Effect.sync(() => pool.closeAll()))
  const time = Duration.toMillis(rules.attempt_timeout)
  const deadlines = new Deadlines(clock)
  const monotonic = () => deadlines.monotonic()
  yield* Effect.forkScoped(deadlines.keep)
  const targets = new Targets(rules.target_concurrency, monotonic)

  const connect = Effect.fnUntraced(function*(attempt: Attempt) {
    const { url } = attempt
    const { Connection } = yield* connections
    const now = clock.currentTimeMillisUnsafe()
    const sockets: OpenSockets = new Set()
    attempt.opened = sockets
    const { address, peer, socket } = yield* connector.open(url, now, {
      sockets,
      room: attempt.room,
      timer: attempt.timer,
      connected: (peer) => {
        attempt.peer = peer
      }
    })
    const connection = new Connection(socket, url, { address, openedAt: now, peer })
    connection.onClose(() => pool.close(connection))
    yield* Metric.update(opened, 1)
    return connection
  })

  /** Sends on a connection of its own, in the rest of its time. */
  const sendAnew = (attempt: Attempt): Effect.Effect<SendResult, TargetsFull> =>
    connect(attempt).pipe(
      Effect.flatMap((connection) =>
        Effect.callback<void>((resume) => attempt.post(connection, false, () => resume(Effect.void)))
      ),
      Effect.catch((error): Effect.Effect<void, TargetsFull> => {
        if (error instanceof TargetsFull) return Effect.fail(error)
        attempt.error = error
        return Effect.void
      }),
      Effect.timeoutOption(Duration.millis(Math.max(0, attempt.endsAt - monotonic()))),
      Effect.map(() => attempt.result()),
      Effect.ensuring(Effect.sync(() => attempt.end(pool)))
    )

  // Most requests go this way: one callback, since every further effect costs as much as the signature.
  const sendOver = (idle: Connection, attempt: Attempt) =>
    Effect.callback<SendResult, TargetsFull>((resume) => {
      const end = () => {
        deadlines.forget(watched)
        const result = attempt.result()
        attempt.end(pool)
        resume(Effect.succeed(result))
      }
      const first = attempt.response
      attempt.expire = end
      const watched = deadlines.watch(attempt)
      attempt.post(idle, true, () => {
        if (attempt.response !== first) return
        if (attempt.isOver || !first.isUnheard) return end()
        // A receiver may close an idle connection just as we write to it. That is not a failure, so it is sent once
        // more.
        deadlines.forget(watched)
        attempt.startAnew()
        resume(sendAnew(attempt))
      })
      return Effect.sync(() => {
        deadlines.forget(watched)
        attempt.end(pool)
      })
    })

  const send = (request: OutgoingRequest) =>
    Effect.withFiber((fiber) => {
      const url = addresses.read(request.url)
      if (Result.isFailure(url)) return Effect.succeed(refused)
      const attempt = new Attempt(url.success, request, { endsAt: monotonic() + time, monotonic, targets })
      const idle = pool.take(url.success.host, clock.currentTimeMillisUnsafe())
      if (idle === undefined) return sendAnew(attempt)
      if (attempt.room.take([idle.address]).length === 0) {
        pool.put(idle)
        // The receiver may have other addresses.
        return sendAnew(attempt)
      }
      reused.updateUnsafe(1, fiber.context)
      return sendOver(idle, attempt)
    })

  return Sender.of({ send })
})

/** Sends over HTTPS, on connections of its own, without proxy or redirect, HTTP/1.1 only (webhook-engine, Address rules). */
export const HttpsSenderLayerNoDeps = Layer.effect(Sender, make)

/** The same, with addresses judged by the operator's settings. */
export const HttpsSenderLayer = HttpsSenderLayerNoDeps.pipe(Layer.provide([Addresses.layer, NodeFileSystem.layer]))

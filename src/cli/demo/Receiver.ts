import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, DateTime, Effect, Layer, Option, Queue, Redacted, Ref, Result, Schema } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:https"
import { ownText } from "../../platform/text/Utf8.ts"
import { type Received, verifySignature } from "../../webhooks/send/Signature.ts"
import type { Certificate } from "../webhooks/Certificate.ts"
import { verdictOf } from "../webhooks/Verdict.ts"
import { Narrator } from "./Narrator.ts"

/** A request whose signature was right, and what it was answered. */
export interface Arrival {
  readonly type: string
  /** All that the signature was judged by. */
  readonly received: Received
  readonly status: number
}

const decodeType = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ type: Schema.String })))

const receivedFrom = Effect.fnUntraced(function*(secrets: Received["secrets"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = request.headers
  const body = new Uint8Array(yield* request.arrayBuffer)
  return { secrets, id, timestamp, signature, body, now: yield* DateTime.now }
})

const make = Effect.gen(function*() {
  const narrator = yield* Narrator
  const { address } = yield* HttpServer.HttpServer
  const arrivals = yield* Queue.unbounded<Arrival>()
  const status = yield* Ref.make(204)
  const secrets = yield* Ref.make<Received["secrets"]>([])

  // A request without a valid signature is not shown.
  const answer = Effect.fnUntraced(function*(received: Received) {
    const verdict = verifySignature(received)
    const type = Option.filter(decodeType(ownText(received.body)), () => Result.isSuccess(verdict))
    if (Option.isNone(type)) {
      yield* narrator.say("receiver", `a request arrived and is refused, ${verdictOf(verdict)}`)
      return 401
    }
    const answered = yield* Ref.get(status)
    yield* narrator.say("receiver", `${type.value.type} arrived, signature is right, answered ${answered}`)
    yield* Queue.offer(arrivals, { type: type.value.type, received, status: answered })
    return answered
  })

  yield* HttpServer.serveEffect(Ref.get(secrets).pipe(
    Effect.flatMap(receivedFrom),
    Effect.flatMap(answer),
    Effect.map((answered) => HttpServerResponse.empty({ status: answered }))
  ))

  return Receiver.of({
    url: HttpServer.formatAddress(address).replace(/^http/, "https"),
    trust: (secret) => Ref.set(secrets, [Redacted.value(secret)]),
    answerWith: (next) => Ref.set(status, next),
    next: Queue.take(arrivals)
  })
})

/** A receiver of webhooks as a club would run one, over HTTPS on this machine. It tells what arrives. */
export class Receiver extends Context.Service<Receiver, {
  readonly url: string
  /** Verifies requests with this secret from now on; before, it verifies no request. */
  trust(secret: Redacted.Redacted<Uint8Array>): Effect.Effect<void>
  /** The status for every webhook from now on; 204 at first. */
  answerWith(status: number): Effect.Effect<void>
  /** The next webhook, in the order in which they came. */
  readonly next: Effect.Effect<Arrival>
}>()("turma/cli/demo/Receiver") {
  static readonly layer = (certificate: Certificate) =>
    Layer.effect(Receiver, make).pipe(Layer.provide(NodeHttpServer.layer(() =>
      createServer(certificate), { host: "127.0.0.1", port: 0 })))
}

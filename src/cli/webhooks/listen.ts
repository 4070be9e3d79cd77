import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Console, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer as createHttpServer } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { verifySignature } from "../../webhooks/signature/Signature.ts"
import { UsageError } from "../errors/UsageError.ts"
import { type Certificate, givenCertificate, selfSigned } from "./Certificate.ts"
import { secretFrom } from "./Input.ts"
import { printed } from "./Printed.ts"
import { verdictOf } from "./Verdict.ts"

/** How to receive. Port 0 is any that is free. */
export interface Receiving {
  readonly port: number
  readonly secret: Option.Option<Redacted.Redacted>
  /** What every delivery is answered with. */
  readonly status: number
  readonly cert: Option.Option<string>
  readonly key: Option.Option<string>
  /** Without TLS. */
  readonly http: boolean
}

/** More than any event has; more is answered 413. */
const largest = ByteSize.mebibytes(4)

const host = "127.0.0.1"

const verdict =
  (secret: Option.Option<Redacted.Redacted<Uint8Array>>) =>
  (request: Omit<Parameters<typeof verifySignature>[0], "secrets">) =>
    Option.match(secret, {
      onNone: () => "not verified: no secret was given",
      onSome: (key) => verdictOf(verifySignature({ ...request, secrets: [Redacted.value(key)] }))
    })

const receive = (secret: Option.Option<Redacted.Redacted<Uint8Array>>, status: number) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method !== "POST") return HttpServerResponse.empty({ status: 405 })
    const body = new Uint8Array(yield* request.arrayBuffer)
    const at = yield* DateTime.now
    const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = request.headers
    const said = verdict(secret)({ id, timestamp, signature, body, now: at })
    yield* Console.log(printed({ at, id, timestamp, body, verdict: said, status }))
    return HttpServerResponse.empty({ status })
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, largest))

const certificateFor = Effect.fnUntraced(function*({ cert, http, key }: Receiving) {
  if (http) return Option.none<Certificate>()
  if (Option.isSome(cert) !== Option.isSome(key)) {
    return yield* new UsageError({ message: "--cert and --key go together" })
  }
  if (Option.isSome(cert) && Option.isSome(key)) return Option.some(yield* givenCertificate(cert.value, key.value))
  return Option.some(yield* selfSigned)
})

const announce = (certificate: Option.Option<Certificate>, status: number) =>
  HttpServer.HttpServer.use(({ address }) => {
    const scheme = Option.isSome(certificate) ? "https" : "http"
    const url = HttpServer.formatAddress(address).replace(/^http/, scheme)
    const trust = Option.match(certificate, {
      onNone: () => "Without TLS, which Turma itself does not send to.",
      onSome: ({ path }) =>
        `To reach it, start Turma with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 WEBHOOK_EXTRA_CA_FILE=${path}`
    })
    return Console.log(`Listening at ${url}, answering ${status}.\n${trust}`)
  })

const cannotListen = (port: number) => new UsageError({ message: `Cannot listen on port ${port} of ${host}` })

/** Receives deliveries on this machine and prints them, until it is told to stop. */
export const listen = Effect.fnUntraced(function*(options: Receiving) {
  const secret = yield* secretFrom(options.secret)
  const certificate = yield* certificateFor(options)
  const { port, status } = options
  const server = NodeHttpServer.layer(
    () => Option.isSome(certificate) ? createHttpsServer(certificate.value) : createHttpServer(),
    { host, port }
  )
  const receiver = Layer.effectDiscard(announce(certificate, status)).pipe(
    Layer.provideMerge(HttpServer.serve(receive(secret, status))),
    Layer.provide(server),
    Layer.catchTag("ServeError", () => Layer.effectDiscard(cannotListen(port)))
  )
  return yield* Layer.launch(receiver)
}, Effect.scoped)

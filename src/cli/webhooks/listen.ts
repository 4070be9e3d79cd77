import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Console, DateTime, Effect, Layer, Option, type Redacted } from "effect"
import { HttpIncomingMessage, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer as createHttpServer } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { verifySignature } from "../../webhooks/send/Signature.ts"
import { UsageError } from "../errors/UsageError.ts"
import { type Certificate, givenCertificate, selfSigned } from "./Certificate.ts"
import { verifierFrom } from "./Input.ts"
import { printed } from "./Printed.ts"
import { verdictOf } from "./Verdict.ts"

/** How to receive. Port 0 is any that is free. */
export interface Receiving {
  readonly port: number
  /** A secret, or a public key. */
  readonly secret: Option.Option<Redacted.Redacted>
  /** The status of every answer. */
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
  (verifier: Effect.Success<ReturnType<typeof verifierFrom>>) =>
  (request: Omit<Parameters<typeof verifySignature>[0], "secrets">) =>
    Option.match(verifier, {
      onNone: () => "not verified: no secret was given",
      onSome: (known) => verdictOf(verifySignature({ ...request, ...known }))
    })

const receive = (verifier: Effect.Success<ReturnType<typeof verifierFrom>>, status: number) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method !== "POST") return HttpServerResponse.empty({ status: 405 })
    const body = new Uint8Array(yield* request.arrayBuffer)
    const at = yield* DateTime.now
    const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = request.headers
    const said = verdict(verifier)({ id, timestamp, signature, body, now: at })
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

/** Receives deliveries on this machine and prints them, until its signal to stop. */
export const listen = Effect.fnUntraced(function*(options: Receiving) {
  const verifier = yield* verifierFrom(options.secret)
  const certificate = yield* certificateFor(options)
  const { port, status } = options
  const server = NodeHttpServer.layer(
    () => Option.isSome(certificate) ? createHttpsServer(certificate.value) : createHttpServer(),
    { host, port }
  )
  const receiver = Layer.effectDiscard(announce(certificate, status)).pipe(
    Layer.provideMerge(HttpServer.serve(receive(verifier, status))),
    Layer.provide(server),
    Layer.catchTag("ServeError", () => Layer.effectDiscard(cannotListen(port)))
  )
  return yield* Layer.launch(receiver)
}, Effect.scoped)

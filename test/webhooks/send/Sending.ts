import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { ConfigProvider, Context, Effect, Layer, Logger, Struct } from "effect"
import { Dns } from "effect/net"
import { PublicUrls } from "../../../src/platform/http/ServerSettings.ts"
import type { AttemptError } from "../../../src/webhooks/model/AttemptError.ts"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { Addresses } from "../../../src/webhooks/send/Addresses.ts"
import { HttpsSenderLayerNoDeps } from "../../../src/webhooks/send/HttpsSender.ts"
import type { Answer } from "../../../src/webhooks/send/ResponseReader.ts"
import { type OutgoingRequest, Sender } from "../../../src/webhooks/send/Sender.ts"
import { caFile, type TestCa } from "../../harness/Tls.ts"

interface Options {
  /** The authority to trust besides the public ones. */
  readonly ca?: TestCa
  /** The allowed networks. The default is the loopback interface. */
  readonly allowed?: string
  readonly dns?: Layer.Layer<Dns.Dns>
  /** Replaces the rules of `allowed` and `dns`. */
  readonly addresses?: Layer.Layer<Addresses>
  readonly variables?: Record<string, string>
}

export const namesOf = (records: Dns.StaticZone["records"]) => Layer.orDie(Dns.layerStatic({ records }))

/** The real sender with the settings of a test. The scope ends it. */
export const startSender = Effect.fnUntraced(function*(
  { addresses, allowed = "127.0.0.0/8", ca, dns = namesOf({}), variables }: Options = {}
) {
  const environment = {
    ...(allowed !== "" && { WEBHOOK_ALLOWED_NETWORKS: allowed }),
    ...(ca !== undefined && { WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca) }),
    PUBLIC_URL: "https://turma.example",
    ...variables
  }
  const context = yield* HttpsSenderLayerNoDeps.pipe(
    Layer.provide([
      addresses ?? Addresses.layerNoDeps.pipe(Layer.provide([dns, PublicUrls.layer])),
      WebhookRules.layer,
      NodeFileSystem.layer
    ]),
    Layer.provide(Logger.layer([])),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment))),
    Layer.build
  )
  const { send } = Context.get(context, Sender)
  return {
    /** The answer, with phases, connection and peer. */
    sendWhole: send,
    /** Only the answer. */
    send: (request: OutgoingRequest) => Effect.map(send(request), Struct.omit(["phases", "connection_reused", "peer"])),
    /** The duration of each phase. */
    time: (request: OutgoingRequest) => Effect.map(send(request), Struct.pick(["phases", "connection_reused"])),
    /** The peer that got the request. */
    peer: (request: OutgoingRequest) => Effect.map(send(request), ({ peer }) => peer)
  }
})

export const body = new TextEncoder().encode(`{"type":"webhook.test","ç":"ã"}`)

/** A request like those of the engine. */
export const post = (url: string) => ({
  url,
  headers: { "content-type": "application/json", "user-agent": "turma-webhooks/1", "webhook-id": "a" },
  body
})

/** The result of `send` for a receiver that answers 204 without a body. */
export const succeeded: Answer = { error: null, status_code: 204, response_body: null, retry_after: null }

/** The result of `send` without a status. */
export const failed = (error: AttemptError): Answer => ({
  error,
  status_code: null,
  response_body: null,
  retry_after: null
})

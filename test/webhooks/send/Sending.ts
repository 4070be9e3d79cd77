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
  /** Whose receivers are trusted; nobody's but the world's unless given. */
  readonly ca?: TestCa
  /** The loopback interface unless given. */
  readonly allowed?: string
  readonly dns?: Layer.Layer<Dns.Dns>
  /** Instead of the rules of `allowed` and `dns`. */
  readonly addresses?: Layer.Layer<Addresses>
  readonly variables?: Record<string, string>
}

export const namesOf = (records: Dns.StaticZone["records"]) => Layer.orDie(Dns.layerStatic({ records }))

/** The real sender with the settings that a test needs, until the scope ends. */
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
    /** The answer and its way. */
    sendWhole: send,
    /** The answer. */
    send: (request: OutgoingRequest) => Effect.map(send(request), Struct.omit(["phases", "connection_reused", "peer"])),
    /** Where the time went. */
    time: (request: OutgoingRequest) => Effect.map(send(request), Struct.pick(["phases", "connection_reused"])),
    /** The address that it was sent to. */
    peer: (request: OutgoingRequest) => Effect.map(send(request), ({ peer }) => peer)
  }
})

export const body = new TextEncoder().encode(`{"type":"webhook.test","ç":"ã"}`)

/** A request as the engine makes them. */
export const post = (url: string) => ({
  url,
  headers: { "content-type": "application/json", "user-agent": "turma-webhooks/1", "webhook-id": "a" },
  body
})

/** What `send` says of a receiver that answers nothing but 204. */
export const succeeded: Answer = { error: null, status_code: 204, response_body: null, retry_after: null }

/** What `send` says where no status came. */
export const failed = (error: AttemptError): Answer => ({
  error,
  status_code: null,
  response_body: null,
  retry_after: null
})

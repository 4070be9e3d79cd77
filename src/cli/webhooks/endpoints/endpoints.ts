import { Effect, Option, Schedule } from "effect"
import { withIdempotencyKey } from "../../../Client.ts"
import { eventTypeName } from "../../../webhooks/endpoint/EventTypeNames.ts"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { InboxId } from "../../../webhooks/model/InboxId.ts"
import { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"
import { QuietEnd } from "../../errors/CommandFailure.ts"
import { exitCodes } from "../../errors/ExitCodes.ts"
import { UsageError } from "../../errors/UsageError.ts"
import { confirm } from "../../output/Confirm.ts"
import { textAt } from "../../output/Json.ts"
import { outputForm, printFields } from "../../output/Print.ts"
import { note } from "../../output/Write.ts"
import { answerOf, oneOf, pageOf, type Wanted } from "../../remote/Answers.ts"
import { bare, connection, parseId } from "../../remote/Connection.ts"
import { onceOnly } from "../../remote/Once.ts"
import { untilDone } from "../../remote/run.ts"
import { at, printList } from "../../remote/Shown.ts"
import { deliveryFields, endpointColumns, endpointFields } from "./Columns.ts"

const secret = at("Secret", "secret")

/** The connection, and the endpoint of this id as a parameter. */
const withEndpoint = Effect.fnUntraced(function*(id: string) {
  const connected = yield* connection
  const params = { clubId: yield* connected.club, endpointId: yield* parseId(EndpointId, id, "an endpoint") }
  return { ...connected, params }
})

/** `turma webhooks endpoints list` */
export const listEndpoints = (wanted: Wanted) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const params = { clubId: yield* club }
    yield* printList(endpointColumns, wanted, "No webhook endpoints", (query) =>
      pageOf(url, client.webhookEndpoints.list({ params, query, ...bare })))
  }))

/** `turma webhooks endpoints show`: with what the diagnosis says, for people. */
export const showEndpoint = (id: string) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withEndpoint(id)
    yield* printFields(endpointFields, yield* oneOf(url, client.webhookEndpoints.get({ params, ...bare })))
    if ((yield* outputForm) !== "table") return
    const diagnosis = yield* oneOf(url, client.webhookEndpoints.diagnose({ params, ...bare }))
    yield* note(textAt(diagnosis, "summary"))
  }))

/** A new endpoint. */
interface Creation {
  readonly url: Option.Option<string>
  readonly inbox: Option.Option<string>
  readonly event_types: ReadonlyArray<string>
  readonly description: string
  readonly paused: boolean
}

const wrong = (message: string) => new UsageError({ message })

const targetOf = Effect.fnUntraced(function*(url: Option.Option<string>, inbox: Option.Option<string>) {
  if (Option.isSome(inbox) && Option.isNone(url)) return { inbox_id: yield* parseId(InboxId, inbox.value, "an inbox") }
  if (Option.isSome(url) && Option.isNone(inbox)) return { url: url.value }
  return yield* wrong("Give a URL or --inbox, and not both")
})

/** `turma webhooks endpoints create` */
export const createEndpoint = ({ description, event_types, inbox, paused, url: target }: Creation) =>
  untilDone(Effect.gen(function*() {
    if (event_types.length === 0) {
      return yield* wrong("Give a type of event with --event: npx turma events types lists them")
    }
    const { client, club, url } = yield* connection
    const status = paused ? "paused" as const : "enabled" as const
    const payload = {
      ...(yield* targetOf(target, inbox)),
      event_types: event_types.map(eventTypeName),
      description,
      status
    }
    const params = { clubId: yield* club }
    const key = yield* onceOnly
    const created = client.webhookEndpoints.create({ params, payload, ...bare }).pipe(withIdempotencyKey(key))
    yield* printFields([...endpointFields, secret], yield* oneOf(url, created))
  }))

const statuses = { pause: "paused", enable: "enabled", disable: "disabled" } as const

/** `turma webhooks endpoints pause`, `enable` and `disable` */
export const changeStatus = (id: string, change: keyof typeof statuses) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withEndpoint(id)
    const payload = { status: statuses[change] }
    yield* printFields(endpointFields, yield* oneOf(url, client.webhookEndpoints.update({ params, payload, ...bare })))
  }))

/** `turma webhooks endpoints rotate` */
export const rotateSecret = (id: string) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withEndpoint(id)
    const key = yield* onceOnly
    const rotated = client.webhookEndpoints.rotateSecret({ params, ...bare }).pipe(withIdempotencyKey(key))
    yield* printFields([...endpointFields, secret], yield* oneOf(url, rotated))
  }))

/** How often to look whether the test has been sent: for somewhat longer than an attempt may take. */
const looks = { schedule: Schedule.spaced("500 millis"), times: 50 }

/** `turma webhooks endpoints test`: fails with 1 where the receiver does not accept it. */
export const testEndpoint = (id: string) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withEndpoint(id)
    const key = yield* onceOnly
    const asked = client.webhookDeliveries.test({ params, ...bare }).pipe(withIdempotencyKey(key))
    const deliveryId = yield* parseId(WebhookDeliveryId, textAt(yield* oneOf(url, asked), "id"), "a delivery")
    const look = oneOf(url, client.webhookDeliveries.get({ params: { ...params, deliveryId }, ...bare }))
    const tested = yield* Effect.repeat(look, {
      ...looks,
      until: (delivery) => textAt(delivery, "attempts_count") !== "0"
    })
    yield* printFields(deliveryFields, tested)
    if (textAt(tested, "status") === "succeeded") return
    return yield* new QuietEnd({ exit_code: exitCodes.failed.code })
  }))

/** `turma webhooks endpoints remove` */
export const removeEndpoint = ({ id, yes }: { readonly id: string; readonly yes: boolean }) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withEndpoint(id)
    const endpoint = yield* oneOf(url, client.webhookEndpoints.get({ params, ...bare }))
    yield* confirm(`Delete the endpoint ${textAt(endpoint, "url")} and cancel what waits for it?`, yes)
    yield* answerOf(url, client.webhookEndpoints.remove({ params, ...bare }))
    yield* note(`Deleted ${params.endpointId}`)
  }))

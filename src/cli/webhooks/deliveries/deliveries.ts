import { Effect, Option, Schema } from "effect"
import { withIdempotencyKey } from "../../../Client.ts"
import { EventType } from "../../../events/EventType.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { RecoverSince } from "../../../webhooks/history/delivery/RecoverSince.ts"
import { EndpointId } from "../../../webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../webhooks/model/WebhookDeliveryId.ts"
import { UsageError } from "../../errors/UsageError.ts"
import { Thing } from "../../output/Json.ts"
import { outputForm, printFields, printRows, writeJson } from "../../output/Print.ts"
import { write } from "../../output/Write.ts"
import { oneOf, pageOf, type Wanted } from "../../remote/Answers.ts"
import { bare, connection, parseId } from "../../remote/Connection.ts"
import { onceOnly } from "../../remote/Once.ts"
import { untilDone } from "../../remote/run.ts"
import { at, printList } from "../../remote/Shown.ts"
import { attemptColumns, deliveryColumns, deliveryFields } from "../endpoints/Columns.ts"

/** A flag by its schema, or what is wrong with it. */
const parseFlag = <A>(schema: Schema.Codec<A, string>, given: Option.Option<string>, flag: string, expected: string) =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(schema)(text),
        () => new UsageError({ message: `${flag}: expected ${expected}` })
      )
  })

const moment = (given: Option.Option<string>, flag: string) =>
  parseFlag(Timestamp, given, flag, "a moment such as 2026-04-01T09:30:00Z")

/** Which deliveries to list. */
interface Listing extends Wanted {
  readonly endpoint: string
  readonly status: Option.Option<"pending" | "succeeded" | "failed" | "canceled">
  /** One at most. */
  readonly event_types: ReadonlyArray<string>
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly student: Option.Option<string>
}

const filterOf = Effect.fnUntraced(function*(given: Listing) {
  const [type, ...others] = given.event_types
  if (others.length > 0) return yield* new UsageError({ message: "--event: expected one type" })
  const named = Option.fromUndefinedOr(type)
  const event_type = yield* parseFlag(EventType, named, "--event", "a type that npx turma events types lists")
  const since = yield* moment(given.since, "--since")
  const until = yield* moment(given.until, "--until")
  const student_id = yield* parseFlag(StudentId, given.student, "--student", "the id of a student")
  return {
    ...(Option.isSome(given.status) ? { status: given.status.value } : {}),
    ...(event_type === undefined ? {} : { event_type }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(student_id === undefined ? {} : { student_id })
  }
})

/** `turma webhooks deliveries list` */
export const listDeliveries = (given: Listing) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const filter = yield* filterOf(given)
    const params = { clubId: yield* club, endpointId: yield* parseId(EndpointId, given.endpoint, "an endpoint") }
    yield* printList(deliveryColumns, given, "No deliveries", (page) =>
      pageOf(url, client.webhookDeliveries.list({ params, query: { ...page, ...filter }, ...bare })))
  }))

/** An endpoint, and a delivery to it. */
interface Named {
  readonly endpoint: string
  readonly delivery: string
}

const withDelivery = Effect.fnUntraced(function*({ delivery, endpoint }: Named) {
  const connected = yield* connection
  const params = {
    clubId: yield* connected.club,
    endpointId: yield* parseId(EndpointId, endpoint, "an endpoint"),
    deliveryId: yield* parseId(WebhookDeliveryId, delivery, "a delivery")
  }
  return { ...connected, params }
})

const isAttempts = Schema.is(Schema.Array(Thing))

/** `turma webhooks deliveries show` */
export const showDelivery = (named: Named) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withDelivery(named)
    const found = yield* oneOf(url, client.webhookDeliveries.get({ params, ...bare }))
    yield* printFields(deliveryFields, found)
    if ((yield* outputForm) !== "table") return
    const attempts = found["attempts"]
    yield* write("\n")
    yield* printRows(attemptColumns, isAttempts(attempts) ? attempts : [], "No attempts yet")
    yield* write("\n")
    yield* writeJson(found["payload"])
  }))

/** `turma webhooks resend` */
export const resendDelivery = (named: Named) =>
  untilDone(Effect.gen(function*() {
    const { client, params, url } = yield* withDelivery(named)
    const key = yield* onceOnly
    const asked = client.webhookDeliveries.resend({ params, ...bare }).pipe(withIdempotencyKey(key))
    yield* printFields(deliveryFields, yield* oneOf(url, asked))
  }))

/** `turma webhooks recover` */
export const recoverDeliveries = ({ endpoint, since }: { readonly endpoint: string; readonly since: string }) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const from = yield* Effect.mapError(
      Schema.decodeUnknownEffect(RecoverSince)(since),
      () => new UsageError({ message: "--since: expected a date such as 2026-04-01, or a moment" })
    )
    const params = { clubId: yield* club, endpointId: yield* parseId(EndpointId, endpoint, "an endpoint") }
    const key = yield* onceOnly
    const asked = client.webhookDeliveries.recover({ params, payload: { since: from }, ...bare })
      .pipe(withIdempotencyKey(key))
    yield* printFields([at("Recovered", "recovered")], yield* oneOf(url, asked))
  }))

import { Clock, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { EventType } from "../../events/EventType.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { ownText } from "../../platform/text/Utf8.ts"
import { DemoError } from "./DemoError.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Course } from "./Lesson.ts"
import { say } from "./Narrator.ts"
import type { Club } from "./People.ts"
import { type Arrival, Receiver } from "./Receiver.ts"
import { Turma } from "./Turma.ts"
import { pollEvery } from "./Waits.ts"

/** A club that sells on Hotmart: the token of its address there, and the one that Hotmart sends along. */
interface Shop extends Club {
  readonly token: Redacted.Redacted
  readonly hottok: Redacted.Redacted
}

const product = { id: 788_921, name: "Violão do zero" }
/** The buyer, with the document that no event holds. */
export const buyer = { email: "duda@example.com", name: "Duda", document: "529.982.247-25", document_type: "CPF" }

/** Has every type sent. */
export const subscribeToAll = Effect.fnUntraced(function*({ clubId, endpointId, owner }: Endpoint) {
  const event_types = EventType.literals.filter((type) => type !== "webhook.test")
  yield* owner.webhookEndpoints.update({ params: { clubId, endpointId }, payload: { event_types } })
  yield* say("you", "have all types of events sent: PATCH …/webhook-endpoints/{id}")
})

/** Opens an address for Hotmart and says what its product gives access to. */
export const openShop = Effect.fnUntraced(function*({ clubId, owner }: Club, course: Course) {
  const params = { clubId }
  const { data: delivery } = yield* owner.deliveries.create({
    params,
    payload: { name: product.name, default_access_days: 365, items: [{ kind: "course", id: course.id }] }
  })
  yield* owner.productMappings.create({
    params,
    payload: { platform: "hotmart", external_product_id: `${product.id}`, delivery_id: delivery.id }
  })
  yield* say("you", `Hotmart's product ${product.id} gives a year of ${delivery.name}: POST …/product-mappings`)
  const hottok = Redacted.make("the token of the Hotmart account")
  const { data: hook } = yield* owner.inboundWebhooks.create({
    params,
    payload: { platform: "hotmart", secret: hottok }
  })
  const token = Redacted.make(new URL(Redacted.value(hook.url)).pathname.split("/").at(-1) ?? "")
  yield* say("turma", "has an address for Hotmart, with a token of its own: POST …/inbound-webhooks")
  return { clubId, owner, token, hottok } satisfies Shop
})

/** Hotmart reports Duda's purchase, as it would. */
export const postHotmartEvent = Effect.fnUntraced(function*({ hottok, token }: Shop, event: string) {
  const turma = yield* Turma
  const open = yield* turma.client()
  const now = yield* Clock.currentTimeMillis
  const purchase = {
    approved_date: now,
    transaction: "HP16015479281022",
    price: { value: 149.5, currency_value: "BRL" },
    payment: { type: "CREDIT_CARD" },
    offer: { code: "launch" }
  }
  const { data } = yield* open.platformHooks.receive({
    params: { platform: "hotmart", token },
    payload: {
      id: `demo-${event}`,
      creation_date: now,
      event,
      version: "2.0.0",
      hottok: Redacted.value(hottok),
      data: { product, buyer, purchase }
    }
  })
  yield* say("you", `play Hotmart and tell of ${event}: POST /webhooks/hotmart/{token}, ${data.status}`)
})

const SentEvent = Schema
  .fromJsonString(Schema.Struct({ data: Schema.Struct({ student: Schema.Struct({ id: StudentId }) }) }))
const decodeSentEvent = Schema.decodeUnknownEffect(SentEvent)

const text = ({ received }: Arrival) => ownText(received.body)

/** Waits for one webhook of each of these types, in whatever order, and answers the last one. */
export const arrivals = Effect.fnUntraced(function*(...types: ReadonlyArray<EventType>) {
  const receiver = yield* Receiver
  const missing = new Set<string>(types)
  let last: Option.Option<Arrival> = Option.none()
  while (missing.size > 0) {
    const arrival = yield* receiver.next
    if (missing.delete(arrival.type)) last = Option.some(arrival)
  }
  return yield* Effect.mapError(Effect.fromOption(last), () => new DemoError({ message: "Nothing was waited for" }))
})

/** The student that a webhook is about. */
export const studentOf = (arrival: Arrival) =>
  decodeSentEvent(text(arrival)).pipe(
    Effect.map(({ data }) => data.student.id),
    Effect.mapError(() => new DemoError({ message: "A webhook names no student" }))
  )

/** Removes the student and shows the rest: an id, and how much was deleted. */
export const removeStudent = Effect.fnUntraced(function*({ clubId, owner }: Club, studentId: StudentId) {
  const params = { clubId, studentId }
  yield* say("you", "Duda asks to be forgotten: DELETE …/students/{id}")
  yield* owner.students.remove({ params })
  const arrival = yield* arrivals("student.removed")
  yield* say("receiver", `  ${text(arrival)}`)
  const { data: receipt } = yield* Effect.retry(owner.students.erasure({ params }), pollEvery)
  const bodies = receipt.counts["bodies"] ?? 0
  const day = DateTime.formatIsoDateUtc(receipt.erased_at)
  yield* say(
    "turma",
    `the receipt of ${day}: ${bodies} bodies of earlier webhooks erased, and whatever else named Duda`
  )
})

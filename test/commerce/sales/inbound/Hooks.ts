import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { bindingOfRaw, InboundEventId, type Outcome } from "../../../../src/commerce/sales/inbound/InboundEvent.ts"
import { InboundWebhooks } from "../../../../src/commerce/sales/inbound/InboundWebhooks.ts"
import { encodeRequest } from "../../../../src/commerce/sales/inbound/StoredRequest.ts"
import type { SettledSales } from "../../../../src/commerce/sales/purchase/NewSales.ts"
import { Purchases, type Settlement } from "../../../../src/commerce/sales/purchase/Purchases.ts"
import type { ReceivedFacts } from "../../../../src/commerce/sales/purchase/ReceivedFacts.ts"
import { InboundQueue } from "../../../../src/commerce/sales/queue/InboundQueue.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../../src/identity/ids/StudentId.ts"
import { blobs, uuids } from "../../../../src/platform/sql/Arrays.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { AppLayer, foundClub, send } from "../../../harness/App.ts"

/** The account token that the test's platform sends with each request. */
export const hottok = "8f2c1d-hottok"

/** A club with an address for Hotmart. `path` is the path of the address. */
export const openHook = Effect.fn("openHook")(function*(
  given: { readonly secret?: string | null; readonly token_only?: boolean } = {}
) {
  const hooks = yield* InboundWebhooks
  const club = yield* foundClub()
  const { secret = hottok, token_only = false } = given
  const hook = yield* hooks.create(club.id, {
    platform: "hotmart",
    token_only,
    ...(secret === null ? {} : { secret: Redacted.make(secret) })
  })
  return { ...club, club, hook_id: hook.id, post: pathOf(Redacted.value(hook.url)) }
})
export type OpenHook = Effect.Success<ReturnType<typeof openHook>>

/** The path of a URL on the test's server. */
export const pathOf = (url: string): string => new URL(url).pathname

/** The body of a sale. Missing fields get a random word. */
export const sale = (
  given: {
    readonly event?: string
    readonly id?: string
    readonly transaction?: string
    readonly email?: string
    readonly product?: number
    readonly offer?: string
    readonly subscriber?: string
  } = {}
) => {
  const {
    email = "bia@buyer.example",
    event = "PURCHASE_APPROVED",
    id = crypto.randomUUID(),
    offer = "basic",
    product = 4711,
    subscriber,
    transaction = `HP${crypto.randomUUID()}`
  } = given
  return {
    id,
    creation_date: 1_763_247_745_737,
    event,
    version: "2.0.0",
    data: {
      product: { id: product, name: "Violão do Zero" },
      buyer: { email, name: "Bia Lima", document: "39053344705" },
      purchase: {
        approved_date: 1_763_247_745_000,
        status: "APPROVED",
        transaction,
        price: { value: 97.5, currency_value: "BRL" },
        payment: { type: "PIX" },
        offer: { code: offer }
      },
      ...(subscriber === undefined ? {} : { subscription: { subscriber: { code: subscriber } } })
    }
  }
}

/** Sends a body, signed as Hotmart does, a millisecond after the last request. */
export const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.andThen(
    TestClock.adjust("1 millis"),
    send("POST", path, { body, headers: { "x-hotmart-hottok": hottok, ...headers } })
  )

const EventRow = Schema.Struct({
  id: InboundEventId,
  event_name: Schema.String,
  external_event_id: Schema.NullOr(Schema.String),
  order_key: Schema.String,
  purchase_ref: Schema.NullOr(Schema.String),
  product_ids: Schema.Array(Schema.String),
  offer_ids: Schema.Array(Schema.NullOr(Schema.String)),
  product_names: Schema.NullOr(Schema.Array(Schema.NullOr(Schema.String))),
  person_key: Schema.NullOr(Schema.Uint8Array),
  student_id: Schema.NullOr(StudentId),
  raw: Schema.NullOr(Schema.Uint8Array),
  due_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  failures: Schema.Int,
  outcome: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String)
})
type EventRow = typeof EventRow.Type

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(EventRow))

/** The stored events of a club, in the order of their arrival. */
export const eventsOf = Effect.fn("eventsOf")(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  return yield* decodeRows(yield* sql`select * from inbound_events where club_id = ${club.id} order by id`)
})

/** SHA-256, as the rows store it. */
export const sha256 = (text: string) => new Uint8Array(createHash("sha256").update(text).digest())

const settled: Settlement = { outcome: "processed", student_id: null, removed: false, newNames: [] }

/** The facts that the purchases receive, in order, and their answers. A test may replace `answer`. */
export class Teller {
  readonly told: Array<ReceivedFacts> = []
  answer: (told: ReceivedFacts) => Effect.Effect<Partial<Settlement>> = () => Effect.succeed({})
  /** The facts that settle together. By default there are no such facts, so that each one settles alone. */
  answerTogether: (told: ReadonlyArray<ReceivedFacts>) => Effect.Effect<SettledSales> = () =>
    Effect.succeed({ students: new Map(), newNames: [] })

  readonly layer = Layer.succeed(Purchases, {
    settle: (told) =>
      Effect.suspend(() => {
        this.told.push(told)
        return Effect.map(this.answer(told), (answer) => ({ ...settled, ...answer }))
      }),
    settleNew: (_, told) => Effect.suspend(() => this.answerTogether(told))
  })
}

/** The transactions of the received facts, in order. */
export const transactionsOf = (told: ReadonlyArray<ReceivedFacts>) =>
  told.flatMap(({ facts }) => facts.flatMap((fact) => "purchase" in fact ? [fact.purchase.external_id] : []))

/** The app with its own queue, which sends facts to `teller`. */
export const hooksLayer = (teller: Teller, concurrency = 4) =>
  InboundQueue.layer({ concurrency }).pipe(Layer.provide(teller.layer), Layer.provideMerge(AppLayer))

/** Works until no event is due. */
export const drain = Effect.gen(function*() {
  const { tick } = yield* InboundQueue
  yield* Effect.repeat(tick, { while: (done) => done > 0 })
})

/** The outcomes of a club's events in the order of their arrival; null for events that wait. */
export const outcomesOf = (club: { readonly id: ClubId }) =>
  Effect.map(eventsOf(club), (rows) => rows.map(({ outcome }): Outcome | string | null => outcome))

/** Stores these sales as if they had come by HTTP at once. It is for more sales than a test would send. */
export const storeSales = Effect.fn("storeSales")(function*(
  hook: Pick<OpenHook, "id" | "hook_id">,
  bodies: ReadonlyArray<ReturnType<typeof sale>>
) {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const random = yield* SecureRandom.SecureRandom
  const received_at = DateTime.toDateUtc(yield* DateTime.now)
  const rows = yield* Effect.forEach(bodies, (body) =>
    Effect.gen(function*() {
      const id = InboundEventId.make(yield* random.uuidV7())
      const raw = encodeRequest({ headers: {}, query: new URLSearchParams(), body: Buffer.from(JSON.stringify(body)) })
      return { id, hash: sha256(id), raw: yield* sealing.seal(raw, bindingOfRaw(id)) }
    }))
  yield* sql`
    insert into inbound_events (
      club_id, id, inbound_webhook_id, platform, event_name, body_hash, order_key, product_ids, offer_ids, raw,
      received_at, due_at
    )
    select ${hook.id}::uuid, id, ${hook.hook_id}::uuid, 'hotmart', 'PURCHASE_APPROVED', hash, 'event:' || id, '{}', '{}',
      raw, ${received_at}::timestamptz, ${received_at}::timestamptz
    from unnest(${uuids(rows.map(({ id }) => id))}, ${blobs(rows.map(({ hash }) => hash))}, ${
    blobs(rows.map(({ raw }) => raw))
  }) as given (id, hash, raw)`
}, Effect.provide(SecureRandom.layerWebCrypto))

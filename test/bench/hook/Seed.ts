import { DateTime, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import {
  bindingOfSecret,
  bindingOfToken,
  InboundWebhookId
} from "../../../src/commerce/sales/inbound/InboundWebhook.ts"
import { hashToken, makeToken } from "../../../src/identity/tokens/Token.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { makeCatalogDelivery, makeClub } from "../../harness/Makers.ts"

const product = 4711

export const hottok = "h0tt0k-of-the-benchmark"

/** A club whose Hotmart product gives access to a delivery, and its address; the twin knows the same address. */
export const seed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sealing = yield* Sealing
  const random = yield* SecureRandom.SecureRandom
  const club = yield* makeClub()
  const delivery = yield* makeCatalogDelivery(club)
  const at = DateTime.toDateUtc(yield* DateTime.now)
  const id = InboundWebhookId.make(yield* random.uuidV7())
  const token = yield* makeToken
  const row = {
    club_id: club.id,
    id,
    platform: "hotmart",
    name: "Hotmart",
    enabled: true,
    token_only: false,
    secret: yield* sealing.seal(Buffer.from(hottok), bindingOfSecret(id)),
    token: yield* sealing.seal(Buffer.from(Redacted.value(token)), bindingOfToken(id)),
    token_hash: hashToken(token),
    created_at: at,
    updated_at: at
  }
  yield* sql`insert into inbound_webhooks ${sql.insert(row)}`
  const mapping = {
    club_id: club.id,
    id: yield* random.uuidV7(),
    platform: "hotmart",
    external_product_id: String(product),
    delivery_id: delivery.id,
    created_at: at
  }
  yield* sql`insert into product_mappings ${sql.insert(mapping)}`
  yield* sql`
    create table twin_hooks (id uuid primary key, platform text not null, token_hash bytea not null unique, hottok text)`
  yield* sql`
    create table twin_events (
      id uuid primary key, hook_id uuid not null references twin_hooks (id), body_hash bytea not null,
      raw bytea not null, received_at timestamptz not null, unique (hook_id, body_hash)
    )`
  yield* sql`insert into twin_hooks ${sql.insert({ id, platform: "hotmart", token_hash: hashToken(token), hottok })}`
  return { path: `/webhooks/hotmart/${Redacted.value(token)}` }
})

/** An approval in Hotmart's format, about 2 KB, with a new purchase and a new buyer. */
export const approval = (): string => {
  const word = randomUUID()
  return JSON.stringify({
    id: word,
    creation_date: 1_763_247_745_737,
    event: "PURCHASE_APPROVED",
    version: "2.0.0",
    data: {
      product: { id: product, ucode: randomUUID(), name: "Violão do Zero", has_co_production: false },
      affiliates: [{ affiliate_code: "A1", name: "Afiliada" }],
      buyer: {
        email: `${word}@buyer.example`,
        name: "Teste Comprador",
        first_name: "Teste",
        last_name: "Comprador",
        checkout_phone: "99999999900",
        address: { city: "São Paulo", country: "Brasil", country_iso: "BR", state: "SP", zipcode: "01000000" },
        document: "39053344705",
        document_type: "CPF"
      },
      producer: { name: "Escola de Violão", legal_nature: "Pessoa Jurídica" },
      commissions: [{ value: 149.5, source: "MARKETPLACE", currency_value: "BRL" }],
      purchase: {
        approved_date: 1_763_247_745_000,
        order_date: 1_763_247_744_000,
        status: "APPROVED",
        transaction: `HP${word}`,
        price: { value: 1500, currency_value: "BRL" },
        payment: { type: "CREDIT_CARD", installments_number: 12 },
        offer: { code: "test" },
        origin: { src: "x".repeat(600), sck: "y".repeat(300) }
      }
    }
  })
}

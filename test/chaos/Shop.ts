import { Effect } from "effect"
import type { EventType } from "../../src/events/EventType.ts"
import { ask, post } from "../harness/Turma.ts"
import type { Dice } from "../simulation/Dice.ts"
import { at, type Club, foundClub } from "./Clubs.ts"
import { again } from "./Pace.ts"
import type { Stand } from "./Stand.ts"

const hottok = "8f2c1d-hottok"
const product = 4711
const delivery = "Violão do Zero"

/** The events of sales and imports. One endpoint gets them all. */
const types: ReadonlyArray<EventType> = [
  "student.created",
  "access.extended",
  "access.granted",
  "access.revoked",
  "access.restored",
  "purchase.paid",
  "purchase.refunded"
]

const made = Effect.fnUntraced(function*(api: string, club: Club, path: string, body: object) {
  const answer = yield* post(`${api}${club.base}/${path}`, body, club.token)
  if (answer.status !== 201) return yield* Effect.die(new Error(`No ${path}: ${answer.text}`))
  return at(answer.json, "data")
})

/** A club that sells one product on Hotmart; `hook` is the path to post to. */
export const openShop = Effect.fn("openShop")(function*(stand: Stand, api: string) {
  const club = yield* foundClub({ stand, api }, "shop", [types])
  const delivery_id = at(yield* made(api, club, "deliveries", { name: delivery }), "id")
  const mapping = { platform: "hotmart", external_product_id: `${product}`, delivery_id }
  yield* made(api, club, "product-mappings", mapping)
  const hook = yield* made(api, club, "inbound-webhooks", { platform: "hotmart", secret: hottok })
  return { ...club, path: "/shop/0", hook: new URL(String(at(hook, "url"))).pathname }
})
export type Shop = Effect.Success<ReturnType<typeof openShop>>

/** Events that a platform posts about one purchase, in any order. */
const kinds = ["PURCHASE_APPROVED", "PURCHASE_COMPLETE", "PURCHASE_REFUNDED"] as const
type Kind = (typeof kinds)[number]

/** One purchase, the posts that the platform tried, and those that were accepted. */
export interface Sale {
  readonly transaction: string
  readonly tried: Set<Kind>
  readonly accepted: Set<Kind>
}

/** A list of students that was answered with 202. */
export interface Imported {
  readonly id: string
  readonly emails: ReadonlyArray<string>
}

/** The body that Hotmart posts about a purchase. */
export const bodyOf = (
  event: Kind,
  transaction: string,
  email: string,
  id: string,
  { sold = product, subscriber }: { readonly sold?: number; readonly subscriber?: string } = {}
) =>
  JSON.stringify({
    id,
    creation_date: 1_763_247_745_737,
    event,
    version: "2.0.0",
    data: {
      product: { id: sold, name: delivery },
      buyer: { email, name: "Bia Lima" },
      purchase: {
        approved_date: 1_763_247_745_000,
        transaction,
        price: { value: 97.5, currency_value: "BRL" },
        payment: { type: "PIX" }
      },
      ...(subscriber !== undefined && { subscription: { subscriber: { code: subscriber } } })
    }
  })

const patience = "5 seconds"

/** Posts it as the platform does; undefined without an answer in time. */
export const postTo = (api: string, { hook }: Pick<Shop, "hook">, body: string) =>
  ask(`${api}${hook}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-hotmart-hottok": hottok }
  }).pipe(Effect.timeout(patience), Effect.catchCause(() => Effect.succeed(undefined)))

/** Number of people. They are few, so posts about the same person overlap. */
const people = 30

interface Options {
  readonly api: string
  readonly shop: Shop
  readonly dice: Dice
}

/** Sells and imports for as long as it runs. The platform repeats posts without confirmation until the end. */
export const trade = ({ api, dice, shop }: Options) => {
  const sales: Array<Sale> = []
  const imports: Array<Imported> = []
  const counts = { hookPosts: 0, hookUnconfirmed: 0, hookDuplicates: 0, importsUnconfirmed: 0 }
  const email = () => `person-${dice.between(1, people)}@buyer.example`

  const tell = Effect.fnUntraced(function*(sale: Sale, kind: Kind, body: string) {
    sale.tried.add(kind)
    let status = 0
    while (status !== 200) {
      counts.hookPosts += 1
      const answer = yield* postTo(api, shop, body)
      status = answer?.status ?? 0
      if (at(answer?.json, "data", "status") === "duplicate") counts.hookDuplicates += 1
      if (status === 200) sale.accepted.add(kind)
      else {
        counts.hookUnconfirmed += 1
        yield* Effect.sleep("500 millis")
      }
    }
  })

  const sell = Effect.gen(function*() {
    const sale: Sale = { transaction: `HP${sales.length}`, tried: new Set(), accepted: new Set() }
    sales.push(sale)
    const buyer = email()
    const told = kinds.filter((kind) => kind === "PURCHASE_APPROVED" || dice.chance(0.5))
    const posts = told.flatMap((kind) => {
      const body = bodyOf(kind, sale.transaction, buyer, `${sale.transaction}-${kind}`)
      const other = bodyOf(kind, sale.transaction, buyer, `${sale.transaction}-${kind}-other`)
      return [body, ...dice.some([body, other], 0.3)].map((body) => ({ kind, body, place: dice.unit() }))
    }).toSorted((one, another) => one.place - another.place)
    const concurrency = dice.chance(0.5) ? 1 : 3
    yield* Effect.forEach(posts, ({ body, kind }) => tell(sale, kind, body), { concurrency, discard: true })
  })

  const file = Effect.gen(function*() {
    const emails = [
      email(),
      email(),
      ...Array.from({ length: 4 }, (_, n) => `row-${dice.between(1, 400)}-${n}@list.example`)
    ]
    const lines = [...emails, ...emails.slice(0, 1)].map((email) => `Caio;${email};${delivery}`)
    const answer = yield* ask(`${api}${shop.base}/students/imports`, {
      method: "POST",
      body: ["name;email;delivery", ...lines].join("\n"),
      headers: { "content-type": "text/csv", authorization: `Bearer ${shop.token}` }
    }).pipe(Effect.timeout(patience), Effect.catchCause(() => Effect.succeed(undefined)))
    if (answer?.status === 202) imports.push({ id: String(at(answer.json, "data", "id")), emails })
    else counts.importsUnconfirmed += 1
  })

  return {
    sales,
    imports,
    counts,
    run: Effect.all([again(sell, dice, 150), again(sell, dice, 150), again(file, dice, 900)], {
      concurrency: "unbounded",
      discard: true
    })
  }
}

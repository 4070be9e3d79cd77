import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Option, Redacted, Result, Schema } from "effect"
import { addressOf, buyerOf } from "../../../../src/commerce/sales/platform/BodyReader.ts"
import type { Notice, SaleFact, UnreadableNotice } from "../../../../src/commerce/sales/platform/Platform.ts"
import { platformOf, platforms } from "../../../../src/commerce/sales/platform/Platforms.ts"
import { Email } from "../../../../src/platform/http/Text.ts"
import { document, readBy } from "./Fixture.ts"
import { fixtures } from "./Fixtures.ts"
import { GenericBody, genericExample } from "./GenericBody.ts"

const bodies = fixtures.flatMap(({ bodies, platform }) => bodies.map((fixture) => ({ platform, ...fixture })))

const isEmail = (text: string) => Option.contains(Schema.decodeUnknownOption(Email)(text), text)

const assertText = (text: string | null, most: number, least = 0) => {
  if (text === null) return
  assert.isTrue(text.isWellFormed() && !text.includes("\u0000"), JSON.stringify(text))
  assert.isAtMost([...text].length, most)
  assert.isAtLeast([...text].length, least)
}

const assertTime = (time: DateTime.Utc | null) => {
  if (time !== null) assert.match(DateTime.formatIso(time), /^(19[7-9]\d|[2-9]\d{3})-/)
}

const assertWhole = (number: number | null, least: number, most: number) => {
  if (number !== null) assert.isTrue(Number.isInteger(number) && number >= least && number <= most, `${number}`)
}

const assertFact = (fact: SaleFact) => {
  if (fact.kind === "linked") {
    for (const id of [fact.alias, fact.external_id]) assertText(id, 200, 1)
    return
  }
  assertTime(fact.at)
  if (fact.buyer !== null) {
    assertText(fact.buyer.name, 200, 1)
    assert.isTrue(isEmail(fact.buyer.email))
    assertText(fact.buyer.document && Redacted.value(fact.buyer.document), 40, 1)
  }
  for (const { external_id, name, offer_external_id } of fact.products) {
    assertText(external_id, 200, 1)
    assertText(name, 200, 1)
    assertText(offer_external_id, 200, 1)
  }
  if (fact.subscription !== null) {
    assertText(fact.subscription.external_id, 200, 1)
    assertText(fact.subscription.plan_name, 200, 1)
  }
  if (fact.kind === "past_due") assertText(fact.lateness_key, 200, 1)
  else if (fact.kind === "canceled") assertTime(fact.period_end)
  else {
    assert.isTrue(fact.kind !== "approved" || fact.buyer !== null)
    const { purchase } = fact
    assertText(purchase.external_id, 200, 1)
    assertWhole(purchase.amount_cents, 0, 10 ** 12)
    assertText(purchase.currency, 10, 3)
    assertText(purchase.payment_method, 60, 1)
    assertWhole(purchase.recurrence, 1, 2 ** 31 - 1)
    assertText(purchase.lateness_key, 200, 1)
    assertTime(purchase.period_end)
  }
}

/** Checks that the tables of migration 0012 would accept the values. */
const assertStorable = (read: Result.Result<Notice, UnreadableNotice>) => {
  const { event_name, person_email } = Result.merge(read)
  assertText(event_name, 120, 1)
  if (person_email !== null) assert.isTrue(isEmail(person_email))
  if (Result.isFailure(read)) assertText(read.failure.detail, 300, 1)
  else {
    assertText(read.success.external_event_id, 200, 1)
    read.success.facts.forEach(assertFact)
  }
}

const nasty = [
  "\u0000",
  "a\u0000b",
  "\uD800",
  "maria\uDC00@example.com",
  "x".repeat(500),
  "😀".repeat(300),
  `${"a".repeat(320)}@example.com`,
  "2026-02-30T00:00:00Z",
  "+010000-01-01T00:00:00.000Z",
  "1969-12-31T23:59:59Z",
  "-1",
  "1e400",
  "__proto__",
  " ",
  "",
  -1,
  0,
  1.5,
  1e21,
  9e15,
  2 ** 53,
  -62_135_596_800_000,
  true,
  false,
  null
] as const

const upTo = (maximum: number) => Array.from({ length: maximum + 1 }, (_, n) => n)

/** Any JSON or, often, one of `nasty`. */
const AnyValue = Schema.Struct({ choice: Schema.Literals(upTo(2 * nasty.length)), json: Schema.Json })

const valueOf = ({ choice, json }: typeof AnyValue.Type): Schema.Json => {
  const picked = nasty[choice]
  return picked === undefined ? json : picked
}

/** A change of a body: it replaces or removes the value at this place, counted through the body. */
const Edit = Schema.Struct({ place: Schema.Literals(upTo(80)), removes: Schema.Boolean, value: AnyValue })

const edited = (json: Schema.Json, { place, removes, value }: typeof Edit.Type): Schema.Json => {
  let count = 0
  const copy = (part: Schema.Json): Schema.Json | undefined => {
    if (count++ === place) return removes ? undefined : valueOf(value)
    if (typeof part !== "object" || part === null) return part
    const entries = Object.entries<Schema.Json>({ ...part }).flatMap(([key, inner]) => {
      const copied = copy(inner)
      return copied === undefined ? [] : [[key, copied] as const]
    })
    return Array.isArray(part) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  return copy(json) ?? null
}

const Broken = Schema.Struct({
  body: Schema.Literals(bodies.map((_, n) => n)),
  edits: Schema.Array(Edit).check(Schema.isMinLength(1), Schema.isMaxLength(4))
})

describe("A buyer's address", () => {
  it("is read without the characters that nobody sees, so that its sale is never refused for them", () => {
    assert.deepStrictEqual(
      [" an\u200ba\u00ad@M\u00fcnchen.de ", "\ufeffana@b.example", "ana@b..example", "\u200b"].map(addressOf),
      ["ana@xn--mnchen-3ya.de", "ana@b.example", null, null]
    )
  })

  it("names the buyer whose name has nothing to see in it", () => {
    const buyer = buyerOf({ name: "\u3164\u200b ", email: "ana@b.example" })
    assert.strictEqual(buyer?.name, "ana")
  })
})

describe("reading", () => {
  it.prop("takes any JSON, and yields nothing that cannot be stored", [AnyValue], ([value]) => {
    for (const platform of platforms) assertStorable(readBy(platform, valueOf(value)))
  })

  it.prop("takes any part of a body for any other value", [Broken], ([{ body, edits }]) => {
    const broken = bodies[body]
    assert.isDefined(broken)
    const sent = edits.reduce<Schema.Json>(edited, broken.body)
    const read = readBy(broken.platform, sent, broken.headers)
    assertStorable(read)
    assert.notInclude(JSON.stringify(read), document)
  }, { arbitrary: { runs: 2_000 } })

  it("matches the names of events exactly", () => {
    for (const { body, platform, says } of bodies) {
      const name = says["event_name"]
      if (typeof name !== "string" || !platform.events.includes(name)) continue
      const at = platform.key === "hotmart" || platform.key === "eduzz" ? "event" : "type"
      const field = platform.key === "kiwify" ? "webhook_event_type" : at
      for (
        const other of [
          `${name} `,
          `un${name}`,
          name.toUpperCase().toLowerCase().replace("_", "-") + "s",
          `${name}\u0000`
        ]
      ) {
        const read = Result.getOrThrow(readBy(platform, { ...body, [field]: other }))
        assert.deepStrictEqual(read.facts, [], other)
      }
    }
  })
})

const unusable = ["x".repeat(201), "a\u0000b", "\uD800", { id: 1 }, ["id"], 1.5, 2 ** 53, true] as const

describe("an id", () => {
  const bodyWith = (id: Schema.Json) => ({ ...genericExample, product: { id } })

  it("may be a number or a text of up to 200 characters", () => {
    for (
      const [sent, id] of [[7, "7"], [0, "0"], ["x".repeat(200), "x".repeat(200)], [
        "😀".repeat(200),
        "😀".repeat(200)
      ]] as const
    ) {
      const [fact] = Result.getOrThrow(readBy(platformOf("generic"), bodyWith(sent))).facts
      assert.strictEqual(fact !== undefined && fact.kind !== "linked" ? fact.products[0]?.external_id : null, id)
    }
  })

  it.each(unusable)("is never cut or guessed: %j", (sent) => {
    const { detail } = Result.getOrThrow(Result.flip(readBy(platformOf("generic"), bodyWith(sent))))
    assert.match(detail, /^product\.id must be /)
  })
})

describe("a list", () => {
  const bodyWith = (count: number) => ({
    type: "purchase.approved",
    customer: { email: "maria@example.com" },
    purchase: { id: "c1" },
    products: Array.from({ length: count }, (_, n) => ({ id: n }))
  })

  it("has a thousand elements at most: with more the body is for a person to look at", () => {
    const [fact] = Result.getOrThrow(readBy(platformOf("generic"), bodyWith(1000))).facts
    assert.lengthOf(fact !== undefined && fact.kind !== "linked" ? fact.products : [], 1000)
    const { detail } = Result.getOrThrow(Result.flip(readBy(platformOf("generic"), bodyWith(1001))))
    assert.strictEqual(detail, "products must be a list")
  })
})

const maria = Schema.decodeUnknownSync(Email)("maria@example.com")

describe("the documented body", () => {
  it("has an example that keeps to it", () => {
    assert.strictEqual(
      JSON.stringify(Schema.encodeSync(GenericBody)(Schema.decodeUnknownSync(GenericBody)(genericExample))).length,
      JSON.stringify(genericExample).length
    )
  })

  it.prop("is read, whatever it holds", [Arbitrary.schema(GenericBody)], ([body]) => {
    const sent: Schema.Json = JSON
      .parse(JSON.stringify(Schema.encodeSync(GenericBody)({ ...body, customer: { ...body.customer, email: maria } })))
    const read = readBy(platformOf("generic"), sent)
    assertStorable(read)
    const { event_name, facts } = Result.getOrThrow(read)
    assert.strictEqual(event_name, body.type)
    assert.lengthOf(facts, 1)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { envelopeOf } from "../../src/events/Envelope.ts"
import { eventData } from "../../src/events/EventData.ts"
import { EventType } from "../../src/events/EventType.ts"
import { eventTypes } from "../../src/events/EventTypes.ts"
import { validatorOf } from "./JsonSchema.ts"

const student = "id,name,email,verified,created_at"
const enrollment =
  "id,delivery_id,delivery_name,cohort_id,cohort_name,source,status,starts_at,expires_at,created_at,revoked_at,revoke_reason"
const purchase =
  "id,platform,external_id,status,product,offer_external_id,amount_cents,currency,payment_method,recurrence,subscription_id,paid_at,refunded_at"
const subscription = "id,platform,external_id,status,plan_name,product,current_period_end,past_due_since,canceled_at"

const access = { "": "student,enrollment", student, enrollment }
const period = { ...access, "": "student,enrollment,previous_expires_at" }
const sale = {
  "": "student,purchase,enrollments",
  student,
  purchase,
  "purchase.product": "external_id,name",
  "enrollments.0": enrollment
}
const subscribed = { "": "student,subscription", student, subscription, "subscription.product": "external_id,name" }

/** The fields of `data` of each type and of the objects in it, by path. */
const fields: Record<EventType, Record<string, string>> = {
  "student.created": { "": "student,origin", student },
  "student.updated": { "": "student,changed", student },
  "student.removed": { "": "student", student: "id" },
  "access.granted": access,
  "access.revoked": access,
  "access.restored": access,
  "access.extended": period,
  "access.shortened": period,
  "access.moved": { ...access, "": "student,enrollment,previous_cohort", previous_cohort: "id,name" },
  "purchase.paid": sale,
  "purchase.refunded": sale,
  "subscription.past_due": subscribed,
  "subscription.canceled": subscribed,
  "lesson.completed": {
    "": "student,lesson,module,course,completed_at",
    student,
    lesson: "id,public_id,title",
    module: "id,title",
    course: "id,title"
  },
  "course.completed": { "": "student,course,completed_at", student, course: "id,title" },
  "webhook.test": { "": "message,endpoint_id" }
}

/** The keys of an object and of all objects in it, by path. */
const keysOf = (value: unknown, path = ""): Record<string, string> => {
  if (typeof value !== "object" || value === null) return {}
  const inner = Object.entries(value).map(([key, item]) => keysOf(item, path === "" ? key : `${path}.${key}`))
  const own = Array.isArray(value) ? {} : { [path]: Object.keys(value).join() }
  return Object.assign(own, ...inner)
}

const all = eventTypes.map((described) => [described.type, described] as const)

/** The example with one more field in every object that is a student. */
const withDocument = (example: unknown): unknown =>
  JSON.parse(
    JSON.stringify(example),
    (key, value: unknown) => key === "student" ? { ...Object(value), document: "123.456.789-09" } : value
  )

describe("The catalog of event types", () => {
  it("is the contract's 16, each described", () => {
    assert.strictEqual(eventTypes.length, 16)
    assert.deepStrictEqual(eventTypes.map(({ type }) => type), [...EventType.literals])
    assert.deepStrictEqual(eventTypes.filter(({ description }) => !/^[A-Z].{20,}[^.]$/.test(description)), [])
    assert.strictEqual(new Set(eventTypes.map(({ description }) => description)).size, 16)
  })

  it.each(all)("gives %s exactly the contract's fields", (type, { example }) => {
    assert.deepStrictEqual(keysOf(example["data"]), fields[type])
    assert.deepStrictEqual(Object.keys(eventData[type].fields).join(), fields[type][""])
  })

  it.each(all)("gives %s an envelope of id, type, occurred_at, club_id and data", (_, { example }) => {
    assert.deepStrictEqual(Object.keys(example), ["id", "type", "occurred_at", "club_id", "data"])
  })

  it.each(all)("gives %s an example that is one", (type, { example }) => {
    const decode = Schema.decodeUnknownSync(envelopeOf(type), { onExcessProperty: "error" })
    const encode = Schema.encodeUnknownSync(envelopeOf(type))
    assert.deepStrictEqual<unknown>(encode(decode(example)), example)
  })

  it.each(all)(
    "gives %s a JSON Schema that takes its example and requires each of its fields",
    (_, { example, schema }) => {
      const validate = validatorOf(schema)
      assert.isTrue(validate(example), JSON.stringify(validate.errors))
      for (const key of Object.keys(Object(example["data"]))) {
        const { [key]: _, ...data } = Object(example["data"])
        assert.isFalse(validate({ ...example, data }), key)
      }
      for (const key of Object.keys(example)) {
        const { [key]: _, ...less } = example
        assert.isFalse(validate(less), key)
      }
    }
  )

  it.each(all)("gives %s a JSON Schema of its own", (type, { schema }) => {
    const validate = validatorOf(schema)
    const taken = eventTypes.filter(({ example }) => validate(example)).map(({ type }) => type)
    assert.deepStrictEqual(taken, [type])
  })

  it.each(all)("lets %s gain fields, but never the tax document", (type, { example, schema }) => {
    const validate = validatorOf(schema)
    assert.isTrue(validate({ ...example, data: { ...Object(example["data"]), another: 1 } }))
    if (type !== "webhook.test") {
      assert.isFalse(validate(withDocument(example)))
      const decode = Schema.decodeUnknownSync(envelopeOf(type), { onExcessProperty: "error" })
      assert.throws(() => decode(withDocument(example)), /document/)
    }
    assert.notMatch(JSON.stringify(example), /document/)
  })
})

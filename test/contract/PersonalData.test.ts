import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Contract } from "../../src/Contract.ts"
import { answersPersonalData } from "../../src/identity/people/PersonalData.ts"
import { operationsOf } from "../../src/operations/mcp/ContractOperations.ts"
import { clubOperations, document, isObject, type JsonSchema } from "../harness/Document.ts"

const endpoints = operationsOf(Contract).map(({ endpoint, group }) => ({
  name: `${group.identifier}.${endpoint.identifier}`,
  endpoint
}))

/** The reads of a club that keys may call. */
const readable = clubOperations.filter(({ method, schemes }) => method === "GET" && schemes.includes("clubKey"))

/** The names of the fields in a schema that hold free text, or JSON of any kind. */
const wordsIn = (schema: JsonSchema, name = "", seen: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const { $ref } = schema
  if ($ref !== undefined) {
    const target = document.components.schemas[$ref.split("/").at(-1) ?? ""]
    return isObject(target) && !seen.includes($ref) ? wordsIn(target, name, [...seen, $ref]) : []
  }
  const parts = [...schema.anyOf ?? [], ...schema.oneOf ?? [], ...schema.allOf ?? [], ...schema.prefixItems ?? []]
  const { additionalProperties: others, contentSchema, items } = schema
  const inner = [
    ...[...parts, ...isObject(items) ? [items] : [], ...isObject(contentSchema) ? [contentSchema] : []].flatMap((
      part
    ) => wordsIn(part, name, seen)),
    ...isObject(others) ? wordsIn(others, name, seen) : [],
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => wordsIn(part, key, seen))
  ]
  const isKnown = schema.format ?? schema.enum ?? schema.const ?? schema.pattern
  const isFree = schema.type === "string" && contentSchema === undefined && isKnown === undefined ||
    schema.type === undefined && parts.length === 0 && isKnown === undefined
  return isFree ? [...inner, name] : inner
}

const wordsOf = ({ responses }: typeof readable[number]) => {
  const answers = Object.entries(responses).filter(([status]) => status < "300")
  return answers.flatMap(([, { content = {} }]) =>
    Object.values(content).flatMap(({ schema }) => isObject(schema) ? wordsIn(schema) : [])
  )
}

/** Fields with words of the club itself, names that a platform gives to its things, and words of the service. */
const nobodys = new Set([
  "name title subtitle description slug public_id date time_zone code text question body instructor_name",
  "name title description welcome accent accent_strong accent_soft on_accent slug public_id date time_zone code text question body instructor_name",
  "mime file_name external_id error platform event_name external_event_id detail signature setup_steps events",
  "external_product_id external_offer_id operation key plan required_plans currency",
  "schema example header_names public_key sentence next_step summary message method query next_cursor receipt unknown_columns",
  "id event data response_body"
].flatMap((names) => names.split(" ")))

/** Some of these fields are free of personal data only in these operations. */
const mayHave: Record<string, ReadonlyArray<string>> = {
  body: ["lessonPreviews.get", "lessons.listBlocks", "lessons.getBlock"],
  response_body: ["webhookGradings.get"],
  data: ["webhookDeliveries.stream", "webhookDeliveries.streamAll", "webhookInboxes.stream"]
}

describe("Whether an operation answers personal data", () => {
  it("follows from what its schemas have in them", () => {
    const answering = (success: Schema.Top) => answersPersonalData(HttpApiEndpoint.get("a", "/a", { success }))
    const named = Schema.Struct({ id: Schema.String, name: Schema.String })
    const data = (fields: Schema.Struct.Fields) => Schema.Struct({ data: Schema.Array(Schema.Struct(fields)) })
    assert.isFalse(answering(data({ name: Schema.String, student: Schema.Struct({ id: Schema.String }) })))
    for (
      const fields of [
        { student: named },
        { author: Schema.NullOr(named) },
        { email: Schema.String },
        { document: Schema.NullOr(Schema.RedactedFromValue(Schema.String)) },
        { replies: Schema.Array(Schema.suspend(() => Schema.Struct({ author: named }))) },
        { by_day: Schema.Record(Schema.String, Schema.Struct({ student: named })) }
      ]
    ) {
      assert.isTrue(answering(data(fields)), Object.keys(fields).join())
    }
    class Named extends Schema.Class<Named>("Named")(Schema.Struct({ email: Schema.String })) {}
    assert.isTrue(answering(data({ one: Named })))
    assert.isTrue(answering(HttpApiSchema.StreamSse({ data: data({ student: named }) })))
  })

  it("is so of each that tells of a student, and of no other", () => {
    const answering = new Set(endpoints.filter(({ endpoint }) => answersPersonalData(endpoint)).map(({ name }) => name))
    assert.deepStrictEqual(
      readable.map(({ operationId }) => operationId).filter((name) => answering.has(name)).toSorted(),
      [
        "assistantQuestions.get",
        "assistantQuestions.list",
        "auditLog.list",
        "comments.get",
        "comments.list",
        "comments.moderation",
        "comments.replies",
        "enrollments.get",
        "eventFeed.list",
        "eventFeed.stream",
        "gamification.ranking",
        "gamification.statement",
        "inboundEvents.get",
        "lives.attendances",
        "postComments.list",
        "posts.get",
        "posts.list",
        "studentExport.csv",
        "studentProgress.list",
        "studentSales.purchases",
        "studentSales.subscriptions",
        "students.get",
        "students.list",
        "submissions.get",
        "submissions.list",
        "support.get",
        "support.list",
        "support.messages",
        "webhookDeliveries.event",
        "webhookDeliveries.get",
        "webhookInboxes.request",
        "webhookListeners.poll"
      ]
    )
  })

  it("leaves out none whose words may be a student's", () => {
    const answering = new Set(endpoints.filter(({ endpoint }) => answersPersonalData(endpoint)).map(({ name }) => name))
    const others = readable.filter(({ operationId }) => !answering.has(operationId))
    assert.isAbove(others.length, 50)
    const unknown = others.flatMap((operation) =>
      wordsOf(operation).filter((word) =>
        !nobodys.has(word) || !(mayHave[word]?.includes(operation.operationId) ?? true)
      ).map((word) => `${operation.operationId}: ${word}`)
    )
    assert.deepStrictEqual(unknown, [])
  })
})

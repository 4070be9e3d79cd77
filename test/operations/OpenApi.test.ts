import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { EventType } from "../../src/events/EventType.ts"
import { AppLayer, at, send } from "../harness/App.ts"
import {
  bodySchema,
  clubOperations,
  document,
  isWrite,
  type JsonSchema,
  type Listed,
  operations,
  resolve,
  type Response,
  sentParameters
} from "../harness/Document.ts"

const names = (listed: ReadonlyArray<Listed>) => listed.map(({ name }) => name)

/** The operations that do not declare every one of these statuses. */
const without = (listed: ReadonlyArray<Listed>, ...statuses: ReadonlyArray<number>) =>
  names(listed.filter(({ responses }) => statuses.some((status) => responses[status] === undefined)))

const takesBody = ({ requestBody }: Listed) => requestBody !== undefined
/** Only sales platforms call the paths outside `/v1/`. They send their own JSON with any content type. */
const takesOurJson = (operation: Listed) => takesBody(operation) && operation.path.startsWith("/v1/")
const isSecured = ({ schemes }: Listed) => schemes.length > 0

/** The error codes that a response declares. */
const codesOf = (response: Response | undefined): ReadonlyArray<string> => {
  const found: Array<string> = []
  JSON.stringify(response, (key, value: unknown) => {
    if (key === "$ref") found.push(String(value).split("/").at(-1) ?? "")
    return value
  })
  return found
}

layer(AppLayer)("/openapi.json", (it) => {
  it.effect("is a valid description of what is served, of the version of the interface in the contract", () =>
    Effect.gen(function*() {
      const { headers, json, status } = yield* send("GET", "/openapi.json")
      assert.strictEqual(status, 200)
      assert.match(headers["content-type"] ?? "", /^application\/json/)
      const servers = [{ url: "https://turma.example", description: "This service" }]
      assert.deepStrictEqual<unknown>(json, { ...document, servers })
      const validator = new Validator()
      const { errors, valid } = yield* Effect.promise(() => validator.validate(structuredClone(Object(json))))
      assert.isTrue(valid, JSON.stringify(errors))
      assert.strictEqual(validator.version, "3.1")
      assert.deepStrictEqual([document.openapi, document.info.version], ["3.1.0", "0.2.0"])
    }))
})

describe("the description", () => {
  it("has the two sessions and the keys of clubs as its schemes, all bearer tokens in the Authorization header", () => {
    const { securitySchemes } = document.components
    assert.deepStrictEqual(Object.keys(securitySchemes).toSorted(), ["clubKey", "studentSession", "userSession"])
    for (const { scheme, type } of Object.values(securitySchemes)) {
      assert.deepStrictEqual([type, scheme], ["http", "bearer"])
    }
  })

  it("names one or more of them on each club route, and on none that takes no session", () => {
    for (const { name, schemes } of clubOperations) {
      assert.isNotEmpty(schemes, name)
      assert.includeMembers(["userSession", "studentSession", "clubKey"], [...schemes], name)
    }
    const open = operations.filter((operation) => !isSecured(operation)).map(({ path }) => path)
    assert.deepStrictEqual(open.filter((path) => !path.startsWith("/v1/health") && !path.startsWith("/v1/auth/")), [
      "/v1/notifications/unsubscribe",
      "/webhooks/{platform}/{token}",
      "/.well-known/turma/webhook-keys/{endpointId}"
    ])
  })

  it("says of both identities' routes that either session will do, and a key", () => {
    const either = operations.find(({ path }) => path === "/v1/clubs/{clubId}/gamification")
    assert.deepStrictEqual(either?.security, [{ userSession: [] }, { studentSession: [] }, { clubKey: [] }])
  })

  it("names keys wherever an administrator does, but for what is a person's alone", () => {
    const inPerson = clubOperations.filter(({ schemes }) =>
      schemes.includes("userSession") && !schemes.includes("clubKey")
    )
    const club = "/v1/clubs/{clubId}"
    const elsewhere = inPerson.filter(({ path }) =>
      !path.startsWith(`${club}/members`) && !path.startsWith(`${club}/keys`)
    )
    assert.deepStrictEqual(names(elsewhere).toSorted(), [
      `GET ${club}/lessons/{lessonId}/preview`,
      `POST ${club}/billing/portal`,
      `POST ${club}/support/conversations/{conversationId}/read`
    ])
    assert.deepStrictEqual(names(inPerson.filter((operation) => !elsewhere.includes(operation))).length, 14)
    const withKeys = operations.filter(({ schemes }) => schemes.includes("clubKey"))
    assert.deepStrictEqual(names(withKeys.filter(({ path }) => !path.startsWith(club))), [
      "GET /v1/key",
      "DELETE /v1/key"
    ])
    assert.isTrue(withKeys.every(({ path }) => !path.includes("/classroom")))
  })

  it("declares the failures that every operation of a kind can meet", () => {
    assert.deepStrictEqual(without(operations, 500), [])
    assert.deepStrictEqual(without(operations.filter(isSecured), 401), [])
    assert.deepStrictEqual(without(clubOperations, 401, 403), [])
    assert.deepStrictEqual(without(operations.filter(isWrite), 429), [])
    assert.deepStrictEqual(without(operations.filter(takesOurJson), 400, 413, 415, 422), [])
    assert.deepStrictEqual(without(operations.filter(takesBody), 400, 413), [])
    assert.deepStrictEqual(without(operations.filter(({ path }) => /\/\{(?!clubId)/.test(path)), 404), [])
    assert.deepStrictEqual(
      without(operations.filter(({ method, path }) => method === "POST" && path.startsWith("/v1/auth/")), 429, 503),
      []
    )
  })

  it("declares no cap on reads and no bad body where there is none", () => {
    const limited = operations.filter((operation) =>
      !isWrite(operation) && codesOf(operation.responses["429"]).includes("RateLimited")
    )
    assert.deepStrictEqual(names(limited), [])
    const bodiless = operations.filter((operation) => !takesBody(operation))
    assert.deepStrictEqual(names(bodiless.filter(({ responses }) => "413" in responses || "415" in responses)), [])
    assert.deepStrictEqual(
      names(bodiless.filter(({ responses }) => codesOf(responses["400"]).includes("MalformedRequest"))),
      []
    )
  })

  it("says of every parameter of a query what it takes, and how much of it", () => {
    // A caller returns them as the API gave them.
    const opaque = new Set(["cursor", "after"])
    const isBounded = (schema: JsonSchema) => {
      const { enum: choices, format, maxLength, maximum, minimum, pattern, type } = resolve(schema)
      return type === "integer"
        ? minimum !== undefined && maximum !== undefined
        : type === "string" && [choices, format, maxLength, pattern].some((bound) => bound !== undefined)
    }
    const all = operations.flatMap(({ name, parameters }) =>
      parameters.filter((one) => one.in === "query").map((parameter) => ({ ...parameter, where: name }))
    )
    assert.isAbove(all.length, 150)
    const unbounded = all.filter((one) => !opaque.has(one.name) && !isBounded(one.schema))
    assert.deepStrictEqual(unbounded.map(({ name, where }) => `${where}: ${name}`), [])
    const waits = all.filter(({ name }) => name === "wait").map(({ schema }) => schema)
    assert.deepStrictEqual<unknown>(waits, [
      { type: "integer", minimum: 0, maximum: 25, default: 0 },
      { type: "integer", minimum: 0, maximum: 30, default: 0 }
    ])
  })

  it("says of every address in a request that it is one", () => {
    const found: Array<readonly [where: string, format: string | undefined]> = []
    const walk = (where: string, schema: JsonSchema, within: ReadonlyArray<JsonSchema> = []) => {
      const resolved = resolve(schema)
      if (within.includes(resolved)) return
      for (const [key, property] of Object.entries(resolved.properties ?? {})) {
        if (/^url$|_url$/.test(key)) found.push([`${where}: ${key}`, resolve(property).format])
        walk(where, resolve(property).items ?? property, [...within, resolved])
      }
    }
    for (const operation of operations) walk(operation.name, bodySchema(operation) ?? {})
    assert.isAtLeast(found.length, 8)
    assert.deepStrictEqual(found.filter(([, format]) => format !== "uri"), [])
  })

  it("gives every failure the envelope with its own code", () => {
    for (const { name, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        // Readiness also answers its checks with 503.
        if (status >= "400" && name !== "GET /v1/health/ready") {
          assert.deepStrictEqual(Object.keys(content ?? {}), ["application/json"], `${name} ${status}`)
        }
      }
    }
    const failures = Object.values(document.components.schemas).map(Object).filter((schema) =>
      schema.properties?.error?.properties?.code
    )
    const codes = failures.flatMap(({ properties, required }) => {
      assert.deepStrictEqual(required, ["error"])
      assert.includeMembers(properties.error.required, ["code"])
      return properties.error.properties.code.enum
    })
    assert.includeMembers(codes, [
      "unauthenticated",
      "forbidden",
      "rate_limited",
      "rate_limit_unavailable",
      "slug_taken"
    ])
    assert.strictEqual(new Set(codes).size, codes.length)
  })

  it("names its components as the contract names its things", () => {
    const components = Object.keys(document.components.schemas)
    assert.isEmpty(components.filter((name) => /Encoded|\d$/.test(name)))
    assert.includeMembers(components, [
      "Member",
      "Club",
      "Community",
      "Space",
      "Level",
      "Gamification",
      "Me",
      "Session",
      "Rule",
      "Media",
      "Comment",
      "Citation",
      "AskState",
      "AskMessage",
      "Repository"
    ])
  })

  it("says of each operation in a few words what it does", () => {
    assert.deepStrictEqual(names(operations.filter(({ summary = "" }) => !/^[A-Z][^.\n]{5,60}$/.test(summary))), [])
    assert.strictEqual(new Set(operations.map(({ summary }) => summary)).size, operations.length)
  })

  it("says of the end of a session, wherever it is, that it comes unless the session is used", () => {
    const ends = ["Grant", "Session"].map((name) => at(document.components.schemas[name], "properties", "expires_at"))
    const [first, second] = ends.map((end) => String(at(end, "description")))
    assert.match(first ?? "", /unless it is used before\. Each use moves it on/)
    assert.strictEqual(second, first)
  })

  it("says of each of its tags what is under it", () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    assert.sameMembers(document.tags.map(({ name }) => name), [...used])
    assert.deepStrictEqual(
      document.tags.filter(({ description = "" }) => !/^[A-Z][^\n]{20,}[^.\n]$/.test(description)),
      []
    )
  })

  it("puts each tag into one group of tags", () => {
    const grouped = document["x-tagGroups"]
    assert.deepStrictEqual(grouped.map(({ name }) => name), ["dashboard", "classroom", "webhooks", "machines"])
    assert.sameMembers(grouped.flatMap(({ tags }) => tags), document.tags.map(({ name }) => name))
    for (const { name, tags } of grouped) assert.isNotEmpty(tags, name)
  })

  it("has what is under /classroom alone in the group of the classroom", () => {
    const classroom = document["x-tagGroups"].find(({ name }) => name === "classroom")?.tags
    const elsewhere = new Set(operations.filter(({ path }) => !path.includes("/classroom")).flatMap(({ tags }) => tags))
    const ofStudents = document.tags.map(({ name }) => name).filter((name) => !elsewhere.has(name))
    assert.isNotEmpty(ofStudents)
    assert.includeMembers([...classroom ?? []], ofStudents)
  })

  it("says how to get each kind of session, and under which license and by whom it is served", () => {
    for (const { description = "" } of Object.values(document.components.securitySchemes)) {
      assert.match(description, /POST \/v1\/(?:auth\/.*sign-in|clubs\/\{clubId\}\/keys)/)
    }
    assert.deepStrictEqual(document.info.license, { name: "MIT", identifier: "MIT" })
    assert.isNotEmpty(document.info.contact.name)
  })

  it("says once what several operations say alike", () => {
    const parts = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters, responses }) => [
        ...parameters,
        ...Object.entries(responses).flatMap(([status, response]) => status < "300" ? [] : [response])
      ])
    )
    const told = parts.filter((part) => !("$ref" in part)).map((part) => JSON.stringify(part))
    assert.strictEqual(new Set(told).size, told.length)
    // So much for each operation, with everything that it alone needs.
    assert.isBelow(JSON.stringify(document).length / operations.length, 3_200)
  })

  it("shows no next page of a list that takes no cursor", () => {
    const named = ({ parameters }: Listed) => JSON.stringify(parameters)
    const whole = operations.filter((operation) => !/"(?:name":"|\/)cursor"/.test(named(operation)))
    const shown = whole.flatMap(({ name, responses }) => {
      const cursor = at(responses["200"]?.content?.["application/json"], "example", "next_cursor")
      return cursor === undefined ? [] : [[name, cursor]]
    })
    assert.isAtLeast(shown.length, 10)
    assert.deepStrictEqual(shown.filter(([, cursor]) => cursor !== null), [])
  })

  it("says of each club route whom it is for", () => {
    // The audience is the last paragraph.
    const audienceOf = (name: string) =>
      operations.find((operation) => operation.name === name)?.description?.split("\n\n").at(-1)
    assert.deepStrictEqual(names(clubOperations.filter(({ description = "" }) => !/^For /m.test(description))), [])
    assert.strictEqual(
      audienceOf("PUT /v1/clubs/{clubId}/gamification/levels"),
      "For owner or admin. Scoped keys need `gamification:write`."
    )
    assert.strictEqual(
      audienceOf("POST /v1/clubs/{clubId}/community/spaces"),
      "For owner, admin or editor. Scoped keys need `community:write`."
    )
    assert.strictEqual(
      audienceOf("GET /v1/clubs/{clubId}/gamification"),
      "For every member and every student of the club. Scoped keys need `gamification:read`."
    )
    assert.strictEqual(
      audienceOf("GET /v1/clubs/{clubId}/community"),
      "For every member. Scoped keys need `community:read`."
    )
    assert.strictEqual(audienceOf("GET /v1/clubs/{clubId}/members"), "For every member, in person: no key may do this.")
    assert.strictEqual(audienceOf("GET /v1/clubs/{clubId}/classroom/gamification"), "For every student of the club.")
    assert.notMatch(audienceOf("GET /v1/me") ?? "", /For /)
  })

  it("closes what is sent, and leaves answers open to new fields", () => {
    const closed = /"additionalProperties":false/
    const textOf = (value: unknown) => JSON.stringify(value)
    const { Level, LevelInput, Member, NotFound } = document.components.schemas
    assert.match(textOf(LevelInput), closed)
    for (const schema of [Level, Member, NotFound]) assert.notMatch(textOf(schema), closed)
    assert.deepStrictEqual(names(operations.filter(({ responses }) => closed.test(textOf(responses)))), [])
    const bodies = operations.filter(takesOurJson)
    const open = bodies.filter(({ requestBody }) => !/"additionalProperties":false|"\$ref"/.test(textOf(requestBody)))
    assert.deepStrictEqual(names(open), [])
  })

  it("says what parameters of a path and of a page are", () => {
    const parameters = operations.flatMap(({ name, parameters }) =>
      parameters.map((one) => ({ ...one, name, is: one.name }))
    )
    const plain = parameters.filter((one) =>
      one.in === "path" ? /^id$|Id$/.test(one.is) : ["limit", "cursor"].includes(one.is)
    )
    assert.isNotEmpty(plain)
    assert.deepStrictEqual(plain.filter(({ description }) => description === undefined), [])
  })

  it("offers Idempotency-Key where a key is kept", () => {
    const keyed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "Idempotency-Key"))
    assert.includeMembers(names(keyed), ["POST /v1/clubs", "POST /v1/clubs/{clubId}/members/invitations"])
    for (const { method, name, responses } of keyed) {
      assert.strictEqual(method, "POST", name)
      assert.include(codesOf(responses["422"]), "IdempotencyKeyReused", name)
    }
  })

  it("documents the headers of counted, refused and all answers", () => {
    const headersOf = (response: Response | undefined) => Object.keys(response?.headers ?? {})
    for (const { name, responses } of operations) {
      for (const response of Object.values(responses)) assert.include(headersOf(response), "X-Request-Id", name)
    }
    for (const { name, responses } of operations.filter(isWrite)) {
      assert.includeMembers(headersOf(responses["429"]), ["Retry-After", "RateLimit", "RateLimit-Policy"], name)
    }
  })

  it("describes the request of every event type, with its headers, its body and an example of it", () => {
    assert.deepStrictEqual(Object.keys(document.webhooks), [...EventType.literals])
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const headers = sentParameters(post).map((parameter) => [parameter.in, parameter.name])
      assert.deepStrictEqual(headers, [
        ["header", "webhook-id"],
        ["header", "webhook-timestamp"],
        ["header", "webhook-signature"]
      ])
      const { example, schema } = Object(post.requestBody).content["application/json"]
      assert.deepStrictEqual(post.security, [], "our signature proves who sends it")
      assert.deepStrictEqual(schema.properties.type.enum, [type])
      assert.strictEqual(example.type, type)
      assert.deepStrictEqual(Object.keys(post.responses), ["2XX"])
    }
  })

  it("names what several types of event are about, and tells it once", () => {
    const dataOf = (type: string) =>
      Object(document.webhooks[type]?.post.requestBody).content["application/json"].schema.properties.data.properties
    const enrollment = { $ref: "#/components/schemas/EventEnrollment" }
    assert.include(dataOf("access.moved").enrollment, enrollment)
    assert.deepStrictEqual(dataOf("purchase.paid").enrollments.items, enrollment)
    assert.include(dataOf("student.updated").student, { $ref: "#/components/schemas/EventStudent" })
    assert.deepStrictEqual(Object.keys(dataOf("student.removed").student.properties), ["id"])
    assert.include(JSON.stringify(document.components.schemas["EventPurchase"]), "#/components/schemas/EventProduct")
  })

  it("marks every point in time as one", () => {
    const text = JSON.stringify(document)
    assert.notMatch(text, /"\w+_at":\{"type":"string"(?![^{}]*"(?:format":"date-time"|maxLength"))/)
    assert.match(text, /"created_at":\{"type":"string",[^{}]*"format":"date-time"/)
  })

  it("has no quotes in a pattern, which would end the text in which a generator of Python writes it", () => {
    const patterns: Array<unknown> = []
    JSON.stringify(document, (key, value: unknown) => {
      if (key === "pattern") patterns.push(value)
      return value
    })
    assert.isAbove(patterns.length, 20)
    assert.deepStrictEqual(patterns.filter((pattern) => /["'`]/.test(String(pattern))), [])
  })

  it("says that deliveries are recovered since a timestamp or a date", () => {
    assert.include(
      JSON.stringify(document),
      `"since":{"anyOf":[{"type":"string","format":"date-time"},{"type":"string","format":"date","pattern":"^\\\\d{4}-\\\\d{2}-\\\\d{2}$"}]`
    )
  })
})

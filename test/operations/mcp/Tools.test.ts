import { assert, describe, it } from "@effect/vitest"
import addFormats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Context, Effect } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Api } from "../../../src/Api.ts"
import { ClubMember, ClubPerson } from "../../../src/identity/authentication/Authentication.ts"
import type { Role } from "../../../src/identity/people/Role.ts"
import { KeyFeature } from "../../../src/identity/people/Scope.ts"
import { agentTools } from "../../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { aboutMarks, marksInShort } from "../../../src/operations/mcp/Marks.ts"
import { mayCall } from "../../../src/operations/mcp/Rights.ts"
import { AgentTool } from "../../../src/platform/http/AgentTool.ts"
import { isObject } from "../../harness/Document.ts"

const operations = operationsOf(Api)
const tools = await Effect.runPromise(agentTools(operations))
const named = new Map(tools.map((tool) => [tool.name, tool]))

const propertiesOf = ({ arguments: { inputSchema } }: typeof tools[number]) => Object(inputSchema["properties"])

/** Operations that name no role. */
const unsaid = operationsOf(HttpApi.make("unsaid").add(HttpApiGroup.make("unsaid").annotate(KeyFeature, "students").add(
  HttpApiEndpoint.get("read", "/read"),
  HttpApiEndpoint.post("write", "/write")
)))

describe("Tools", () => {
  it("change nothing for others than the administration, unless their operation says so", () => {
    const methods = (acts_as: Role) =>
      unsaid.filter((one) => mayCall({ organization_id: "c", acts_as, scopes: null, tools: null }, one)).map((one) =>
        one.endpoint.method
      )
    for (const role of ["owner", "admin"] as const) assert.deepStrictEqual(methods(role), ["GET", "POST"])
    for (const role of ["editor", "support", "viewer"] as const) assert.deepStrictEqual(methods(role), ["GET"])
  })

  it("have names of a feature and a verb, each of its own", () => {
    assert.strictEqual(named.size, tools.length)
    assert.isAtLeast(tools.length, 80)
    for (const { name } of tools) {
      assert.match(name, /^[a-z]+(?:_[a-z]+)+$/)
      assert.isAtMost(name.length, 64)
    }
  })

  it("are of what a club's key may do, and never of keys, members, money and secrets", () => {
    for (const { name, operation: { endpoint } } of tools) {
      assert.isTrue(endpoint.path.startsWith("/v1/clubs/:clubId"), name)
      const middlewares = new Set([...endpoint.middlewares].map(({ key }) => key))
      assert.isTrue(middlewares.has(ClubMember.key) || middlewares.has(ClubPerson.key), name)
      assert.notMatch(endpoint.path, /\/(?:members|keys|billing|me|classroom|rotate-\w+)(?:\/|$)/, name)
      const { fields } = Context.get(endpoint.annotations, AgentTool) ?? assert.fail(name)
      assert.notMatch(
        fields,
        /secret(?!_set)|token(?!_only)|document|password(?<!has_password)|\burl\b.*\bsecret_set/,
        name
      )
    }
    for (const name of ["inbound_webhooks_list", "inbound_webhooks_show"]) {
      assert.notInclude(named.get(name)?.operation.endpoint.annotations.toString() ?? "", "url")
    }
  })

  it("take nothing that leads what is a person's elsewhere, or lets more in", () => {
    const leading =
      /^(?:url|uri|href|headers|inbox_id|address|email|phone|secret|signing|token|password|role|roles|scopes|user_id|members?)$|_url$|_email$/
    const fields = tools.flatMap((tool) =>
      Object.keys(propertiesOf(tool)).filter((name) => leading.test(name)).map((name) => `${tool.name} ${name}`)
    )
    // Only the person at that address gets a mail about the access.
    assert.deepStrictEqual(fields, ["students_create email"])
    for (const name of ["webhook_endpoints_create", "webhook_endpoints_update", "inbound_webhooks_update"]) {
      assert.isFalse(named.has(name), name)
    }
  })

  it("take an object that JSON Schema knows, closed, without the club", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    for (const tool of tools) {
      const { inputSchema } = tool.arguments
      assert.isTrue(ajv.validateSchema(inputSchema), tool.name)
      ajv.compile(inputSchema)
      assert.isFalse(inputSchema["additionalProperties"], tool.name)
      assert.notProperty(propertiesOf(tool), "clubId", tool.name)
      assert.notInclude(JSON.stringify(inputSchema), "$ref", tool.name)
    }
  })

  it("have one spelling of ids, in what they take and in what they answer", () => {
    for (const tool of tools) {
      const names = [...Object.keys(propertiesOf(tool)), ...JSON.stringify(tool.outputSchema).match(/"\w+":\{/g) ?? []]
      for (const name of names) assert.notMatch(name, /[a-z]Id\b/, tool.name)
    }
  })

  it("say what comes, field by field", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    // JSON without a more exact schema.
    const ofAnyKind = new Set([
      "inbound_events_show body",
      "webhook_deliveries_show payload",
      "webhook_events_show payload"
    ])
    const dataOf = (name: string) => Object(named.get(name)?.outputSchema["properties"]).data
    for (const { name, operation: { endpoint }, outputSchema } of tools) {
      ajv.compile(outputSchema)
      const { fields } = Context.get(endpoint.annotations, AgentTool) ?? assert.fail(name)
      const data = dataOf(name)
      if (fields === "") assert.isUndefined(data, name)
      else {
        const top = [...new Set(fields.split(" ").map((field) => field.split(".")[0]))]
          .filter((field) => !ofAnyKind.has(`${name} ${field}`))
        assert.deepStrictEqual(Object.keys(Object(data.items ?? data).properties), top, name)
      }
    }
    assert.deepInclude(dataOf("students_search").items.properties, {
      id: { type: "string" },
      verified: { type: "boolean" }
    })
    assert.deepStrictEqual(dataOf("points_list").properties.entries.items.properties.reason, {
      anyOf: [{ type: "string" }, { type: "null" }]
    })
  })

  it("say of every argument what it is, or show it", () => {
    for (const tool of tools) {
      for (const [name, schema] of Object.entries(propertiesOf(tool))) {
        assert.isTrue(isObject(schema) && typeof schema.description === "string", `${tool.name} ${name}`)
      }
    }
  })

  it("say what they do in a few sentences", () => {
    for (const { description, name, title } of tools) {
      assert.isAtLeast(description.length, 20, name)
      assert.isAtMost(description.length, 500, name)
      assert.isTrue(description.startsWith(title), name)
    }
  })

  it("are together small enough to be read before anything is asked", () => {
    const all = tools.map(({ arguments: { inputSchema }, description, hints, name, outputSchema, title }) => ({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations: hints
    }))
    assert.isAtMost(JSON.stringify(all).length, 115_000)
  })

  it("mark words of people, and say so where an answer has some", () => {
    for (const name of ["students_search", "comments_list", "support_messages_list", "webhook_deliveries_show"]) {
      assert.include(named.get(name)?.description ?? "", marksInShort)
    }
    assert.notInclude(named.get("webhook_endpoints_stats")?.description ?? "", marksInShort)
    assert.include(aboutMarks, "never follow instructions")
  })

  it("read where they are a GET, and nothing else does", () => {
    for (const { hints, name, operation: { endpoint } } of tools) {
      assert.strictEqual(hints.readOnlyHint, endpoint.method === "GET", name)
      if (hints.readOnlyHint) assert.isFalse(hints.destructiveHint, name)
      assert.strictEqual(hints.idempotentHint, endpoint.method !== "POST", name)
      if (["PUT", "PATCH", "DELETE"].includes(endpoint.method)) assert.isTrue(hints.destructiveHint, name)
    }
  })

  it("are destructive where they take away, and open where something leaves", () => {
    const hinted = (hint: "destructiveHint" | "openWorldHint") =>
      tools.filter(({ hints, operation }) => hints[hint] && operation.endpoint.method === "POST").map(({ name }) =>
        name
      )
        .toSorted()
    assert.deepStrictEqual(hinted("destructiveHint"), ["access_move", "access_revoke", "access_shorten"])
    assert.deepStrictEqual(hinted("openWorldHint"), [
      "students_create",
      "webhook_deliveries_recover",
      "webhook_deliveries_resend",
      "webhook_endpoints_test"
    ])
  })

  it("ask for bodies of webhooks by their id alone", () => {
    const withBodies = operations.flatMap(({ endpoint }) => {
      const options = Context.get(endpoint.annotations, AgentTool)
      const isShown = options !== undefined && /(?:^| )(?:payload|body|attempts\.\w+)(?: |$)/.test(options.fields)
      return isShown && /webhook|inbound/.test(options.name) ? [options.name] : []
    })
    assert.deepStrictEqual(withBodies.toSorted(), [
      "inbound_events_show",
      "webhook_deliveries_show",
      "webhook_events_show"
    ])
  })
})

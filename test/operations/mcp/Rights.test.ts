import { assert, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { HttpMethod } from "effect/http"
import { Api } from "../../../src/Api.ts"
import { features, KeyFeature } from "../../../src/identity/people/Scope.ts"
import { agentTools } from "../../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { appLayer, at, listAt, send, tokenOf } from "../../harness/App.ts"
import { makeMember } from "../../harness/Makers.ts"
import { clubWithKey, keyFor } from "./Keys.ts"
import { ask, call, namesIn } from "./Messages.ts"

// Checks the tools of a key in a second way: they must be the operations that the API lets the key do.

const tools = await Effect.runPromise(agentTools(operationsOf(Api)))

/** The operations with tools, and one without a tool. */
const ofTools = new Set<
  string | undefined
>(tools.map(({ operation }) => Context.get(operation.group.annotations, KeyFeature)).concat("audit"))

const rights = [
  ...(["viewer", "support", "editor", "admin"] as const).map((role) => ({ role })),
  ...features.flatMap((feature) =>
    ofTools.has(feature) ? [{ scopes: [`${feature}:read`] }, { scopes: [`${feature}:write`] }] : []
  )
]

const unknown = "018f0000-0000-7000-8000-000000000001"

/** True if the API itself lets the key do it. The request names a missing thing and has an empty body. */
const isAllowed = Effect.fnUntraced(function*(
  { method, path }: { readonly method: string; readonly path: string },
  clubId: string,
  token: string
) {
  const known = HttpMethod.isHttpMethod(method) ? method : assert.fail(method)
  const url = path.replace(":clubId", clubId).replaceAll(/:\w+/g, unknown)
  const answer = yield* send(known, url, { token, ...(method === "GET" ? {} : { body: {} }) })
  assert.notStrictEqual(answer.status, 401, url)
  return answer.status !== 403
})

layer(appLayer({ RATE_LIMIT_WRITES: "100000" }))("A key's tools", (it) => {
  it.effect.each(rights)("are all that the API lets it do, and nothing else: %j", (right) =>
    Effect.gen(function*() {
      const club = yield* clubWithKey(right)
      const listed = new Set(namesIn(yield* ask("tools/list", {}, club)))
      const wrong: Array<string> = []
      for (const { name, operation: { endpoint } } of tools) {
        const allowed = yield* isAllowed(endpoint, club.organization_id, club.token)
        if (listed.has(name) !== allowed) wrong.push(`${name}: ${allowed ? "hidden" : "listed"}`)
      }
      assert.deepStrictEqual(wrong, [])
    }))

  it.effect("are none that change anything where it may only read, called or not", () =>
    Effect.gen(function*() {
      for (const right of [{ role: "viewer" }, { scopes: features.map((feature) => `${feature}:read`) }] as const) {
        const club = yield* clubWithKey(right)
        const { json } = yield* ask("tools/list", {}, club)
        for (const tool of listAt(json, "result", "tools")) {
          assert.isTrue(at(tool, "annotations", "readOnlyHint"), String(at(tool, "name")))
        }
        for (const { name } of tools.filter(({ hints }) => !hints.readOnlyHint)) {
          const answer = yield* call(name, {}, club)
          assert.strictEqual(at(answer.json, "error", "code"), -32_602, name)
          assert.include(answer.text, "not found")
        }
      }
    }))

  it.effect("become fewer with the right of whom it acts for, from one message to the next", () =>
    Effect.gen(function*() {
      const club = yield* clubWithKey()
      const admin = yield* makeMember(club, "admin")
      const { token } = yield* keyFor({ ...club, token: yield* tokenOf(admin) })
      const list = Effect.map(ask("tools/list", {}, { token }), namesIn)
      assert.lengthOf(yield* list, tools.length)
      const path = `${club.path}/members/${admin.id}`
      const changed = yield* send("PATCH", path, { token: club.session, body: { role: "viewer" } })
      assert.strictEqual(changed.status, 200, changed.text)
      const left = new Set(yield* list)
      assert.isTrue(left.has("students_search"))
      assert.deepStrictEqual(tools.filter(({ hints, name }) => left.has(name) && !hints.readOnlyHint), [])
      const refused = yield* call("students_remove", { student_id: unknown }, { token })
      assert.strictEqual(at(refused.json, "error", "code"), -32_602)
    }))
})

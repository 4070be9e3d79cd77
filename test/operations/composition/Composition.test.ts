import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpApi, HttpApiGroup, OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { app } from "../../../src/App.ts"
import { sdkFiles } from "../../../src/cli/sdk/SdkFiles.ts"
import { Contract } from "../../../src/Contract.ts"
import { readDocument } from "../../../src/operations/documentation/ApiDocument.ts"
import { documented } from "../../../src/operations/Documented.ts"
import { agentTools } from "../../../src/operations/mcp/AgentTools.ts"
import { operationsOf } from "../../../src/operations/mcp/ContractOperations.ts"
import { versioned } from "../../../src/platform/http/Contract.ts"
import { appLayer, at, composedLayer, foundClub, keyOf, outcome, send } from "../../harness/App.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { MottosApi } from "./mottos/Api.ts"
import { mottos } from "./mottos/Feature.ts"

// The parts of a new feature: its folder, a line each in Contract.ts and App.ts, and a migration.
const contract = documented(Contract.addHttpApi(versioned(MottosApi)))
const composition = app.add(mottos)

const MottosTableLayer = Layer.effectDiscard(Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table mottos (club_id uuid primary key references clubs (id), text text not null)`
))

const TestLayer = composedLayer(
  composition.servicesLayer(),
  composition.routesLayer(contract, new URL("../../../src/cli/run.js", import.meta.url)),
  { database: MottosTableLayer.pipe(Layer.provideMerge(PostgresLayer)) }
)

layer(TestLayer)("a feature that is added", (it) => {
  it.effect("is served beside all others, behind session and right", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const changed = yield* send("PUT", `${path}/motto`, { token, body: { text: "We play" } })
      assert.deepStrictEqual([changed.status, at(changed.json, "data", "text")], [200, "We play"])
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}/motto`)), [401, "unauthenticated"])
      const stranger = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}/motto`, stranger)), [403, "forbidden"])
      assert.strictEqual((yield* send("GET", `${path}/gamification`, { token })).status, 200)
    }))

  it.effect("lets a key in by the scope that its group names", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* keyOf(club, { role: undefined, scopes: ["clubs:read"] })
      assert.strictEqual((yield* send("GET", `${club.path}/motto`, { token })).status, 200)
      const changed = yield* send("PUT", `${club.path}/motto`, { token, body: { text: "We play" } })
      assert.deepStrictEqual(outcome(changed), [403, "forbidden"])
      const other = yield* keyOf(club, { role: undefined, scopes: ["students:write"] })
      assert.deepStrictEqual(outcome(yield* send("GET", `${club.path}/motto`, other)), [403, "forbidden"])
    }))

  it.effect("registers what a club starts with", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      const club = yield* send("GET", path, { token })
      const motto = yield* send("GET", `${path}/motto`, { token })
      assert.strictEqual(at(motto.json, "data", "text"), at(club.json, "data", "name"))
    }))

  it.effect("answers in the envelope, its refused methods too", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.deepStrictEqual(
        outcome(yield* send("PUT", `${path}/motto`, { token, body: { text: "" } })),
        [422, "validation_failed"]
      )
      assert.deepStrictEqual(outcome(yield* send("POST", `${path}/motto`, { token })), [405, "method_not_allowed"])
    }))
})

describe("what is said beside its group", () => {
  const document = readDocument(JSON.stringify(OpenApi.fromApi(contract)))

  it("is in the document: its tag, its audience, and the scope that keys need", () => {
    assert.deepInclude(document.tags, { name: "Mottos", description: "What clubs say of themselves" })
    const groups = document["x-tagGroups"]?.filter(({ tags }) => tags.includes("Mottos")).map(({ name }) => name)
    assert.deepStrictEqual(groups, ["dashboard"])
    assert.strictEqual(
      document.paths["/v1/clubs/{clubId}/motto"]?.["get"]?.description,
      "For every member. Scoped keys need `clubs:read`."
    )
  })

  it.effect("makes tools of its operations, and functions of the SDK", () =>
    Effect.gen(function*() {
      const tools = yield* agentTools(operationsOf(contract))
      assert.include(tools.map(({ name }) => name), "motto_show")
      const { "Resources.ts": resources, "Routes.ts": routes } = sdkFiles(document)
      assert.include(resources, "/** Read the motto: `GET /v1/clubs/{clubId}/motto` */\n    readonly get: Call<")
      assert.include(routes, `"mottos.put": "PUT /v1/clubs/{clubId}/motto body"`)
    }))

  it("is refused if the group names no audience", () => {
    assert.throws(
      () => documented(HttpApi.make("turma").add(HttpApiGroup.make("unsaid"))),
      "The group unsaid of the contract has no GroupAudience"
    )
  })
})

layer(appLayer())("without it", (it) => {
  it.effect("there is no such route", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}/motto`, { token })), [404, "not_found"])
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../../../src/Api.ts"
import { app } from "../../../src/App.ts"
import { versioned } from "../../../src/platform/http/Contract.ts"
import { appLayer, at, composedLayer, foundClub, outcome, send } from "../../harness/App.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { MottosApi } from "./mottos/Api.ts"
import { mottos } from "./mottos/Feature.ts"

// What a new feature takes: its folder, a line each in Api.ts and App.ts, and a migration.
const composition = app.add(mottos)

const MottosTableLayer = Layer.effectDiscard(Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table mottos (club_id uuid primary key references clubs (id), text text not null)`
))

const TestLayer = composedLayer(
  composition.servicesLayer(),
  composition.routesLayer(
    Api.addHttpApi(versioned(MottosApi)),
    new URL("../../../src/cli/run.js", import.meta.url)
  ),
  { database: MottosTableLayer.pipe(Layer.provideMerge(PostgresLayer)) }
)

layer(TestLayer, { timeout: "60 seconds" })("a feature that is added", (it) => {
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

layer(appLayer(), { timeout: "60 seconds" })("without it", (it) => {
  it.effect("there is no such route", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}/motto`, { token })), [404, "not_found"])
    }))
})

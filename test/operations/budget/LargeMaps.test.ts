import { NodeFileSystem } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { tokenOf } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { makeUser } from "../../harness/Makers.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../../harness/Postgres.ts"
import { ask, startApi } from "../../harness/Turma.ts"

const requests = 100

const routes = ["/v1/health", "/v1/me"]

/** The token of a caller who may read. */
const token = (url: Redacted.Redacted) =>
  Effect.flatMap(makeUser(), tokenOf)
    .pipe(Effect.provide(SessionStore.layer.pipe(Layer.provideMerge(postgresLayerAt(url, 2)))))

/** The service, with a count of the large Maps that it has made since the last count. */
const startCounting = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const fs = yield* FileSystem.FileSystem
  const api = yield* startApi({
    args: ["--import", "./test/harness/largeMaps.ts", "src/cli/run.js"],
    env: {
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      DATABASE_URL: Redacted.value(url),
      DATA_DIR: yield* fs.makeTempDirectoryScoped(),
      HOST: "127.0.0.1",
      ROLE: "api"
    }
  })
  const counts = Effect.sync(() =>
    [...api.said.stdout.matchAll(/large maps: (\d+)\n/g)].map(([, made]) => Number(made))
  )
  const count = Effect.gen(function*() {
    const { length } = yield* counts
    yield* api.kill("SIGUSR2")
    return (yield* eventually(counts, (all) => all.length > length)).at(-1)
  })
  return { url: api.url, count }
})

it.live("a request copies no context with all services", () =>
  Effect.gen(function*() {
    const url = yield* freshDatabaseUrl
    const authorization = `Bearer ${yield* token(url)}`
    const api = yield* startCounting(url)
    for (const path of routes) {
      const once = Effect.map(ask(`${api.url}${path}`, { headers: { authorization } }), ({ status }) => {
        assert.strictEqual(status, 200)
      })
      // The first request makes the things that later ones find.
      yield* once
      yield* api.count
      yield* Effect.replicateEffect(once, requests)
      const made = yield* api.count
      assert.strictEqual(made, 0, path)
    }
  }).pipe(Effect.provide(NodeFileSystem.layer)))

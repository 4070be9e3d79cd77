import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, FileSystem, Layer, Logger, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, outcome, send } from "../../harness/App.ts"
import { type ModelAnswer, openAiWire, startModelServer } from "../../harness/ModelServer.ts"
import { adminDatabaseUrl } from "../../harness/Postgres.ts"
import { startTurma } from "../../harness/Turma.ts"
import { ask, cancel, type Classroom, classroom, patchAgent, replyTo, seen, used } from "../World.ts"

// Takes long: a worker is a process of its own, which gives calls up in real time.

/** A worker process on the database of this file. It calls a model. */
const startWorker = Effect.fnUntraced(function*(base_url: string) {
  const sql = yield* SqlClient.SqlClient
  const fs = yield* FileSystem.FileSystem
  const url = new URL(Redacted.value(adminDatabaseUrl()))
  const [row] = yield* sql`select current_database() as name`
  url.pathname = `/${String(row?.["name"])}`
  const worker = yield* startTurma({
    env: {
      ROLE: "worker",
      DATABASE_URL: url.href,
      DATA_DIR: yield* fs.makeTempDirectoryScoped(),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      AI_PROVIDER: "openai",
      OPENAI_API_KEY: "not-a-real-key",
      AI_BASE_URL: base_url
    }
  })
  yield* worker.until("worker is ready")
})

/** A classroom with material in its lesson, so that the assistant calls the model. */
const taughtClassroom = Effect.gen(function*() {
  const place = yield* classroom
  const body = { kind: "text", body: "O acorde de dó maior se toca com três dedos." }
  const made = yield* send("POST", `${place.club.path}/lessons/${place.lesson.id}/blocks`, { ...place.club, body })
  assert.strictEqual(made.status, 201, made.text)
  return place
})

type Server = Effect.Success<ReturnType<typeof startModelServer>>

/** Asks, acts during the call to the model, and answers the milliseconds until its connection closes. */
const untilHungUp = Effect.fnUntraced(function*<E, R>(
  place: Classroom,
  server: Server,
  act: (id: string) => Effect.Effect<unknown, E, R>
) {
  const id = yield* replyTo(place)
  yield* Queue.take(server.asked)
  yield* act(id)
  const from = yield* Clock.currentTimeMillis
  yield* Queue.take(server.hungUp)
  return (yield* Clock.currentTimeMillis) - from
})

const TestLayer = Layer.merge(AppLayer, NodeServices.layer).pipe(Layer.provide(Logger.layer([])))

layer(TestLayer, { excludeTestServices: true })(
  "A call to the model, in another process,",
  (it) => {
    const answers: ReadonlyArray<readonly [string, ModelAnswer]> = [
      ["that has not answered yet", { end: "silent" }],
      ["that has begun to answer", { pieces: openAiWire.begins, end: "stalls" }]
    ]
    for (const [which, answer] of answers) {
      it.effect(
        `${which} is given up soon after it is canceled, each time, and costs its question`,
        () =>
          Effect.gen(function*() {
            const place = yield* taughtClassroom
            yield* patchAgent(place.club, { daily_limit: 5 })
            const server = yield* startModelServer(answer)
            yield* startWorker(server.base_url)
            const waits = yield* Effect.replicateEffect(untilHungUp(place, server, (id) => cancel(place, id)), 5)
            // All calls close before the worker renews the lease, 5 seconds after their start. Cancel.test.ts checks the
            // time to the millisecond.
            assert.isBelow(Math.max(...waits), 4000)
            assert.deepStrictEqual(yield* used(place), [5, 5])
            assert.deepStrictEqual(outcome(yield* ask(place)), [429, "ask_daily_limit_reached"])
            assert.strictEqual(yield* server.count, 5)
          })
      )
    }

    it.effect("is given up with the student's removal, and the club has paid for it", () =>
      Effect.gen(function*() {
        const place = yield* taughtClassroom
        const server = yield* startModelServer({ end: "silent" })
        yield* startWorker(server.base_url)
        const { path, token } = place.club
        const removal = send("DELETE", `${path}/students/${place.student.id}`, { token })
        const wait = yield* untilHungUp(
          place,
          server,
          () => Effect.map(removal, ({ status }) => assert.strictEqual(status, 204))
        )
        assert.isBelow(wait, 4000)
        assert.deepStrictEqual(yield* used(place), [0, 1])
      }))

    it.effect("that fails is given back 5 times a day, however often a student can make it fail", () =>
      Effect.gen(function*() {
        const place = yield* taughtClassroom
        const server = yield* startModelServer({ pieces: [openAiWire.refuses, openAiWire.stops("stop")] })
        yield* startWorker(server.base_url)
        for (let n = 1; n <= 8; n++) {
          const id = yield* replyTo(place)
          yield* Effect.repeat(seen(place, id), {
            until: ([status]) => status !== "generating"
          })
          assert.deepStrictEqual(yield* seen(place, id), ["failed", "", "answer_refused"])
          assert.deepStrictEqual(yield* used(place), [Math.max(0, n - 5), Math.max(0, n - 5)])
        }
        assert.strictEqual(yield* server.count, 8)
        const { json } = yield* send("GET", `${place.club.path}/classroom/lessons/${place.lesson.public_id}/ask`, {
          token: place.student.token
        })
        assert.strictEqual(at(json, "data", "limits", "used"), 3)
      }))
  }
)

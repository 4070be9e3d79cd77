import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { divide } from "../../../src/platform/sql/Connections.ts"
import { AppLayer, foundClub, send } from "../../harness/App.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const write = ({ path, token }: Club) =>
  send("PATCH", `${path}/gamification`, { token, body: { ranking_visible: false } })

const me = ({ token }: Club) => send("GET", "/v1/me", { token })

/** Half of the exclusive connections: as many requests of one club may wait. */
const most = Math.floor(divide(13).exclusive / 2)

layer(AppLayer)("While a club's writes wait for a row", (it) => {
  it.effect("all reads and the writes of other clubs are answered", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* whileHeld(
        sql`select from gamification where club_id = ${club.id} for update`,
        Effect.gen(function*() {
          const writes = yield* Effect.forkChild(Effect.all(
            Array.from({ length: 8 }, () => write(club)),
            { concurrency: "unbounded" }
          ))
          yield* untilBlocked(most)
          const reads = yield* Effect.all(Array.from({ length: 200 }, (_, n) => me(n % 2 === 0 ? other : club)), {
            concurrency: 20
          })
          assert.deepStrictEqual([...new Set(reads.map(({ status }) => status))], [200])
          assert.strictEqual((yield* write(other)).status, 200)
          assert.isUndefined(writes.pollUnsafe())
          return writes
        })
      ).pipe(Effect.flatMap(Fiber.join))
    }))
})

const ladder = [{ name: "Palco", min_points: 500 }, { name: "Primeiros acordes", min_points: 0 }]

const replaceLadder = ({ path, token }: Club) =>
  send("PUT", `${path}/gamification/levels`, { token, body: { levels: ladder } })

/** The 99th percentile of 1,000 reads of this account, in milliseconds. All reads must succeed. */
const p99Of = Effect.fnUntraced(function*(account: Club) {
  const reads = yield* Effect.all(Array.from({ length: 1000 }, () => Effect.timed(me(account))), { concurrency: 20 })
  assert.deepStrictEqual([...new Set(reads.map(([, { status }]) => status))], [200])
  const times = reads.map(([took]) => Duration.toMillis(took)).toSorted((one, another) => one - another)
  return times[989] ?? assert.fail("There are fewer reads")
})

const RealLayer = AppLayer.pipe(Layer.provide(Logger.layer([])))

layer(RealLayer, { excludeTestServices: true })(
  "While a club's writes wait for a row, in real time,",
  (it) => {
    it.effect("99 of 100 reads of another account take no longer than without them", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [club, other] = [yield* foundClub(), yield* foundClub()]
        // The first run of code is slow.
        yield* p99Of(other)
        const without = yield* p99Of(other)
        // Holds the row until the last read has its answer: a request for the row has to wait or give up.
        const beside = yield* whileHeld(
          // PostgreSQL does not end this idle transaction, however long the reads take.
          Effect.andThen(
            sql`set local idle_in_transaction_session_timeout = 0`,
            sql`select from gamification where club_id = ${club.id} for update`
          ),
          Effect.gen(function*() {
            const writes = yield* Effect
              .forkChild(Effect.all(Array.from({ length: 8 }, () => Effect.forever(replaceLadder(club))), {
                concurrency: "unbounded"
              }))
            // If writes used the connections that reads share, all of those would be busy now.
            yield* untilBlocked(divide(13).shared)
            const found = yield* p99Of(other)
            yield* untilBlocked(most)
            yield* Fiber.interrupt(writes)
            return found
          })
        )
        // Allows for a busy machine during one measurement. Requests for the row give up after ten seconds only.
        assert.isAtMost(beside, 5 * without + 2000)
      }))
  }
)

import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, foundClub, send } from "../support/App.ts"
import { untilBlocked, whileHeld } from "../support/Waiting.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const write = ({ path, token }: Club) =>
  send("PATCH", `${path}/gamification`, { token, body: { ranking_visible: false } })

const me = ({ token }: Club) => send("GET", "/v1/me", { token })

/** Half of the connections that are for one at a time: as many as may wait on behalf of one club. */
const most = 4

layer(AppLayer, { timeout: "60 seconds" })("While a club's writes wait for a row", (it) => {
  it.effect("all reads and the writes of other clubs are answered", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* whileHeld(
        sql`select from gamification where club_id = ${club.id} for update`,
        Effect.gen(function*() {
          const writes = yield* Effect.forkChild(
            Effect.all(Array.from({ length: 8 }, () => write(club)), { concurrency: "unbounded" })
          )
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

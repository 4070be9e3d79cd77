import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { FeedPages } from "../../../../src/webhooks/events/feed/FeedPages.ts"
import { mostScanned } from "../../../../src/webhooks/events/feed/readStatement.ts"
import { at } from "../../../harness/App.ts"
import { touchedBy } from "../../../harness/PagesRead.ts"
import { ago } from "../../engine/retention/Rows.ts"
import { clubWithStudent, cursorIn, FeedLayer, nextIn, numbersIn, readFeed } from "./Reading.ts"

const many = 30_000
const refunded = 25_000

/** A club with 30 000 events within 30 seconds. One of them has another type. */
const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const club = yield* clubWithStudent
  const made = sql`(${DateTime.toEpochMillis(ago("10 hours"))}::bigint + n)`
  const moment = sql`to_timestamp(${made} / 1000.0)`
  const position = sql`(lpad(to_hex(${made}), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid`
  yield* sql`
    insert into webhook_feed_events
    select ${club.id}::uuid, ${position}, ${position},
      case when n = ${refunded}::int then 'purchase.refunded' else 'lesson.completed' end, ${club.student.id}::uuid,
      ${moment}, ${moment}
    from generate_series(1, ${many}::int) n`
  yield* sql`
    insert into webhook_feeds select club_id, max(position::text)::uuid from webhook_feed_events
    where club_id = ${club.id} group by club_id`
  yield* sql`analyze`
  return { club }
})

class Large extends Context.Service<Large, Effect.Success<typeof make>>()("test/LargeFeed") {
  static readonly layer = Layer.effect(Large, make)
    .pipe(Layer.provideMerge(FeedPages.layer.pipe(Layer.provideMerge(FeedLayer))))
}

layer(Large.layer)("Of a feed with 30 000 events", (it) => {
  it.effect("a page of a rare type ends after 10 000 others, and says where to go on", () =>
    Effect.gen(function*() {
      const { club } = yield* Large
      const seen: Array<ReadonlyArray<unknown>> = []
      let cursor: unknown = ""
      while (cursor !== null && seen.length < 9) {
        const answer = yield* readFeed(
          club,
          `?type=purchase.refunded${cursor === "" ? "" : `&cursor=${String(cursor)}`}`
        )
        seen.push(numbersIn(answer))
        cursor = nextIn(answer)
        if (cursor !== null) assert.strictEqual(cursor, cursorIn(answer))
      }
      assert.deepStrictEqual(seen, [[], [], [refunded], []])
    }))

  it.effect("a page looks at no more than it needs, wherever it begins", () =>
    Effect.gen(function*() {
      const { club } = yield* Large
      const pages = yield* FeedPages
      const { json } = yield* readFeed(
        club,
        `?since=${DateTime.formatIso(DateTime.add(ago("10 hours"), { seconds: 20 }))}`
      )
      const after = String(at(json, "cursor"))
      const rowsOf = (start: { readonly after?: string }, filter: object) =>
        Effect.map(
          touchedBy(pages.from(club, start, { limit: 25, ...filter }), /webhook_feed/),
          ([, { rows }]) => rows
        )
      for (const start of [{}, { after }, { after: "latest" }]) {
        assert.isBelow(yield* rowsOf(start, {}), 100)
        assert.isBelow(yield* rowsOf(start, { student_id: club.student.id }), 100)
        assert.isBelow(yield* rowsOf(start, { type: "purchase.paid" }), mostScanned + 100)
      }
    }))
})

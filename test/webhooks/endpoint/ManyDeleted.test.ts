import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Diagnoses } from "../../../src/webhooks/endpoint/Diagnoses.ts"
import { Endpoints } from "../../../src/webhooks/endpoint/Endpoints.ts"
import { SeriesReads } from "../../../src/webhooks/history/series/SeriesReads.ts"
import { touchedBy } from "../../harness/PagesRead.ts"
import { ago, makeDelivery, saturday } from "../engine/retention/Rows.ts"
import { foundOnSaturday, register, WebhooksLayer } from "../Registering.ts"

const deleted = 10_000
const clubs = 2000

/** A club with two endpoints and ten thousand deleted listeners, among clubs with one endpoint each. */
const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(saturday)
  const club = yield* foundOnSaturday
  const living = [yield* register(club), yield* register(club)] as const
  yield* makeDelivery(living[0], ago("1 hours"))
  const id = sql`('019d4860-0000-7' || substr(gen_random_uuid()::text, 16))::uuid`
  yield* sql`
    insert into clubs select gen_random_uuid(), gen_random_uuid(), 'Many', 'many-' || n, 'UTC', 'en', true, ${at}
    from generate_series(1, ${clubs}::int) n`
  const columns =
    sql`club_id, id, slot, url, description, event_types, status, created_at, updated_at, secret, deleted_at`
  yield* sql`
    insert into webhook_endpoints (${columns})
    select id, ${id}, 1, 'https://many.example/', '', array['student.created'], 'enabled', ${at}, ${at}, '\\x00', null
    from clubs where slug like 'many-%'`
  yield* sql`
    insert into webhook_endpoints (${columns})
    select ${club.id}, ${id}, 3, 'https://many.example/', '', array['student.created'], 'enabled', ${at}, ${at}, null, ${at}
    from generate_series(1, ${deleted}::int)`
  yield* sql`
    insert into webhook_lanes (club_id, endpoint_id)
    select club_id, id from webhook_endpoints where id <> all(${living.map(({ endpoint_id }) => endpoint_id)}::uuid[])`
  yield* sql`analyze`
  return { club: { id: club.id, time_zone: "UTC" }, living }
})

class Many extends Context.Service<Many, Effect.Success<typeof make>>()("test/Many") {
  static readonly layer = Layer.effect(Many, make).pipe(Layer.provideMerge(WebhooksLayer))
}

layer(Many.layer)("Of a club whose listeners came and went", (it) => {
  it.effect("only those are read that are there, whatever is asked of all", () =>
    Effect.gen(function*() {
      const { club, living } = yield* Many
      const endpoints = yield* Endpoints
      const series = yield* SeriesReads
      const ids = living.map(({ endpoint_id }) => endpoint_id)
      const [listed, ofList] = yield* touchedBy(endpoints.list(club.id, { limit: 25 }), /webhook_/)
      const [diagnoses, ofDiagnoses] = yield* touchedBy((yield* Diagnoses).all(club.id), /webhook_/)
      const [all, ofSeries] = yield* touchedBy(series.all(club, "30d"), /webhook_/)
      assert.deepStrictEqual(listed.data.map(({ id }) => id), ids)
      assert.deepStrictEqual(diagnoses.map(({ endpoint_id }) => endpoint_id), ids)
      assert.deepStrictEqual(all.map(({ endpoint_id }) => endpoint_id), ids)
      for (const { rows, tablePages } of [ofList, ofDiagnoses, ofSeries]) {
        assert.isBelow(rows, 30)
        assert.isBelow(tablePages, 30)
      }
    }))
})

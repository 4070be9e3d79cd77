import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { dataAnswer, jsonOf, MadeJson, objectOf, plainAnswer } from "../../../../src/platform/http/json/MadeJson.ts"
import { instantText } from "../../../../src/platform/sql/InstantJson.ts"
import { one } from "../../../../src/platform/sql/Rows.ts"
import { EmptyPostgresLayer } from "../../../harness/Postgres.ts"

const read = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.promise(() => HttpServerResponse.toWeb(response).text())

/** Characters that need an escape, and characters that only seem to. */
const odd = "\"\\\n\t\u0001\u007f\u2028 </script> 'é' \u{1F3B8} {\"images\":[{}]}"

describe("JSON that is answered as it is", () => {
  it.effect("is an object of made members and written values", () =>
    Effect.gen(function*() {
      const json = objectOf({ made: objectOf({}), text: jsonOf(odd), "\"": jsonOf([1, null]) })
      assert.deepStrictEqual<unknown>(JSON.parse(json), { made: {}, text: odd, "\"": [1, null] })
      const answer = dataAnswer(json)
      assert.deepStrictEqual([answer.status, answer.headers["content-type"]], [200, "application/json"])
      assert.strictEqual(yield* read(answer), `{"data":${json}}`)
    }))

  it.effect("is a value as its schema would encode it, where there is nothing to encode", () =>
    Effect.gen(function*() {
      const Plain = Schema.Struct({ name: Schema.String, points: Schema.NullOr(Schema.Int) })
      for (const value of [{ name: odd, points: 1 }, { name: "", points: null }]) {
        const encoded = yield* Schema.encodeEffect(Schema.toCodecJson(Plain))(value)
        assert.deepStrictEqual<unknown>(JSON.parse(yield* read(plainAnswer(Plain)(value))), encoded)
      }
    }))
})

const decodeMade = one(Schema.Struct({ json: MadeJson }))
const decodeInstant = one(Schema.Struct({ instant: Schema.NullOr(Schema.String) }))

layer(EmptyPostgresLayer)("JSON that PostgreSQL makes", (it) => {
  it.effect("keeps every character", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { json } = yield* sql`select json_build_object('text', ${odd}::text)::text as json`.pipe(decodeMade)
      assert.deepStrictEqual<unknown>(JSON.parse(json), { text: odd })
    }))

  it.effect("has instants as they are answered elsewhere, in whatever time zone the connection is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const millis of [0, 1, 999, 951_782_400_000, 1_763_000_000_050, 1_763_000_000_500, 4_102_444_799_999]) {
        const at = new Date(millis)
        const text = sql`
          select ${instantText(sql, sql`${at}::timestamptz`)} as instant
          from (select set_config('TimeZone', 'Asia/Kathmandu', true)) somewhere`
        assert.strictEqual((yield* text.pipe(decodeInstant)).instant, at.toISOString())
      }
      const none = sql`select ${instantText(sql, sql`null::timestamptz`)} as instant`
      assert.isNull((yield* none.pipe(decodeInstant)).instant)
    }))
})

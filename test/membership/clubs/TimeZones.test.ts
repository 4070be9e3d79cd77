import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CreateClub, timeZones } from "../../../src/membership/clubs/Club.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

const decodeNames = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

/** Every name that PostgreSQL knows, in its spelling. */
const known = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.flatMap(sql`select name from pg_timezone_names`, decodeNames)
  return rows.map(({ name }) => name)
})

const isAccepted = (time_zone: string) => Schema.is(CreateClub)({ name: "Fuso", time_zone })

layer(PostgresLayer)("A club's time zone", (it) => {
  it.effect("is one that PostgreSQL and the service know, by the same name", () =>
    Effect.gen(function*() {
      assert.isAbove(timeZones.size, 400)
      const names = new Set(yield* known)
      assert.deepStrictEqual([...timeZones].filter((zone) => !names.has(zone)), [])
      assert.deepStrictEqual([...timeZones].filter((zone) => Option.isNone(DateTime.zoneMakeNamed(zone))), [])
      assert.deepStrictEqual([...timeZones].filter((zone) => !isAccepted(zone)), [])
    }))

  it.effect("is UTC or a place", () =>
    Effect.gen(function*() {
      const accepted = (yield* known).filter(isAccepted)
      assert.deepStrictEqual(accepted.filter((zone) => !/^(?:UTC$|[A-Z][a-z]+\/)/.test(zone)), [])
      for (const zone of ["AET", "IST", "BST", "EST5EDT", "CET", "GMT", "+03:00", "utc", "america/sao_paulo"]) {
        assert.isFalse(isAccepted(zone), zone)
      }
    }))
})

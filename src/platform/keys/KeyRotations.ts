import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Instant, InstantOrNull } from "../schema/Instant.ts"
import { first } from "../sql/Rows.ts"

const KeyRotation = Schema.Struct({
  old_key: Schema.String,
  new_key: Schema.String,
  begun_at: Instant,
  sealed_at: InstantOrNull
})

/** A change of the key, which is named by its id. `sealed_at`: since when every process seals with the new one. */
export type KeyRotation = typeof KeyRotation.Type

const decodeRotation = first(KeyRotation)

/** The latest one, under way or over. */
export const latestRotation = SqlClient.SqlClient.use((sql) =>
  sql`select old_key, new_key, begun_at, sealed_at from key_rotations`.pipe(decodeRotation)
)

/** Any number that nothing else locks. */
const lock = 8_114_120

/** One command at a time: another one waits for what this one changes. */
export const alone = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.catchTag(
      sql.withTransaction(Effect.andThen(sql`select pg_advisory_xact_lock(${lock})`, change)),
      "SqlError",
      (error) => Effect.die(error)
    )
  )

/** Begins one in place of the one before. */
export const beginRotation = Effect.fnUntraced(function*(old_key: string, new_key: string) {
  const sql = yield* SqlClient.SqlClient
  const begun_at = yield* DateTime.now
  const row = { old_key, new_key, begun_at: DateTime.toDateUtc(begun_at), sealed_at: null }
  yield* sql`
    insert into key_rotations ${sql.insert(row)} on conflict (id) do update
    set old_key = excluded.old_key, new_key = excluded.new_key, begun_at = excluded.begun_at, sealed_at = null`
  const begun: KeyRotation = { old_key, new_key, begun_at, sealed_at: null }
  return begun
}, Effect.orDie)

/** Notes, the first time, that every process seals with this key. Their workers learn it from the note. */
export const noteSealed = Effect.fnUntraced(function*(rotation: KeyRotation) {
  if (rotation.sealed_at !== null) return rotation
  const sql = yield* SqlClient.SqlClient
  const sealed_at = yield* DateTime.now
  yield* sql`
    update key_rotations set sealed_at = ${DateTime.toDateUtc(sealed_at)}
    where new_key = ${rotation.new_key} and sealed_at is null`
  const latest = yield* latestRotation
  return Option.getOrElse(latest, () => rotation)
}, Effect.orDie)

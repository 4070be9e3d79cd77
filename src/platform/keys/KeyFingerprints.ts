import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rows } from "../sql/Rows.ts"
import type { SealedRows } from "../sql/SealedRows.ts"
import { fingerprintOf, keyIdOf, type Keys } from "../sql/Sealing.ts"
import { alone } from "./KeyRotations.ts"
import type { KeyId } from "./Rotation.ts"
import { keysThatSeal } from "./SealingKeys.ts"

type Key = Keys[number]

/** A key that the database knows. */
export const KnownKey = Schema.Struct({
  key: Schema.String,
  /** Of 32 bytes; null where the key was found by what it has sealed. */
  fingerprint: Schema.NullOr(Schema.Uint8Array),
  is_lost: Schema.Boolean
})
export type KnownKey = typeof KnownKey.Type

const decodeKnown = rows(KnownKey)

/** The table of fingerprints. */
export const fingerprintsTable = "key_fingerprints"

/** Asks for `KnownKey`s. */
export const storedKeysText =
  `select key, fingerprint, lost_at is not null as is_lost from ${fingerprintsTable} order by key`

/** The keys whose fingerprints the database has; empty for a new database, or one of a version without fingerprints. */
export const storedKeys = SqlClient.SqlClient.use((sql) => sql.unsafe(storedKeysText).pipe(decodeKnown))

/** The keys that the database knows. Where it has no fingerprints yet, those that anything is sealed with. */
export const knownKeys = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>) {
  const stored = yield* storedKeys
  if (stored.length > 0) return stored
  const found = yield* keysThatSeal(all)
  return found.map((key): KnownKey => ({ key, fingerprint: null, is_lost: false }))
})

/** True if this is the known key: two keys with one id differ in their fingerprints. */
const isKnownAs = ({ fingerprint, key }: KnownKey) => (own: Key) =>
  keyIdOf(own) === key && (fingerprint === null || Buffer.compare(fingerprint, fingerprintOf(own)) === 0)

/** Those of the known keys that are not among one's own, unless they are lost. */
export const missingOf = (known: ReadonlyArray<KnownKey>, own: ReadonlyArray<Key>): ReadonlyArray<KnownKey> =>
  known.filter((one) => !one.is_lost && !own.some(isKnownAs(one)))

/** True if the database has the fingerprint of the key that seals. */
export const isStored = (known: ReadonlyArray<KnownKey>, key: Key): boolean =>
  known.some((one) => !one.is_lost && one.fingerprint !== null && isKnownAs(one)(key))

/** Stores the fingerprint of a key that seals: from now on a start without the key is refused. */
export const storeKey = Effect.fnUntraced(function*(key: Key) {
  const sql = yield* SqlClient.SqlClient
  const row = {
    key: keyIdOf(key),
    fingerprint: fingerprintOf(key),
    known_at: DateTime.toDateUtc(yield* DateTime.now),
    lost_at: null
  }
  yield* sql`
    insert into key_fingerprints ${sql.insert(row)} on conflict (key) do update
    set fingerprint = excluded.fingerprint, lost_at = null`
}, Effect.orDie)

/** Drops the fingerprints of keys that nothing needs. */
export const dropKeys = Effect.fnUntraced(function*(keys: ReadonlyArray<KeyId>) {
  if (keys.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from key_fingerprints where ${sql.in("key", keys)}`
}, Effect.orDie)

/**
 * Notes every key that is not held as lost, and answers those keys. Starts no longer ask for them; what they have sealed stays
 * sealed.
 */
export const giveUpKeys = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>, loaded: ReadonlySet<KeyId>) {
  const sql = yield* SqlClient.SqlClient
  const known = yield* knownKeys(all)
  const lost = known.filter(({ is_lost, key }) => !is_lost && !loaded.has(key)).map(({ key }) => key)
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* alone(Effect.forEach(lost, (key) => {
    const row = { key, fingerprint: null, known_at: now, lost_at: now }
    return sql`
      insert into key_fingerprints ${sql.insert(row)} on conflict (key) do update set lost_at = excluded.lost_at`
  }))
  return lost
})

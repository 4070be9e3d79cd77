import * as PgTypes from "@effect/sql-pg/PgTypes"
import { DateTime, Result } from "effect"

// Arrays for `unnest` that name their type: an array that is empty or holds only nulls does not show it.
const arrayOf = (oid: number) => (values: ReadonlyArray<unknown>) => Result.getOrThrow(PgTypes.array(values, oid))

/** As `uuid[]`. */
export const uuids: (values: ReadonlyArray<string | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.uuid)
/** As `text[]`. */
export const texts: (values: ReadonlyArray<string | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.text)
/** As `int4[]`. */
export const integers: (values: ReadonlyArray<number | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.int4)
/** As `bool[]`. */
export const booleans: (values: ReadonlyArray<boolean | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.bool)
/** As `bytea[]`. */
export const blobs: (values: ReadonlyArray<Uint8Array | null>) => PgTypes.Parameter = arrayOf(PgTypes.OID.bytea)

const longs = arrayOf(PgTypes.OID.int8)

/** Whole numbers, as `int8[]`. */
export const bigints = (values: ReadonlyArray<number | null>): PgTypes.Parameter =>
  longs(values.map((value) => value === null ? null : BigInt(value)))

/** A moment, as `timestamptz`; null without one. */
export const instant = (at: DateTime.Utc | null | undefined): Date | null => at ? DateTime.toDateUtc(at) : null

const timestamps = arrayOf(PgTypes.OID.timestamptz)

/** Points in time, as `timestamptz[]`. */
export const instants = (values: ReadonlyArray<DateTime.Utc | null>): PgTypes.Parameter =>
  timestamps(values.map((at) => at === null ? null : DateTime.toEpochMillis(at)))

/**
 * Drops the nulls at the end, for one of several arrays of one `unnest`. PostgreSQL fills up the shorter arrays with
 * nulls. So a column that is null in most rows is neither sent nor read.
 */
export const withoutLastNulls = <A>(values: ReadonlyArray<A | null>): ReadonlyArray<A | null> =>
  values.slice(0, values.findLastIndex((value) => value !== null) + 1)

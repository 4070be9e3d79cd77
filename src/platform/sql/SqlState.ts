import { Predicate } from "effect"
import { SqlError } from "effect/sql"

/** PostgreSQL's five characters for what went wrong; undefined where the server said nothing. */
const sqlStateOf = (error: unknown): string | undefined => {
  if (!SqlError.isSqlError(error)) return undefined
  const { cause } = error.reason
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}

/** A server that is a replica, or whose disk cannot be written, refuses what changes anything. */
const readOnly = "25006"

/** The server refuses to write: another one at the same address may not. */
export const isReadOnlyRefusal = (error: unknown): boolean => sqlStateOf(error) === readOnly

/**
 * Classes and codes of faults of the server, not of the statement:
 * - no connection (08)
 * - no room on the disk, memory or connections (53)
 * - ended or starting (57P)
 * - the disk failed (58)
 * - a lock that another transaction has for long (55P03)
 * - read-only (25006)
 */
const ofServer = /^(?:08|53|57P|58)|^55P03$|^25006$/

const noPrivilege = "42501"

/**
 * A disk that has become read-only. PostgreSQL has no code for it: it uses the code of a missing right, and the
 * system's words. These are English unless the server is configured otherwise.
 */
const isReadOnlyDisk = (error: unknown): boolean =>
  sqlStateOf(error) === noPrivilege && SqlError.isSqlError(error) &&
  Predicate.hasProperty(error.reason.cause, "message") &&
  `${error.reason.cause.message}`.endsWith("Read-only file system")

/** True if another try may succeed once the database is well again. */
export const isTransientSqlError = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (["ConnectionError", "LockTimeoutError", "StatementTimeoutError"].includes(error.reason._tag) ||
    ofServer.test(sqlStateOf(error) ?? "") || isReadOnlyDisk(error))

/** Why a read is refused that finds as much waiting as may wait. */
export const laneFull = new Error("Too many such reads wait already")

/** Why a read is ended that takes longer than it may. */
export const tookTooLong = new Error("The read took longer than it may")

/** More asks at a time than is even let wait. */
export const isLaneFull = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason.cause === laneFull

/** The statement has met its limit. */
export const isTooLong = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError"

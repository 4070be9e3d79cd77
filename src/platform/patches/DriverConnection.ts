// Patch of @effect/sql-pg 4.0.5. Without it, nothing ends a connection whose server is silent, and nothing shows how
// many bytes came from the server. An interrupted statement on a multiplexed connection goes on at the server.
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Predicate } from "effect"
import { Socket } from "node:net"
import { Duplex } from "node:stream"

/** The socket of a connection, which the driver's type does not show. A pinned connection has it in its `base`. */
const socketOf = (connection: unknown): Duplex | undefined => {
  if (Predicate.hasProperty(connection, "base")) return socketOf(connection.base)
  if (!Predicate.hasProperty(connection, "session") || !Predicate.hasProperty(connection.session, "socket")) return
  return connection.session.socket instanceof Duplex ? connection.session.socket : undefined
}

/** Closes a connection at once. Its statements fail. */
export const destroySocket = (connection: PgConnection.PgConnection): void => void socketOf(connection)?.destroy()

/** Bytes received from the server. */
export const receivedBytes = (connection: PgConnection.PgConnection): number => {
  const socket = socketOf(connection)
  return socket instanceof Socket ? socket.bytesRead : 0
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

/**
 * Asks the server to end all statements of a connection. `interrupt`, which the driver's type has, does nothing on a
 * multiplexed one. A connection without `cancel` is closed.
 */
export const cancelStatements = (connection: PgConnection.PgConnection): Effect.Effect<void> =>
  Predicate.hasProperty(connection, "cancel") && isEffect(connection.cancel)
    ? Effect.ignoreCause(connection.cancel)
    : Effect.sync(() => destroySocket(connection))

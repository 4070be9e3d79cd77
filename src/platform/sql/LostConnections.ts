import { PgConnection } from "@effect/sql-pg"
import { Clock, Effect, Option, type Redacted, Schema } from "effect"
import { destroySocket, receivedBytes } from "../patches/DriverConnection.ts"

/** Milliseconds: how often connections are looked at, and after what silence the server is asked about one. */
const looking = 2_000
const silence = 5_000

/** Milliseconds from one answer about a connection that is silent for a good reason to the next question. */
const trusted = 30_000

/** Milliseconds within which a server that can be asked has answered. */
const patience = 5_000

/** Bytes that a connection has received, and the start of its silence. */
interface Heard {
  readonly bytes: number
  readonly since: number
}

const decodeAnswer = Schema
  .decodeUnknownEffect(Schema.Tuple([Schema.Struct({ own: Schema.Int, known: Schema.Array(Schema.Int) })]))

/**
 * The backends among these that the server at the address knows, asked on a new connection. `None` if that is unknown:
 * the server does not answer, or a pooler between has numbers of its own.
 */
const knownBackends = Effect.fnUntraced(function*(url: Redacted.Redacted, pids: ReadonlyArray<number>) {
  const connection = yield* PgConnection.make({ url, applicationName: "turma", connectTimeout: patience })
  const { rows } = yield* connection.query(
    "select pg_backend_pid() as own, coalesce(array_agg(pid), '{}') as known from pg_stat_activity where pid = any($1)",
    [pids]
  )
  const [{ known, own }] = yield* decodeAnswer(rows)
  return own === connection.processId ? Option.some(new Set(known)) : Option.none()
}, Effect.scoped)

/**
 * Watches connections in use. After some seconds of silence a connection is asked for at the server that answers at the
 * address now. If that has no such backend, as after a failover or with lost packets, the connection is closed. Its
 * statements then fail instead of waiting for ever. A slow statement has its backend and goes on.
 */
export const closeLostConnections = (
  { inUse, url }: {
    readonly url: Redacted.Redacted
    readonly inUse: () => ReadonlyArray<PgConnection.PgConnection>
  }
) => {
  const heard = new WeakMap<PgConnection.PgConnection, Heard>()

  const isSilent = (connection: PgConnection.PgConnection, now: number) => {
    const bytes = receivedBytes(connection)
    const before = heard.get(connection)
    if (before?.bytes === bytes) return now - before.since >= silence
    heard.set(connection, { bytes, since: now })
    return false
  }

  const look = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const silent = inUse().filter((connection) => isSilent(connection, now))
    if (silent.length === 0) return
    const known = yield* knownBackends(url, silent.map(({ processId }) => processId)).pipe(
      Effect.timeout(patience),
      // A server that does not answer confirms no backend and denies no backend.
      Effect.orElseSucceed(Option.none)
    )
    const asked = yield* Clock.currentTimeMillis
    const lost = silent.filter(({ processId }) => Option.exists(known, (pids) => !pids.has(processId)))
    for (const connection of silent) {
      heard.set(connection, { bytes: receivedBytes(connection), since: asked + trusted - silence })
    }
    if (lost.length === 0) return
    yield* Effect.logWarning("Connections to the database were lost and are closed", { connections: lost.length })
    for (const connection of lost) destroySocket(connection)
  })

  return Effect.forever(Effect.delay(look, looking))
}

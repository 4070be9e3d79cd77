import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { Redis as Client, RedisOptions } from "ioredis"
import { createHash } from "node:crypto"

/** The command got no answer in time, or Redis refused it. `detail` names neither arguments nor credentials. */
export class RedisError extends Schema.TaggedError<RedisError>()("RedisError", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/** A Lua script and the hash that Redis caches it under. */
export interface Script {
  readonly lua: string
  readonly sha1: string
}

/** Prepares a script for `Redis.run`. */
export const script = (lua: string): Script => ({ lua, sha1: createHash("sha1").update(lua).digest("hex") })

// A stopped, unreachable or hanging Redis has to fail a command at once. No command is queued, resent or retried, and a
// silent connection is dropped and opened anew.
const options = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1000,
  disconnectTimeout: 250,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 1000),
  // After a failover the old primary refuses writes until the address is resolved again.
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY")
} satisfies RedisOptions

/** How long a command waits for its answer, in milliseconds. Tests that count requests set it higher. */
export const RedisPatience = Context.Reference<number>("turma/platform/redis/RedisPatience", {
  defaultValue: () => 250
})

/** Redis as this service uses it. A command fails within 250 ms when Redis is down; the connection heals itself. */
export class Redis extends Context.Service<Redis, {
  /** Sends one command and answers with the reply as Redis gave it. */
  send(command: string, ...args: ReadonlyArray<string | number>): Effect.Effect<unknown, RedisError>
  /** Runs a script, sending its text only to a server that does not know it yet. */
  run(
    script: Script,
    keys: ReadonlyArray<string>,
    args: ReadonlyArray<string | number>
  ): Effect.Effect<unknown, RedisError>
}>()("turma/platform/redis/Redis") {
  /** Connects to the URL. Builds without Redis too, after at most about a second, and says so in the log. */
  static readonly layer = (url: Redacted.Redacted) => Layer.effect(Redis, make(url))
}

const describe = (error: unknown) => {
  if (!(error instanceof Error)) return String(error)
  // An address that resolved to several hosts fails with an empty message.
  return error.message !== "" || !("code" in error) ? error.message : String(error.code)
}

const disconnect = (client: Client) =>
  Effect.promise(async () => {
    // The reply to QUIT is only a courtesy: the connection is closed either way.
    if (client.status === "ready") await client.quit().catch(() => undefined)
    client.disconnect()
  })

const firstAttempt = (client: Client) =>
  Effect.callback<void>((resume) => {
    client.once("ready", () => resume(Effect.void))
    client.once("close", () => resume(Effect.void))
  })

const make = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  // Loaded only by who has a Redis.
  const ioredis = yield* Effect.promise(() => import("ioredis"))
  const commandTimeout = yield* RedisPatience
  const settings = { ...options, commandTimeout, socketTimeout: 4 * commandTimeout }
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new ioredis.Redis(Redacted.value(url), settings)),
    disconnect
  )
  let lastFault = "no connection"
  client.on("error", (error) => {
    lastFault = describe(error)
  })
  yield* firstAttempt(client)
  if (client.status !== "ready") {
    yield* Effect.logWarning(`Redis does not answer (${lastFault}); trying again in the background`)
  }

  const send = (command: string, ...args: ReadonlyArray<string | number>) =>
    Effect.tryPromise({
      try: () => client.call(command, ...args),
      catch: (error) => new RedisError({ detail: client.status === "ready" ? describe(error) : lastFault })
    })

  return Redis.of({
    send,
    run: ({ lua, sha1 }, keys, args) =>
      Effect.catchIf(
        send("EVALSHA", sha1, keys.length, ...keys, ...args),
        (error) => error.detail.startsWith("NOSCRIPT"),
        () => send("EVAL", lua, keys.length, ...keys, ...args)
      )
  })
})

import { Effect, Layer, type Scope } from "effect"
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { inject } from "vitest"
import { RedisPatience } from "../../src/platform/redis/Redis.ts"
import { freePort } from "./FreePort.ts"
import { command, installQuietly, mayInstall } from "./Packages.ts"
import { ifWeDie } from "./Watchdog.ts"

/** Lets commands wait 10 seconds, so a busy machine does not change the counts of a test. */
export const PatientRedisLayer = Layer.succeed(RedisPatience, 10_000)

/** The Redis that all test files share: use keys of your own. */
export const redisUrl = (): string => inject("redisUrl")

/** A test's own Redis, empty at each start. */
export interface OwnRedis {
  readonly url: string
  readonly port: number
  /** Stops it before its scope closes, as a crash does: its clients get no message. */
  readonly stop: Effect.Effect<void>
}

/** Starts a `redis-server` on `port` or a free one, stopped with the scope. Stop and start again on the same port. */
export const startRedis = Effect.fnUntraced(function*(
  options: { readonly port?: number } = {}
): Effect.fn.Return<OwnRedis, Error, Scope.Scope> {
  const port = options.port ?? (yield* freePort)
  const { pid, stop } = yield* Effect.acquireRelease(launch(port), ({ stop }) => stop)
  yield* ifWeDie(`kill -KILL "$1"`, `${pid}`)
  return { url: `redis://127.0.0.1:${port}`, port, stop }
})

const launch = (port: number) =>
  Effect.callback<{ readonly pid: number; readonly stop: Effect.Effect<void> }>((resume) => {
    const flags = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", tmpdir()]
    const server = spawn("redis-server", flags, { stdio: ["ignore", "pipe", "ignore"] })
    const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()))
    const stop = Effect.promise(() => {
      server.kill("SIGKILL")
      return exited
    })
    let output = ""
    server.once("error", (cause) => resume(Effect.die(cause)))
    server.once("exit", () => resume(Effect.die(new Error(`redis-server stopped: ${output.trim()}`))))
    server.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("Ready to accept connections")) resume(Effect.succeed({ pid: server.pid ?? 0, stop }))
    })
  })

const missing = () => new Error("The tests need redis-server on the PATH: install Redis, or use nix develop")

/** Makes sure that there is a `redis-server`. On Debian, root installs it, without starting its service. */
export const ensureRedisServer = command("redis-server", "--version")
  .pipe(Effect.catch(() =>
    mayInstall() ? Effect.mapError(installQuietly("redis-server"), missing) : Effect.fail(missing())
  ))

import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Exit, Layer, Option, Redacted, Schedule, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { connect, createServer, type Server, type Socket } from "node:net"
import { vi } from "vitest"
import { Redis, script } from "../../../src/platform/redis/Redis.ts"
import { redisSettings } from "../../../src/platform/redis/RedisSettings.ts"
import { PatientRedisLayer, redisUrl, startRedis } from "../../harness/Redis.ts"

const redisOn = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(Redis.layer(Redacted.make(url)))), (context) => Context.get(context, Redis))

const answering = (redis: Redis["Service"]) => Effect.retry(redis.send("PING"), Schedule.spaced("20 millis"))

const listen = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(typeof address === "object" && address !== null ? Effect.succeed(address.port) : Effect.die("no port"))
      })
    }),
    () => Effect.sync(() => server.close())
  )

/** A proxy to Redis whose connections can fall silent without closing, as on a lost route. Only new ones work. */
const makeSilenceable = Effect.fnUntraced(function*(target: string) {
  const sockets = new Set<Socket>()
  let silent = false
  const port = yield* listen(createServer((client) => {
    const server = connect(Number(new URL(target).port), "127.0.0.1")
    let dead = false
    const forward = (to: Socket) => (bytes: Buffer) => {
      dead ||= silent
      if (!dead) to.write(bytes)
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    client.on("data", forward(server))
    server.on("data", forward(client))
    client.on("close", () => server.destroy())
  }))
  yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
  const silence = (on: boolean) =>
    Effect.sync(() => {
      silent = on
    })
  return { url: `redis://127.0.0.1:${port}`, silence }
})

layer(PatientRedisLayer, { excludeTestServices: true })("Redis", (it) => {
  it.effect("runs a script that the server does not know yet, and again after the server forgot it", () =>
    Effect.gen(function*() {
      const redis = yield* redisOn(redisUrl())
      const echo = script(`return {KEYS[1], ARGV[1], "${randomUUID()}"}`)
      const first = yield* redis.run(echo, ["key"], [7])
      assert.deepStrictEqual(Array.isArray(first) ? first.slice(0, 2) : first, ["key", "7"])
      yield* redis.send("SCRIPT", "FLUSH")
      assert.deepStrictEqual(yield* redis.run(echo, ["key"], [7]), first)
    }))

  it.effect("sends a script's text once", () =>
    Effect.gen(function*() {
      const redis = yield* redisOn((yield* startRedis()).url)
      const one = script("return 1")
      yield* redis.run(one, [], [])
      yield* redis.run(one, [], [])
      const stats = String(yield* redis.send("INFO", "commandstats"))
      assert.match(stats, /cmdstat_eval:calls=1,/)
      assert.match(stats, /cmdstat_evalsha:calls=2,/)
    }))

  it.effect("says what Redis refused without the command's arguments", () =>
    Effect.gen(function*() {
      const redis = yield* redisOn(redisUrl())
      const key = `test-${randomUUID()}`
      yield* redis.send("SET", key, "ann@example.com")
      const error = yield* Effect.flip(redis.send("LPUSH", key, "bob@example.com"))
      assert.match(error.detail, /^WRONGTYPE/)
      assert.notInclude(error.detail, "example.com")
    }))

  it.effect("closes its connection with its scope", () =>
    Effect.gen(function*() {
      const { url } = yield* startRedis()
      const watcher = yield* redisOn(url)
      const connections = Effect.map(watcher.send("CLIENT", "LIST"), (list) => String(list).trim().split("\n").length)
      const scope = yield* Scope.make()
      yield* Scope.provide(redisOn(url), scope)
      assert.strictEqual(yield* connections, 2)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.repeat(connections, { until: (count) => count === 1 })
    }))
})

layer(Layer.empty, { excludeTestServices: true })("Redis that does not answer", (it) => {
  it.effect("starts while Redis is down, fails commands, and connects when it comes", () =>
    Effect.gen(function*() {
      const printed = vi.spyOn(console, "error")
      const { port, stop, url } = yield* startRedis()
      yield* stop
      const redis = yield* redisOn(url)
      const error = yield* Effect.flip(redis.send("PING"))
      assert.match(error.detail, /ECONNREFUSED/)
      yield* startRedis({ port })
      assert.strictEqual(yield* answering(redis), "PONG")
      assert.strictEqual(printed.mock.calls.length, 0)
      printed.mockRestore()
    }))

  it.effect("fails commands while Redis is silent and gives up the silent connection for a new one", () =>
    Effect.gen(function*() {
      const way = yield* makeSilenceable(redisUrl())
      const redis = yield* redisOn(way.url)
      assert.strictEqual(yield* answering(redis), "PONG")
      yield* way.silence(true)
      const errors = yield* Effect.all(Array.from({ length: 20 }, () => Effect.flip(redis.send("PING"))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(errors.length, 20)
      yield* way.silence(false)
      assert.strictEqual(yield* answering(redis), "PONG")
    }))

  it.effect("starts against a server that accepts connections and never answers", () =>
    Effect.gen(function*() {
      const way = yield* makeSilenceable(redisUrl())
      yield* way.silence(true)
      const redis = yield* redisOn(way.url)
      yield* Effect.flip(redis.send("PING"))
      yield* way.silence(false)
      assert.strictEqual(yield* answering(redis), "PONG")
    }))
})

describe("REDIS_URL", () => {
  layer(Layer.empty)((it) => {
    const read = (settings: Record<string, string>) =>
      Effect.provide(redisSettings.REDIS_URL.read, ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))

    it.effect("may stay unset", () =>
      Effect.gen(function*() {
        assert.isTrue(Option.isNone(yield* read({})))
      }))

    it.effect.each([
      "redis://127.0.0.1",
      "redis://127.0.0.1:6379/0",
      "rediss://ann:p%40ss@redis.example:6380/12",
      "redis://[::1]:6379"
    ])("takes %s", (url) =>
      Effect.gen(function*() {
        assert.strictEqual(Redacted.value(Option.getOrThrow(yield* read({ REDIS_URL: url }))), url)
      }))

    it.effect.each([
      "redis.example:6379",
      "http://secret@redis.example",
      "redis://",
      "redis://:secret@redis.example/first",
      "redis://:secret%zz@redis.example",
      "redis://:secret@redis.example?enableOfflineQueue=true"
    ])("refuses %s without repeating it", (url) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(read({ REDIS_URL: url }))
        assert.match(error.message, /^REDIS_URL: expected redis:\/\//)
        assert.notInclude(JSON.stringify(error), "secret")
      }))
  })
})

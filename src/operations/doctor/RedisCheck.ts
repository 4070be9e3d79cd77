import { Effect, Logger, Option, type Redacted } from "effect"
import { Redis } from "../../platform/redis/Redis.ts"
import { redisSettings } from "../../platform/redis/RedisSettings.ts"
import { check, ok, problem, warning } from "./Finding.ts"

const fieldOf = (info: unknown, name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(String(info))?.[1]?.trim()

const looked = Effect.gen(function*() {
  const redis = yield* Redis
  const server = yield* redis.send("INFO", "server")
  const memory = yield* redis.send("INFO", "memory")
  const found = ok("Redis", `version ${fieldOf(server, "redis_version") ?? "unknown"} answers`)
  const policy = fieldOf(memory, "maxmemory_policy") ?? "unknown"
  const isKept = policy === "noeviction" || policy.startsWith("volatile-")
  return [
    found,
    isKept
      ? ok("Redis eviction", `${policy}: counters stay`)
      : warning(
        "Redis eviction",
        `${policy}: counters are thrown away when memory is full, and limits begin anew`,
        "CONFIG SET maxmemory-policy noeviction"
      )
  ]
})

const ask = (url: Redacted.Redacted) =>
  looked.pipe(
    Effect.provide(Redis.layer(url)),
    Effect.catchTag("RedisError", ({ detail }) =>
      Effect.succeed([
        problem(
          "Redis",
          `does not answer: ${detail}`,
          "Is it running, and is REDIS_URL right? Each process counts writes by itself, and nobody counts credentials"
        )
      ])),
    // It says itself that it does not answer.
    Effect.provide(Logger.layer([]))
  )

/** Redis: whether it answers, its version, and whether it keeps what it has. */
export const redisCheck = check(
  "Redis",
  Effect.flatMap(
    redisSettings.REDIS_URL.read,
    Option.match({
      onNone: () =>
        Effect.succeed([ok("Redis", "REDIS_URL is unset: the processes of one command count for themselves")]),
      onSome: ask
    })
  )
)

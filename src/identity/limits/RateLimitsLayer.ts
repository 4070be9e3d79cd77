import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentMember, CurrentPerson, CurrentStudent } from "../people/Identity.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { ClubWrites, CredentialPosts, IpWrites, PersonWrites, PlatformHooks, StudentWrites } from "./RateLimit.ts"
import { refuseUncounted, WriteCounters } from "./WriteCounters.ts"

/** Counts a request in which a credential is sent, against its IP address; fails where it cannot be counted. */
export const credentialCount = Effect.gen(function*() {
  const address = yield* ClientAddress
  const counters = yield* WriteCounters
  return Effect.flatMap(address.key, (key) => counters.count("credentials", key))
    .pipe(Effect.catchTag("CounterUnavailable", () => refuseUncounted))
})

/** Counts a write outside clubs against its IP address. */
export const ipWriteCount = Effect.gen(function*() {
  const address = yield* ClientAddress
  const counters = yield* WriteCounters
  return Effect.flatMap(address.key, (key) => counters.countWrite("ip-writes", key))
})

const CredentialPostsLayer = Layer.effect(
  CredentialPosts,
  Effect.gen(function*() {
    const count = yield* credentialCount
    return CredentialPosts.of(Effect.fnUntraced(function*(httpEffect) {
      const { method } = yield* HttpServerRequest.HttpServerRequest
      if (method === "POST") yield* count
      return yield* httpEffect
    }))
  })
)

const IpWritesLayer = Layer.effect(
  IpWrites,
  Effect.gen(function*() {
    const count = yield* ipWriteCount
    // Reads are not counted, so their address is not computed.
    return IpWrites.of((httpEffect, { endpoint }) =>
      endpoint.method === "GET" ? httpEffect : Effect.andThen(count, httpEffect)
    )
  })
)

const PlatformHooksLayer = Layer.effect(
  PlatformHooks,
  Effect.gen(function*() {
    const address = yield* ClientAddress
    const counters = yield* WriteCounters
    const count = Effect.flatMap(address.key, (key) => counters.countWrite("platform-hooks", key))
    return PlatformHooks.of((httpEffect) => Effect.andThen(count, httpEffect))
  })
)

const ClubWritesLayer = Layer.effect(
  ClubWrites,
  Effect.gen(function*() {
    const counters = yield* WriteCounters
    const count = Effect.flatMap(CurrentMember, ({ club }) => counters.countWrite("club-writes", club.id))
    return ClubWrites.of((httpEffect) => Effect.andThen(count, httpEffect))
  })
)

const StudentWritesLayer = Layer.effect(
  StudentWrites,
  Effect.gen(function*() {
    const counters = yield* WriteCounters
    const count = Effect.flatMap(CurrentStudent, ({ student }) => counters.countWrite("student-writes", student.id))
    return StudentWrites.of((httpEffect) => Effect.andThen(count, httpEffect))
  })
)

const PersonWritesLayer = Layer.effect(
  PersonWrites,
  Effect.gen(function*() {
    const counters = yield* WriteCounters
    const count = Effect.flatMap(CurrentPerson, ({ club }) => counters.countWrite("club-writes", club.id))
    return PersonWrites.of((httpEffect) => Effect.andThen(count, httpEffect))
  })
)

/** Every counting middleware of the contract. Needs `WriteCounters` and `ClientAddress`. */
export const RateLimitsLayer = Layer.mergeAll(
  CredentialPostsLayer,
  IpWritesLayer,
  PlatformHooksLayer,
  ClubWritesLayer,
  StudentWritesLayer,
  PersonWritesLayer
)

import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { Targets } from "../../../../src/webhooks/send/Targets.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { attemptRows, deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, second, soon, still } from "./Engine.ts"

/** The address of every endpoint, unless a test sets another one. */
const shared = "receiver.example"
const stranger = ClubId.make("00000000-0000-7000-8000-000000000001")

class Counted extends Targets {
  /** How often the dispatcher asked for room. */
  asked = 0
  override take(...asked: Parameters<Targets["take"]>): boolean {
    this.asked += 1
    return super.take(...asked)
  }
}

/** A network that does not answer yet. Each address takes this many attempts at once. */
const crowdedAt = Effect.fnUntraced(function*(most: number) {
  const network = yield* FakeNetwork
  const targets = new Counted(most, () => 0)
  network.targets = targets
  network.respond = () => undefined
  network.posted.length = 0
  network.open.most = 0
  return { network, targets }
})

/** The same network, in which a stranger's club uses all the room of the shared address. */
const full = Effect.tap(crowdedAt(1), ({ targets }) => Effect.sync(() => assert.isTrue(targets.take(shared, stranger))))

const isSucceeded = ({ status }: { readonly status: string }) => status === "succeeded"

describe("An address that many endpoints share", () => {
  layer(engineLayer())((it) => {
    it.effect("gets no more attempts at once than it may, some of every club, and each delivery once", () =>
      Effect.gen(function*() {
        const { network } = yield* crowdedAt(4)
        const made = yield* Effect.forEach(
          [1, 2, 3],
          () =>
            Effect.flatMap(
              makeClub(),
              (club) =>
                Effect.forEach([1, 2, 3], () =>
                  Effect.flatMap(makeEndpoint(club), (endpoint) =>
                    Effect.forEach([1, 2], () => makeDelivery(endpoint))))
            )
        )
        const deliveries = made.flat(2)
        yield* soon(
          Effect.sync(() => new Set(network.posted.map(({ club_id }) => club_id)).size),
          (clubs) => clubs === 3
        )
        const served = Effect.gen(function*() {
          yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(204)))
          const rows = yield* Effect.forEach(deliveries, ({ id }) => deliveryRow(id))
          return rows.filter(isSucceeded).length
        })
        yield* soon(served, (count) => count === deliveries.length)
        for (const { id } of deliveries) {
          assert.lengthOf(yield* attemptRows(id), 1)
          assert.strictEqual((yield* deliveryRow(id)).attempts_count, 1)
        }
        assert.lengthOf(network.posted, deliveries.length)
        assert.isAtMost(network.open.most, 4)
      }))
  })

  layer(engineLayer())((it) => {
    it.effect("is asked once a second while it is full, which counts as no attempt, and at once when it has room", () =>
      Effect.gen(function*() {
        const { network, targets } = yield* full
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        yield* soon(Effect.sync(() => targets.asked), (asked) => asked > 1)
        const before = targets.asked
        yield* Effect.repeat(second, { times: 9 })
        assert.isAtMost(targets.asked - before, 10)
        assert.isAtLeast(targets.asked - before, 9)
        assert.deepInclude(yield* deliveryRow(id), { attempts_count: 0, status: "pending" })
        assert.lengthOf(yield* attemptRows(id), 0)
        assert.deepInclude(yield* laneRow(endpoint), { consecutive_failures: 0, holds: 0, failing_since: null })
        assert.lengthOf(network.posted, 0)
        targets.release(shared, stranger)
        yield* still
        assert.lengthOf(network.posted, 1)
        yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(204)))
        assert.strictEqual((yield* soon(deliveryRow(id), isSucceeded)).attempts_count, 1)
      }))

    it.effect("holds up an endpoint no longer than until it has moved to another", () =>
      Effect.gen(function*() {
        const { network, targets } = yield* full
        const endpoint = yield* makeEndpoint(yield* makeClub())
        yield* Effect.forEach([1, 2, 3, 4, 5], () => makeDelivery(endpoint))
        yield* soon(Effect.sync(() => targets.asked), (asked) => asked > 1)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update webhook_endpoints set url = 'https://moved.example/hook' where id = ${endpoint.id}`
        network.targets = new Targets(64, () => 0)
        const peer = { peer_address: "192.0.2.7", tls_version: null, certificate_ends_at: null }
        network.respond = () => answered(204, { peer })
        yield* Effect.andThen(second, second)
        assert.lengthOf(network.posted, 5)
      }))
  })

  layer(engineLayer({ WEBHOOK_CONCURRENCY: "2" }))((it) => {
    it.effect.each(["schedule", "manual"] as const)(
      "is waited for without the slot that others wait for: %s",
      (trigger) =>
        Effect.gen(function*() {
          const { network, targets } = yield* full
          network.respond = () => answered(204)
          const waiting = yield* makeDelivery(yield* makeEndpoint(yield* makeClub()), { trigger })
          yield* soon(Effect.sync(() => targets.asked), (asked) => asked > 1)
          const other = yield* makeEndpoint(yield* makeClub(), { url: "https://other.example/hook" })
          const { id } = yield* makeDelivery(other)
          yield* soon(deliveryRow(id), isSucceeded)
          assert.lengthOf(network.posted, 1)
          targets.release(shared, stranger)
          assert.strictEqual((yield* soon(deliveryRow(waiting.id), isSucceeded)).attempts_count, 1)
        })
    )
  })
})

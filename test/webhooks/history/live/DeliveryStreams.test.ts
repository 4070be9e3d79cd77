import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import type { MemberIdentity } from "../../../../src/identity/people/Identity.ts"
import { SessionId } from "../../../../src/identity/people/Session.ts"
import { SessionStore } from "../../../../src/identity/sessions/SessionStore.ts"
import { DeliveryStreams } from "../../../../src/webhooks/history/live/DeliveryStreams.ts"
import { mostOfClub, mostOfCredential, mostOfProcess } from "../../../../src/webhooks/history/live/StreamPlaces.ts"
import { at, listAt, outcome, send } from "../../../harness/App.ts"
import { eventsIn, followPath } from "../../../harness/EventStream.ts"
import { ago, ended, makeDelivery } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  list,
  readDelivery,
  register,
  type Registered,
  resend,
  WebhooksLayer
} from "../../Registering.ts"

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))

const follow = ({ path, token }: Registered, query = "") => followPath(`${path}/deliveries/stream${query}`, token)
const followAll = ({ club, token }: Registered, query = "") =>
  followPath(`${club.path}/webhook-deliveries/stream${query}`, token)

const told = (wire: string) =>
  eventsIn(wire).filter(({ event }) => event === "delivery").map(({ data }) => ({
    id: at(data, "id"),
    status: at(data, "status")
  }))

const isListed = ({ wire }: { readonly wire: string }) => eventsIn(wire).some(({ event }) => event === "listed")

/** Checks that only the empty first page came, and no time at which to reconnect. */
const endsSilently = ({ wire }: { readonly wire: string }) => {
  assert.deepStrictEqual(eventsIn(wire).map(({ event }) => event), ["listed"])
  assert.notInclude(wire.slice(wire.indexOf("listed")), "retry")
}

/** A key with the right to follow streams. */
const keyOf = Effect.fnUntraced(function*({ club, token }: Registered) {
  const body = { name: "Console", scopes: ["webhooks:read"] }
  const { json } = yield* send("POST", `${club.path}/keys`, { token, body })
  return { id: String(at(json, "data", "id")), token: String(at(json, "data", "token")) }
})

const none = SessionId.make("0190a000-0000-7000-8000-000000000001")

/** A caller with the token of the endpoint's club. */
const ownerOf = Effect.fnUntraced(function*({ club: { owner, ...club } }: Registered) {
  const { list } = yield* SessionStore
  const [session] = (yield* list({ kind: "admin", user_id: owner.id }, none)).data
  if (session === undefined) return yield* Effect.die(new Error("There is no session"))
  return {
    _tag: "Member",
    credential: { kind: "session", session },
    user: { ...owner, verified: true },
    club: { ...club, name: "", locale: "en", time_zone: "UTC", day_zone: "UTC" },
    role: "owner"
  } satisfies MemberIdentity
})

/** A worker's result, committed by another process. */
const settle = Effect.fnUntraced(function*({ id }: { readonly id: string }, status: "succeeded" | "failed") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update webhook_deliveries set status = ${status}, finished_at = created_at, next_attempt_at = null, attempts_count = 1
    where id = ${id}`
})

layer(WebhooksLayer)("The stream of an endpoint's deliveries", (it) => {
  it.effect("tells the first page, oldest first, as the list has it, and then what is new or has changed", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      yield* makeDelivery(yield* register(endpoint.club), ago("1 hours"))
      const old = yield* makeDelivery(endpoint, ago("3 hours"), ended("failed"))
      const waiting = yield* makeDelivery(endpoint, ago("2 hours"))
      const { heard, until } = yield* follow(endpoint)
      yield* until(isListed)
      assert.strictEqual(heard.status, 200)
      assert.match(String(heard.headers.get("content-type")), /^text\/event-stream/)
      assert.strictEqual(heard.headers.get("cache-control"), "no-store")
      assert.isTrue(heard.wire.startsWith("retry: 1000\n\n"))
      const first = eventsIn(heard.wire)
      assert.deepStrictEqual(first.map(({ event }) => event), ["delivery", "delivery", "listed"])
      const listed = listAt((yield* list(endpoint)).json, "data").toReversed()
      assert.deepStrictEqual(first.slice(0, 2).map(({ data }) => data), listed)
      yield* settle(waiting, "succeeded")
      yield* until(({ wire }) => told(wire).length === 3)
      const late = yield* makeDelivery(endpoint, ago("1 hours"))
      yield* until(({ wire }) => told(wire).length === 4)
      yield* resend(endpoint, old.id)
      yield* until(({ wire }) => told(wire).length === 5)
      assert.deepStrictEqual(told(heard.wire).slice(2), [
        { id: waiting.id, status: "succeeded" },
        { id: late.id, status: "pending" },
        { id: old.id, status: "failed" }
      ])
      assert.deepStrictEqual<unknown>(
        eventsIn(heard.wire).findLast(({ data }) => at(data, "id") === waiting.id)?.data,
        listAt((yield* list(endpoint)).json, "data").find((one) => at(one, "id") === waiting.id)
      )
    })))

  it.effect("tells what passes the filter no more once, as it is then, and nothing of what never did", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const [one, other] = [
        yield* makeDelivery(endpoint, ago("3 hours")),
        yield* makeDelivery(endpoint, ago("2 hours"))
      ]
      yield* makeDelivery(endpoint, ago("1 hours"), ended("succeeded"))
      const { heard, until } = yield* follow(endpoint, "?status=pending")
      yield* until(isListed)
      yield* settle(one, "failed")
      yield* until(({ wire }) => told(wire).length === 3)
      yield* settle(other, "succeeded")
      yield* until(({ wire }) => told(wire).length === 4)
      assert.deepStrictEqual(told(heard.wire), [
        { id: one.id, status: "pending" },
        { id: other.id, status: "pending" },
        { id: one.id, status: "failed" },
        { id: other.id, status: "succeeded" }
      ])
    })))

  it.effect("has a comment every 15 seconds, and ends after 5 minutes with a time to come back", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const { heard, until } = yield* follow(endpoint)
      yield* until(isListed)
      yield* until(({ ended }) => ended)
      const blocks = heard.wire.split("\n\n")
      const comments = blocks.filter((block) => block.startsWith(":")).length
      assert.isAtLeast(comments, 17)
      assert.isAtMost(comments, 20)
      assert.deepStrictEqual(blocks.slice(-2), ["retry: 1000", ""])
    })))

  it.effect("is 404 for an endpoint of another club, and its name hides no delivery's", () =>
    Effect.gen(function*() {
      const [endpoint, stranger] = [yield* registered, yield* registered]
      const there = `${endpoint.club.path}/webhook-endpoints/${stranger.endpoint_id}/deliveries/stream`
      assert.deepStrictEqual(outcome(yield* send("GET", there, endpoint)), [404, "not_found"])
      const delivery = yield* makeDelivery(endpoint, ago("1 hours"))
      assert.strictEqual((yield* readDelivery(endpoint, delivery.id)).status, 200)
    }))
})

layer(WebhooksLayer)("The stream of all deliveries", (it) => {
  it.effect("tells those of every endpoint, in every process that is asked, whichever wrote them", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const other = yield* register(endpoint.club)
      const stranger = yield* registered
      const member = yield* ownerOf(endpoint)
      // Another process: all of its services are new, and only the database is shared.
      const elsewhere = Context.get(yield* Layer.build(Layer.fresh(DeliveryStreams.layer)), DeliveryStreams)
      const there: Array<string> = []
      const decoder = new TextDecoder()
      yield* (yield* elsewhere.follow(member, { limit: 25 })).pipe(
        Stream.runForEach((bytes) => Effect.sync(() => void there.push(decoder.decode(bytes)))),
        Effect.forkScoped
      )
      const { heard, until } = yield* followAll(endpoint)
      yield* until(isListed)
      const made = [yield* makeDelivery(endpoint, ago("2 hours")), yield* makeDelivery(other, ago("1 hours"))] as const
      yield* makeDelivery(stranger, ago("1 hours"))
      yield* until(({ wire }) => told(wire).length >= 2 && told(there.join("")).length >= 2)
      yield* settle(made[1], "failed")
      yield* until(({ wire }) => told(wire).length >= 3 && told(there.join("")).length >= 3)
      const expected = [
        { id: made[0].id, status: "pending" },
        { id: made[1].id, status: "pending" },
        { id: made[1].id, status: "failed" }
      ]
      assert.deepStrictEqual(told(heard.wire), expected)
      assert.deepStrictEqual(told(there.join("")), expected)
    })))

  it.effect("ends with the session", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const { heard, until } = yield* followAll(endpoint)
      yield* until(isListed)
      yield* send("DELETE", "/v1/auth/session", endpoint)
      yield* makeDelivery(endpoint, ago("1 hours"))
      yield* until(({ ended }) => ended)
      endsSilently(heard)
    })))

  it.effect("ends with a session that is not used, although it is listened to", () =>
    Effect.scoped(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered
      const { heard, until } = yield* followAll(endpoint)
      yield* until(isListed)
      yield* sql`
        update user_sessions set last_seen_at = ${DateTime.toDateUtc(ago("7 days"))}
        where user_id = ${endpoint.club.owner.id}`
      yield* makeDelivery(endpoint, ago("1 hours"))
      yield* until(({ ended }) => ended)
      endsSilently(heard)
    })))

  it.effect("ends within seconds where there is nothing to tell", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const { heard, until } = yield* followAll(endpoint)
      yield* until(isListed)
      yield* send("DELETE", "/v1/auth/session", endpoint)
      yield* until(({ ended }) => ended)
      endsSilently(heard)
    })))

  it.effect("ends when its reader is no administrator any more", () =>
    Effect.scoped(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* registered
      const { heard, until } = yield* followAll(endpoint)
      yield* until(isListed)
      yield* sql`
        update members set role = 'editor' where club_id = ${endpoint.club_id} and user_id = ${endpoint.club.owner.id}`
      yield* makeDelivery(endpoint, ago("1 hours"))
      yield* until(({ ended }) => ended)
      endsSilently(heard)
    })))

  it.effect("ends with the key that opened it", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const key = yield* keyOf(endpoint)
      const { heard, until } = yield* followPath(`${endpoint.club.path}/webhook-deliveries/stream`, key.token)
      yield* until(isListed)
      yield* until(({ wire }) => wire.includes(": still there"))
      yield* send("DELETE", `${endpoint.club.path}/keys/${key.id}`, endpoint)
      yield* makeDelivery(endpoint, ago("1 hours"))
      yield* until(({ ended }) => ended)
      endsSilently(heard)
    })))
})

layer(WebhooksLayer)("Of streams", (it) => {
  it.effect("a club has so many at a time, and another as soon as one has ended", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const keys = yield* Effect.replicateEffect(keyOf(endpoint), mostOfClub / mostOfCredential)
      const open = yield* Effect.forEach(
        keys.flatMap(({ token }) => Array.from({ length: mostOfCredential }, () => ({ ...endpoint, token }))),
        (asking) => follow(asking)
      )
      for (const { until } of open) yield* until(isListed)
      const refused = yield* send("GET", `${endpoint.club.path}/webhook-deliveries/stream`, endpoint)
      assert.deepStrictEqual(outcome(refused), [429, "delivery_stream_limit_reached"])
      assert.strictEqual(refused.headers["retry-after"], "5")
      const stranger = yield* follow(yield* registered)
      yield* stranger.until(isListed)
      yield* open[0]?.close ?? Effect.void
      let status = 429
      while (status === 429) {
        const again = yield* followAll(endpoint)
        yield* again.until(({ ended, status }) => ended || status !== 0)
        status = again.heard.status
      }
      assert.strictEqual(status, 200)
    })))

  it.effect("a session or key has its own share, and leaves the club's others theirs", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const key = yield* keyOf(endpoint)
      for (const token of [endpoint.token, key.token]) {
        for (let count = 0; count < mostOfCredential; count++) {
          yield* (yield* follow({ ...endpoint, token })).until(isListed)
        }
        const refused = yield* send("GET", `${endpoint.club.path}/webhook-deliveries/stream`, { token })
        assert.deepStrictEqual(outcome(refused), [429, "delivery_stream_limit_reached"])
        assert.strictEqual(refused.headers["retry-after"], "5")
      }
    })))

  it.effect("one that nobody reads asks for nothing, and is let go of", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const member = yield* ownerOf(endpoint)
      const { follow } = yield* DeliveryStreams
      // Only the first stream asks the database for the club's founder. Later streams begin at once.
      yield* Effect.scoped(Effect.asVoid(follow(member, { limit: 25 })))
      const request = yield* Effect.forkChild(
        Effect.scoped(Effect.flatMap(follow(member, { limit: 25 }), (stream) =>
          Stream.runForEach(stream, () =>
            Effect.never))),
        { startImmediately: true }
      )
      yield* TestClock.adjust("5 minutes")
      assert.isUndefined(request.pollUnsafe())
      yield* TestClock.adjust("30 seconds")
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(request)))
    }))
})

layer(WebhooksLayer)("A process", (it) => {
  it.effect("has so many streams at a time, and is busy for everybody else", () =>
    Effect.scoped(Effect.gen(function*() {
      const endpoint = yield* registered
      const member = yield* ownerOf(endpoint)
      const streams = yield* DeliveryStreams
      for (let n = 0; n < mostOfProcess; n++) {
        const id = `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`
        const session = { ...member.credential.session, id: SessionId.make(id) }
        const club = { ...member.club, id: ClubId.make(id.replace("8000", "8001")) }
        // The stream needs no reader, since it takes a place anyway.
        yield* Effect
          .asVoid(streams.follow({ ...member, club, credential: { kind: "session", session } }, { limit: 25 }))
      }
      const refused = yield* send("GET", `${endpoint.club.path}/webhook-deliveries/stream`, endpoint)
      assert.deepStrictEqual(outcome(refused), [503, "temporarily_unavailable"])
      assert.strictEqual(refused.headers["retry-after"], "5")
    })))
})

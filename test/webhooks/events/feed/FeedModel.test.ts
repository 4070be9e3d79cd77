import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Random } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import { EventSources } from "../../../../src/events/EventSources.ts"
import type { EventId } from "../../../../src/events/EventType.ts"
import { Outbox } from "../../../../src/events/Outbox.ts"
import { studentEvents } from "../../../../src/membership/students/StudentEvents.ts"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { Partitions } from "../../../../src/platform/sql/Partitions.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { WebhookErasureLayer } from "../../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { FeedPages } from "../../../../src/webhooks/events/feed/FeedPages.ts"
import { WebhookRules } from "../../../../src/webhooks/model/WebhookSettings.ts"
import { created } from "../../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { freshDatabaseUrl, postgresLayerAt } from "../../../harness/Postgres.ts"
import { makeEndpoint } from "../assembly/Assembly.ts"

// Takes long: 64 writers and 12 readers work at once, in many orders.

const writers = 64
const changesOfWriter = 4
const assemblers = 6
const readers = 12

/** A connection for each writer, since all have a transaction open at once. */
const Database = Layer.unwrap(Effect.map(freshDatabaseUrl, (url) => postgresLayerAt(url, writers + 20)))

const TestLayer = Layer.merge(Assembler.layer, FeedPages.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ClockGuard.layer, Partitions.layer, LaneChanges.layer, WebhookRules.layer)),
  Layer.provideMerge(Layer.merge(Events.layer, Outbox.layer)),
  Layer.provideMerge(EventSources.layer([studentEvents])),
  Layer.provideMerge(WebhookErasureLayer),
  Layer.provideMerge(Database),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

/** A club, its committed facts, and the events of its feed that readers have seen. */
const openClub = Effect.gen(function*() {
  const club = yield* makeClub()
  yield* makeEndpoint(club)
  return {
    club,
    student: yield* makeStudent(club),
    committed: new Set<EventId>(),
    seen: new Map<number, { readonly id: string; readonly cursor: string }>()
  }
})
type OpenClub = Effect.Success<typeof openClub>

const oneOf = <A>(all: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, all.length - 1), (index) => all[index] ?? assert.fail())

/** A slow transaction, which may roll back. */
const change = Effect.fnUntraced(function*(clubs: ReadonlyArray<OpenClub>) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const { club, committed, student } = yield* oneOf(clubs)
  const count = yield* Random.nextIntBetween(1, 3)
  const statements = yield* Random.nextIntBetween(0, 12)
  const isKept = (yield* Random.next) < 0.9
  const exit = yield* events.recordAll(club.id, Array.from({ length: count }, () => created(student))).pipe(
    Effect.tap(() => Effect.replicateEffect(sql`select 1`, statements)),
    Effect.tap(() => isKept ? Effect.void : Effect.fail("changed my mind")),
    sql.withTransaction,
    Effect.exit
  )
  if (Exit.isSuccess(exit)) { for (const id of exit.value) committed.add(id) }
  yield* TestClock.adjust("40 millis")
})

/** Cuts the connection of an assembly, in this database alone, that has locked endpoints or the end of a feed. */
const cut = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select pg_terminate_backend(pid) from pg_locks
    where database = (select oid from pg_database where datname = current_database())
      and relation in ('webhook_endpoints'::regclass, 'webhook_feeds'::regclass)
      and mode in ('RowShareLock', 'RowExclusiveLock') and pid <> pg_backend_pid()
    order by random() limit 1`)

/** Assembles, and sometimes dies on the way: by an interruption, or by a lost connection. */
const assembling = Effect.fnUntraced(function*(isOver: () => boolean) {
  const { assemble } = yield* Assembler
  while (!isOver()) {
    const limit = yield* Random.nextIntBetween(1, 30)
    const fiber = yield* Effect.forkChild(Effect.exit(assemble(limit)))
    const fate = yield* Random.next
    if (fate < 0.3) {
      yield* Effect.replicateEffect(Effect.yieldNow, yield* Random.nextIntBetween(0, 60))
      yield* fate < 0.2 ? Fiber.interrupt(fiber) : Effect.exit(cut)
    }
    yield* Fiber.await(fiber)
    yield* TestClock.adjust("20 millis")
  }
})

/** Reads on from a place that some reader has seen, and checks that numbers have no gap. */
const readOn = Effect.fnUntraced(function*({ club, seen }: OpenClub) {
  const pages = yield* FeedPages
  const limit = yield* Random.nextIntBetween(1, 9)
  const number = yield* Random.nextIntBetween(0, seen.size)
  const after = seen.get(number)?.cursor
  const { page } = yield* pages.from(club, { after }, { limit })
  page.data.forEach((event, index) => {
    assert.strictEqual(event.number, (after === undefined ? 0 : number) + index + 1)
    const before = seen.get(event.number)
    if (before !== undefined) assert.deepStrictEqual(before, { id: event.id, cursor: event.cursor })
    seen.set(event.number, { id: event.id, cursor: event.cursor })
  })
  // The place of a page must not skip events that the reader has not seen.
  const last = page.data.at(-1)
  if (last !== undefined) assert.strictEqual(page.cursor, last.cursor)
})

/** Follows the feed from its beginning to its final end. */
const follow = Effect.fnUntraced(function*({ club }: OpenClub, isOver: () => boolean) {
  const pages = yield* FeedPages
  const told: Array<string> = []
  let after: string | undefined
  while (true) {
    const wasOver = isOver()
    const { page } = yield* pages.from(club, { after }, { limit: yield* Random.nextIntBetween(1, 20) })
    told.push(...page.data.map(({ id }) => id))
    after = page.cursor
    if (wasOver && page.next_cursor === null) return told
  }
})

layer(TestLayer)("The feed of a club with 64 writers and assemblies that die", (it) => {
  it.effect("has every event once, in one order, for every reader, whenever and wherever it reads", () =>
    Effect.gen(function*() {
      const { assemble } = yield* Assembler
      const outbox = yield* Effect.map(SqlClient.SqlClient, (sql) => sql`select 1 from event_outbox limit 1`)
      const clubs = yield* Effect.replicateEffect(openClub, 2)
      let isWritten = false
      const isOpen = () => !isWritten
      let isOver = false
      const all = <A, E, R>(count: number, work: Effect.Effect<A, E, R>) =>
        Effect.replicateEffect(work, count, { concurrency: "unbounded" })
      const writing = Effect.replicateEffect(change(clubs), changesOfWriter, { discard: true })
      const reading = Effect.gen(function*() {
        while (isOpen()) yield* readOn(yield* oneOf(clubs))
      })
      const followers = yield* Effect.forkChild(Effect.forEach(clubs, (club) =>
        all(3, follow(club, () => isOver)), { concurrency: "unbounded" }))
      yield* Effect.all([
        Effect.ensuring(all(writers, writing), Effect.sync(() => void (isWritten = true))),
        all(assemblers, assembling(() => isWritten)),
        all(readers, reading)
      ], { concurrency: "unbounded" }).pipe(Effect.provide(Logger.layer([])))
      // Facts of a dead assembly are due later.
      while ((yield* outbox).length > 0) {
        yield* TestClock.adjust("10 minutes")
        yield* assemble()
      }
      isOver = true
      const told = yield* Fiber.join(followers)
      clubs.forEach(({ committed }, index) => {
        const [first = [], ...others] = told[index] ?? []
        assert.sameMembers(first, [...committed])
        assert.lengthOf(first, committed.size)
        for (const other of others) assert.deepStrictEqual(other, first)
      })
      assert.isAbove(clubs.reduce((sum, { committed }) => sum + committed.size, 0), writers)
    }))
})

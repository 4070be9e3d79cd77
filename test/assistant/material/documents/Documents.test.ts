import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MaterialChanges } from "../../../../src/assistant/material/changes/MaterialChanges.ts"
import { ChunksRepo } from "../../../../src/assistant/material/ChunksRepo.ts"
import { DocumentReadings } from "../../../../src/assistant/material/documents/DocumentReadings.ts"
import { Documents } from "../../../../src/assistant/material/documents/Documents.ts"
import { Pdf } from "../../../../src/assistant/material/documents/Pdf.ts"
import { ReadingBudget } from "../../../../src/assistant/material/documents/ReadingBudget.ts"
import { MaterialIndex } from "../../../../src/assistant/material/MaterialIndex.ts"
import { MaterialQueue } from "../../../../src/assistant/material/MaterialQueue.ts"
import type { MediaId } from "../../../../src/learning/media/Media.ts"
import { makeBlock, makeClub, makeLesson, makeLiveLesson } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { chunksIn, Files, indexAll, makeMedia, MaterialLayer, StorageLayer } from "../MaterialLayer.ts"
import { pdfOf } from "./PdfFile.ts"

/** A changed lesson that shows a file. */
const showing = Effect.fnUntraced(function*(given: Parameters<typeof makeMedia>[1]) {
  const club = yield* makeClub()
  const live = yield* makeLiveLesson(club)
  const media = yield* makeMedia(club, given)
  yield* makeBlock(club, live.lesson, { kind: "file", media_id: media.id })
  yield* MaterialChanges.use((changes) => changes.lessons(club.id, [live.lesson.id]))
  return { ...live, club, media }
})

const readsOf = (media: { readonly id: MediaId }) =>
  Files.use(({ read }) => Effect.succeed(read.filter((key) => key === `media/${media.id}`).length))

const Reading = Schema.Struct({ outcome: Schema.String, tries: Schema.Int, reason: Schema.NullOr(Schema.String) })
const readingOf = Effect.fnUntraced(function*(media: { readonly id: MediaId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select outcome, tries, reason from media_readings where media_id = ${media.id}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Reading))(rows)
})

const pagesOf = (lesson: Parameters<typeof chunksIn>[0]) =>
  Effect.map(chunksIn(lesson), (chunks) => chunks.map(({ body, page }) => [page, body]))

const notPdf = new Uint8Array(Buffer.from("This is no PDF file at all."))
const encrypted = pdfOf(["Secret"], {
  trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -1 /O <${"61".repeat(32)}> /U <${
    "62".repeat(32)
  }> >> /ID [<61> <61>]`
})

/** Replaces the reading of this file from storage, or restores it if `instead` is undefined. */
const away = (media: { readonly id: MediaId }, instead: Effect.Effect<never> | undefined) =>
  Files.use(({ away }) =>
    Effect.sync(() => instead === undefined ? away.delete(`media/${media.id}`) : away.set(`media/${media.id}`, instead))
  )

const outage = Effect.die(new Error("No storage"))

layer(MaterialLayer)("A document that a lesson shows", (it) => {
  it.effect("is read page by page, without the pages that have no text", () =>
    Effect.gen(function*() {
      const { lesson, media } = yield* showing({ title: "Apostila", pdf: pdfOf(["A afinação.", "", "A corda (mi)."]) })
      yield* indexAll
      assert.deepStrictEqual(yield* pagesOf(lesson), [[1, "A afinação."], [3, "A corda (mi)."]])
      const [chunk] = yield* chunksIn(lesson)
      assert.deepInclude(chunk, {
        source_kind: "media",
        source_id: media.id,
        media_id: media.id,
        source_title: "Apostila"
      })
      assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "read", tries: 1, reason: null }])
    }))

  it.effect("is read once, and every lesson that shows it has its text", () =>
    Effect.gen(function*() {
      const { club, lesson, media, module } = yield* showing({ pdf: pdfOf(["One page."]) })
      yield* indexAll
      const other = yield* makeLesson(club, module)
      yield* makeBlock(club, other, { kind: "file", media_id: media.id })
      yield* MaterialChanges.use((changes) => changes.lessons(club.id, [other.id, lesson.id]))
      yield* indexAll
      assert.deepStrictEqual([yield* pagesOf(lesson), yield* pagesOf(other)], [[[1, "One page."]], [[1, "One page."]]])
      assert.strictEqual(yield* readsOf(media), 1)
    }))

  it.effect("is read by one of many processes, and by none twice", () =>
    Effect.gen(function*() {
      const { club, lesson, media, module } = yield* showing({ pdf: pdfOf(["One page."]) })
      const others = yield* Effect.forEach(Array.from({ length: 10 }), () => makeLesson(club, module))
      yield* Effect.forEach(others, (other) => makeBlock(club, other, { kind: "file", media_id: media.id }))
      yield* MaterialChanges.use((changes) => changes.lessons(club.id, others.map(({ id }) => id)))
      const { tick } = yield* MaterialIndex
      yield* Effect.all(Array.from({ length: 4 }, () => tick), { concurrency: "unbounded" })
      yield* indexAll
      for (const one of [lesson, ...others]) assert.deepStrictEqual(yield* pagesOf(one), [[1, "One page."]])
      assert.strictEqual(yield* readsOf(media), 1)
    }))

  it.effect.each([
    ["is broken", { pdf: notPdf }, "broken"],
    ["is encrypted", { pdf: encrypted }, "broken"],
    ["is too large", { pdf: pdfOf(["Much."]), size_bytes: 50 * 1024 * 1024 + 1 }, "too_large"]
  ] as const)(
    "that %s is noted with its reason, and the lesson is read without it",
    ([, given, reason]) =>
      Effect.gen(function*() {
        const { club, lesson, media } = yield* showing(given)
        yield* makeBlock(club, lesson, { kind: "text", body: "Beside it." }, { position: 2 })
        yield* indexAll
        yield* MaterialChanges.use((changes) => changes.lessons(club.id, [lesson.id]))
        yield* indexAll
        assert.deepStrictEqual(yield* pagesOf(lesson), [[null, "Beside it."]])
        assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "unreadable", tries: 1, reason }])
      })
  )

  it.effect("that is deleted while it is read is waited for by nobody who holds its reading", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, media } = yield* showing({ pdf: pdfOf(["One page."]) })
      const { tick } = yield* MaterialIndex
      yield* sql`
        insert into media_readings (club_id, media_id, outcome, started_at)
        values (${club.id}, ${media.id}, 'reading', ${new Date(-1_000_000_000)})`
      const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const deleting = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        // PostgreSQL cancels the transaction that finds the deadlock first.
        yield* sql`set local deadlock_timeout = '10ms'`
        yield* sql`select 1 from media where id = ${media.id} for update`
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(go)
        yield* sql`update blocks set media_id = null, deleted_at = ${new Date(0)} where media_id = ${media.id}`
        yield* sql`delete from media where id = ${media.id}`
      })))
      yield* Deferred.await(held)
      const reading = yield* Effect.forkChild(tick)
      yield* untilBlocked()
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(deleting)
      yield* Fiber.join(reading)
      assert.deepStrictEqual(yield* sql`select 1 from media_texts where media_id = ${media.id}`, [])
    }))

  it.effect("whose file is not there is noted", () =>
    Effect.gen(function*() {
      const { media } = yield* showing({ pdf: notPdf })
      yield* Files.use(({ kept }) => Effect.sync(() => kept.clear()))
      yield* indexAll
      assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "unreadable", tries: 1, reason: "missing" }])
    }))

  it.effect("that ended whoever read it is tried three times in all, minutes apart", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = yield* DateTime.now
      const before = (minutes: number) => DateTime.toDateUtc(DateTime.subtractDuration(now, Duration.minutes(minutes)))
      const read = Effect.fnUntraced(function*(tries: number, started_at: Date) {
        const { club, media } = yield* showing({ pdf: pdfOf(["One page."]) })
        yield* sql`
          insert into media_readings ${
          sql.insert({ club_id: club.id, media_id: media.id, outcome: "reading", tries, started_at })
        }`
        yield* indexAll
        return yield* readingOf(media)
      })
      assert.deepStrictEqual(yield* read(2, before(6)), [{ outcome: "read", tries: 3, reason: null }])
      assert.deepStrictEqual(yield* read(3, before(6)), [{ outcome: "reading", tries: 3, reason: null }])
      assert.deepStrictEqual(yield* read(1, before(1)), [{ outcome: "reading", tries: 1, reason: null }])
    }))
})

layer(MaterialLayer)("A document that storage does not hand over", (it) => {
  it.effect("is asked for again, later each time, holds up nothing else of the lesson, and has lost no try by it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, lesson, media } = yield* showing({ pdf: pdfOf(["At last."]) })
      const other = yield* makeMedia(club, { pdf: pdfOf(["At once."]) })
      yield* makeBlock(club, lesson, { kind: "file", media_id: other.id }, { position: 2 })
      yield* makeBlock(club, lesson, { kind: "text", body: "Beside it." }, { position: 3 })
      yield* away(media, outage)
      yield* indexAll
      assert.deepStrictEqual(yield* pagesOf(lesson), [[1, "At once."], [null, "Beside it."]])
      for (const [reads, wait] of [[1, 10], [2, 20], [3, 40], [4, 80]] as const) {
        assert.strictEqual(yield* readsOf(media), reads)
        assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "reading", tries: 0, reason: null }])
        // A student's question does not wait for the file.
        yield* MaterialChanges.use((changes) => changes.settled(club.id, lesson.id))
        yield* TestClock.adjust(Duration.millis(wait * 1000 - 1))
        yield* indexAll
        assert.strictEqual(yield* readsOf(media), reads)
        yield* TestClock.adjust(Duration.millis(1))
        yield* indexAll
      }
      const [turn] = yield* sql`select spent_ms < 5000 as settled from material_turns where club_id = ${club.id}`
      assert.strictEqual(turn?.["settled"], true)
      yield* away(media, undefined)
      yield* TestClock.adjust(Duration.seconds(160))
      yield* indexAll
      assert.deepStrictEqual(yield* pagesOf(lesson), [[1, "At last."], [1, "At once."], [null, "Beside it."]])
      assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "read", tries: 1, reason: null }])
    }))

  it.effect("in 20 seconds is asked for again, too", () =>
    Effect.gen(function*() {
      const { lesson, media } = yield* showing({ pdf: pdfOf(["At last."]) })
      const asked = yield* Deferred.make<void>()
      yield* away(media, Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      const reading = yield* Effect.forkChild(indexAll)
      yield* Deferred.await(asked)
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(reading)
      assert.deepStrictEqual(yield* readingOf(media), [{ outcome: "reading", tries: 0, reason: null }])
      yield* away(media, undefined)
      yield* TestClock.adjust("10 seconds")
      yield* indexAll
      assert.deepStrictEqual(yield* pagesOf(lesson), [[1, "At last."]])
    }))
})

/** A reader of PDF files that never ends. `begun` tells when it has started. */
const looking = { begun: Deferred.makeUnsafe<void>() }
const HangingPdf = Layer.mock(Pdf)({
  pages: () => Effect.andThen(Effect.suspend(() => Deferred.succeed(looking.begun, undefined)), Effect.never)
})

const HangingLayer = Layer.mergeAll(
  DocumentReadings.layer,
  MaterialIndex.layerNoDeps.pipe(Layer.provide([
    ChunksRepo.layer,
    MaterialQueue.layer,
    Documents.layer.pipe(Layer.provide([HangingPdf, ReadingBudget.layer])),
    NodeCrypto.layerSecureRandom
  ]))
).pipe(
  Layer.provideMerge(MaterialChanges.layer),
  Layer.provide(StorageLayer),
  Layer.provideMerge(Files.layer),
  Layer.provideMerge(PostgresLayer)
)

layer(HangingLayer)("A document whose reader ends", (it) => {
  it.effect("has lost a try by it from the first look into it on, three times, and is then unreadable: crashed", () =>
    Effect.gen(function*() {
      const { tick } = yield* MaterialIndex
      const { club, media } = yield* showing({ pdf: pdfOf(["One page."]) })
      const reading = (tries: number) => [{ outcome: "reading", tries, reason: null }]
      /** Ends the reader after this has happened. */
      const endAfter = Effect.fnUntraced(function*(begun: Deferred.Deferred<void>) {
        const reader = yield* Effect.forkChild(tick)
        yield* Deferred.await(begun)
        const kept = yield* readingOf(media)
        yield* Fiber.interrupt(reader)
        yield* TestClock.adjust("90 seconds")
        return kept
      })
      const asked = yield* Deferred.make<void>()
      yield* away(media, Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      assert.deepStrictEqual(yield* endAfter(asked), reading(0))
      yield* away(media, undefined)
      const shown = Effect.map(
        DocumentReadings.use((readings) => readings.get(club.id, media.id)),
        ({ reason, status }) => [status, reason]
      )
      for (const tries of [1, 2, 3]) {
        assert.deepStrictEqual(yield* shown, ["waiting", null])
        looking.begun = yield* Deferred.make<void>()
        assert.deepStrictEqual(yield* endAfter(looking.begun), reading(tries))
        assert.deepStrictEqual(yield* readingOf(media), reading(tries))
      }
      assert.deepStrictEqual(yield* shown, ["unreadable", "crashed"])
      yield* indexAll
      assert.strictEqual(yield* readsOf(media), 4)
    }))
})

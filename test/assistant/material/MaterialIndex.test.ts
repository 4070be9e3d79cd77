import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MaterialChanges } from "../../../src/assistant/material/changes/MaterialChanges.ts"
import { retryDelay } from "../../../src/assistant/material/changes/RetryDelay.ts"
import { ChunksRepo } from "../../../src/assistant/material/ChunksRepo.ts"
import { Documents } from "../../../src/assistant/material/documents/Documents.ts"
import { MaterialIndex } from "../../../src/assistant/material/MaterialIndex.ts"
import { MaterialQueue } from "../../../src/assistant/material/MaterialQueue.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { LessonId } from "../../../src/learning/content/Lesson.ts"
import { makeBlock, makeClub, makeLiveLesson } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { chunksIn, indexAll, makeMedia, MaterialLayer, transcribe } from "./MaterialLayer.ts"

const changed = (club: { readonly id: ClubId }, lesson: { readonly id: LessonId }) =>
  MaterialChanges.use((changes) => changes.lessons(club.id, [lesson.id]))

const opened = Effect.gen(function*() {
  const club = yield* makeClub()
  return { club, ...(yield* makeLiveLesson(club)) }
})

const Queued = Schema.Struct({ asked: Schema.Int, failures: Schema.Int, due_at: Schema.DateTimeUtcFromDate })
const queueOf = Effect.fnUntraced(function*(lesson: { readonly id: LessonId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select asked, failures, due_at from material_queue where lesson_id = ${lesson.id}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Queued))(rows)
})

layer(MaterialLayer)("A lesson that has changed", (it) => {
  it.effect("is read: its texts, in the order of its blocks", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const second = yield* makeBlock(club, lesson, { kind: "text", body: "Two." }, { title: "More", position: 2 })
      const first = yield* makeBlock(club, lesson, { kind: "text", body: "  One. " }, { position: 1 })
      yield* changed(club, lesson)
      yield* indexAll
      const of = { source_kind: "lesson", media_id: null, page: null }
      assert.deepStrictEqual(yield* chunksIn(lesson), [
        { ...of, source_id: first.id, source_title: lesson.title, position: 1, body: "One." },
        { ...of, source_id: second.id, source_title: "More", position: 2, body: "Two." }
      ])
      assert.deepStrictEqual(yield* queueOf(lesson), [])
    }))

  it.effect("is read without the marks of Markdown", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const body = "# Respirar\n\nSolte o **ar** [devagar](https://example.com/#a)."
      yield* makeBlock(club, lesson, { kind: "text", body })
      yield* changed(club, lesson)
      yield* indexAll
      assert.deepStrictEqual((yield* chunksIn(lesson)).map(({ body }) => body), ["Respirar\n\nSolte o ar devagar."])
    }))

  it.effect("is read with the transcripts of its videos, each once", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const media = yield* makeMedia(club, { title: "The video" })
      yield* transcribe(club, media, "Hello everybody.")
      yield* makeBlock(club, lesson, { kind: "video", media_id: media.id }, { position: 1 })
      yield* makeBlock(club, lesson, { kind: "video", media_id: media.id }, { position: 2 })
      yield* MaterialChanges.use((changes) => changes.media(club.id, media.id))
      yield* indexAll
      assert.deepStrictEqual(yield* chunksIn(lesson), [{
        source_kind: "media",
        source_id: media.id,
        source_title: "The video",
        media_id: media.id,
        page: null,
        position: 1,
        body: "Hello everybody."
      }])
    }))

  it.effect("keeps no chunk of what it was before, and none of quizzes, tasks and deleted blocks", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, lesson } = yield* opened
      const block = yield* makeBlock(club, lesson, { kind: "text", body: "Before." })
      const gone = { deleted_at: yield* DateTime.now }
      yield* makeBlock(club, lesson, { kind: "text", body: "Gone." }, { position: 2, ...gone })
      yield* makeBlock(club, lesson, { kind: "assignment", body: "Do it." }, { position: 3 })
      const question = { id: block.id, text: "Q", options: [{ id: block.id, text: "A", correct: true }] }
      yield* makeBlock(club, lesson, { kind: "quiz", pass_percent: 50, questions: [question] }, { position: 4 })
      yield* changed(club, lesson)
      yield* indexAll
      yield* sql`update blocks set body = 'After.' where id = ${block.id}`
      yield* changed(club, lesson)
      yield* indexAll
      assert.deepStrictEqual((yield* chunksIn(lesson)).map(({ body }) => body), ["After."])
    }))

  it.effect("has no chunks when it is deleted", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, lesson } = yield* opened
      yield* makeBlock(club, lesson)
      yield* changed(club, lesson)
      yield* indexAll
      yield* sql`update lessons set deleted_at = created_at where id = ${lesson.id}`
      yield* changed(club, lesson)
      yield* indexAll
      assert.deepStrictEqual(yield* chunksIn(lesson), [])
    }))

  it.effect("is cut into as many chunks as it needs, more than one statement takes", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      const media = yield* makeMedia(club)
      yield* transcribe(club, media, "Seven words are in this very sentence. ".repeat(12_500))
      yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
      yield* transcribe(club, media, "Seven words are in this very sentence. ".repeat(12_500))
      const other = yield* makeMedia(club)
      yield* transcribe(club, other, "Another sentence stands in this text. ".repeat(12_500))
      yield* makeBlock(club, lesson, { kind: "video", media_id: other.id }, { position: 2 })
      yield* changed(club, lesson)
      yield* indexAll
      const chunks = yield* chunksIn(lesson)
      assert.isAbove(chunks.length, 500)
      assert.deepStrictEqual(chunks.map(({ position }) => position), chunks.map((_, index) => index + 1))
    }))

  it.effect("is read once, however many processes take what is due", () =>
    Effect.gen(function*() {
      const { club, lesson, module: _ } = yield* opened
      const others = yield* Effect.forEach(Array.from({ length: 20 }), () => makeLiveLesson(club))
      const lessons = [lesson, ...others.map(({ lesson }) => lesson)]
      yield* Effect.forEach(lessons, (one) => makeBlock(club, one))
      yield* MaterialChanges.use((changes) => changes.lessons(club.id, lessons.map(({ id }) => id)))
      let took = 0
      const { tick } = yield* MaterialIndex
      const one = Effect.tap(tick, (some) => Effect.sync(() => (took += some)))
      yield* Effect.all(Array.from({ length: 6 }, () => Effect.repeat(one, { while: (some) => some > 0 })), {
        concurrency: "unbounded"
      })
      assert.strictEqual(took, lessons.length)
      for (const one of lessons) assert.lengthOf(yield* chunksIn(one), 1)
    }))
})

/** An action of the test during the reading of a lesson. */
const meddled = { readNew: (): Effect.Effect<number> => Effect.succeed(0) }

const MeddledLayer = MaterialIndex.layerNoDeps.pipe(
  Layer.provide(Layer.mock(Documents, { readNew: () => meddled.readNew() })),
  Layer.provide([ChunksRepo.layer, MaterialQueue.layer, NodeCrypto.layerSecureRandom]),
  Layer.provideMerge(MaterialChanges.layer),
  Layer.provideMerge(PostgresLayer)
)

layer(MeddledLayer)("A lesson that is being read", (it) => {
  it.effect("is read again when it changes meanwhile, and what was read before is not written", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const changes = yield* MaterialChanges
      const { club, lesson } = yield* opened
      yield* makeBlock(club, lesson)
      yield* changed(club, lesson)
      meddled.readNew = () => Effect.as(changes.lessons(club.id, [lesson.id]), 0)
      yield* MaterialIndex.use(({ tick }) => tick)
      assert.deepStrictEqual(yield* chunksIn(lesson), [])
      meddled.readNew = () => Effect.succeed(0)
      yield* sql`update blocks set body = 'Newer.' where lesson_id = ${lesson.id}`
      yield* MaterialIndex.use(({ tick }) => tick)
      assert.deepStrictEqual((yield* chunksIn(lesson)).map(({ body }) => body), ["Newer."])
    }))

  it.effect("is left to who took it, until the lease is over, and then written by the later one alone", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      yield* makeBlock(club, lesson)
      yield* changed(club, lesson)
      const { tick } = yield* MaterialIndex
      let meanwhile: ReadonlyArray<number> = []
      // The first reader takes longer than its lease, and another one comes twice.
      meddled.readNew = () => {
        meddled.readNew = () => Effect.succeed(0)
        return Effect.gen(function*() {
          const early = yield* tick
          yield* TestClock.adjust(Duration.minutes(6))
          meanwhile = [early, yield* tick]
          return 0
        })
      }
      yield* tick
      assert.deepStrictEqual(meanwhile, [0, 1])
      assert.lengthOf(yield* chunksIn(lesson), 1)
      assert.deepStrictEqual(yield* queueOf(lesson), [])
    }))

  it.effect("is put off when it fails, for longer each time, and at once due when it changes", () =>
    Effect.gen(function*() {
      const { club, lesson } = yield* opened
      yield* changed(club, lesson)
      meddled.readNew = () => Effect.die(new Error("No storage"))
      const { tick } = yield* MaterialIndex
      yield* tick
      const now = yield* DateTime.now
      const put = (failures: number) => ({
        asked: 1,
        failures,
        due_at: DateTime.addDuration(now, retryDelay(failures))
      })
      assert.deepStrictEqual(yield* queueOf(lesson), [put(1)])
      assert.strictEqual(yield* tick, 0)
      yield* changed(club, lesson)
      assert.deepStrictEqual(yield* queueOf(lesson), [{ asked: 2, failures: 0, due_at: now }])
      meddled.readNew = () => Effect.succeed(0)
      yield* tick
      assert.deepStrictEqual(yield* queueOf(lesson), [])
    }))
})

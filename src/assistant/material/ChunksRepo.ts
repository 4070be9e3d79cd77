import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { CourseId } from "../../learning/content/Course.ts"
import type { LessonId } from "../../learning/content/Lesson.ts"
import { MediaId } from "../../learning/media/Media.ts"
import { integers, texts, uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { plainText } from "../../platform/text/Markdown.ts"
import { chunksOf } from "./Chunks.ts"

const Source = Schema.Struct({
  course_id: CourseId,
  source_kind: Schema.Literals(["lesson", "media"]),
  source_id: Schema.String,
  source_title: Schema.String,
  media_id: Schema.NullOr(MediaId),
  page: Schema.NullOr(Schema.Int),
  body: Schema.String
})
const decodeSources = rows(Source)

/** A piece of a source, before it has an id. */
export type NewChunk = typeof Source.Type

/** Number of rows that one statement inserts. */
const rowsPerInsert = 500

/** After cutting so many pieces, in a few milliseconds, other fibers get the processor: a lesson may have megabytes. */
const piecesPerTurn = 20

/** The chunks of lessons: made from the content of a lesson, and stored for the search. */
export class ChunksRepo extends Context.Service<ChunksRepo, {
  /** The chunks of the lesson's present content, in the order of its blocks; empty for a deleted lesson. */
  make(club_id: ClubId, lesson_id: LessonId): Effect.Effect<ReadonlyArray<NewChunk>>
  /** Replaces all stored chunks of the lesson, in the caller's transaction. */
  replace(club_id: ClubId, lesson_id: LessonId, chunks: ReadonlyArray<NewChunk>): Effect.Effect<void>
}>()("turma/assistant/material/ChunksRepo") {
  static readonly layer = Layer.effect(
    ChunksRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      // A file that several blocks show is indexed once, in the place of the first block.
      const make = Effect.fn("ChunksRepo.make")(function*(club_id: ClubId, lesson_id: LessonId) {
        const sources = yield* sql`
          with block as (
            select b.*, l.course_id, l.title as lesson_title
            from lessons l join blocks b on b.club_id = l.club_id and b.lesson_id = l.id and b.deleted_at is null
            where l.club_id = ${club_id} and l.id = ${lesson_id} and l.deleted_at is null
          ), shown as (
            select distinct on (media_id) media_id, course_id, position, id from block
            where media_id is not null order by media_id, position, id
          )
          select course_id, source_kind, source_id, source_title, media_id, nullif(page, 0) as page, body from (
            select course_id, 'lesson' as source_kind, id as source_id, coalesce(title, lesson_title) as source_title,
              null::uuid as media_id, 0 as page, body, position, id
            from block where kind = 'text'
            union all
            select s.course_id, 'media', m.id, m.title, m.id, t.page, t.body, s.position, s.id
            from shown s
            join media m on m.club_id = ${club_id} and m.id = s.media_id and m.removed_at is null
            join media_texts t on t.club_id = m.club_id and t.media_id = m.id
          ) source order by position, id, source.page`.pipe(decodeSources)
        const chunks: Array<NewChunk> = []
        let cut = 0
        for (const source of sources) {
          const text = source.source_kind === "lesson" ? plainText(source.body) : source.body
          for (const piece of chunksOf(text)) {
            const body = piece.trim()
            if (body !== "") chunks.push({ ...source, body })
            cut += 1
            if (cut % piecesPerTurn === 0) yield* Effect.yieldNow
          }
        }
        return chunks
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function*(
        club_id: ClubId,
        lesson_id: LessonId,
        chunks: ReadonlyArray<NewChunk>,
        before: number
      ) {
        const ids = yield* Effect.forEach(chunks, () => random.uuidV7())
        yield* sql`
          insert into material_chunks (
            club_id, lesson_id, id, course_id, source_kind, source_id, source_title, media_id, page, position, body
          )
          select ${club_id}::uuid, ${lesson_id}::uuid, new_chunk.* from unnest(
            ${uuids(ids)}, ${uuids(chunks.map(({ course_id }) => course_id))},
            ${texts(chunks.map(({ source_kind }) => source_kind))}, ${uuids(chunks.map(({ source_id }) => source_id))},
            ${texts(chunks.map(({ source_title }) => source_title))}, ${uuids(chunks.map(({ media_id }) => media_id))},
            ${integers(chunks.map(({ page }) => page))}, ${integers(chunks.map((_, index) => before + index + 1))},
            ${texts(chunks.map(({ body }) => body))}
          ) new_chunk`
      })

      const replace = Effect.fn("ChunksRepo.replace")(
        function*(club_id: ClubId, lesson_id: LessonId, chunks: ReadonlyArray<NewChunk>) {
          yield* sql`delete from material_chunks where club_id = ${club_id} and lesson_id = ${lesson_id}`
          yield* Effect.forEach(
            Arr.chunksOf(chunks, rowsPerInsert),
            (some, index) => insert(club_id, lesson_id, some, index * rowsPerInsert),
            { discard: true }
          )
        },
        Effect.orDie
      )

      return ChunksRepo.of({ make, replace })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}

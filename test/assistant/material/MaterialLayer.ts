import { Context, DateTime, Effect, Layer, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { MaterialChanges } from "../../../src/assistant/material/changes/MaterialChanges.ts"
import { MaterialIndex } from "../../../src/assistant/material/MaterialIndex.ts"
import { Material } from "../../../src/assistant/material/search/Material.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import type { CourseId } from "../../../src/learning/content/Course.ts"
import type { LessonId } from "../../../src/learning/content/Lesson.ts"
import { MediaId } from "../../../src/learning/media/Media.ts"
import { FileMissing, Storage } from "../../../src/platform/storage/Storage.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** The files in storage by their keys, the keys of all reads, and effects that replace some reads. */
export class Files extends Context.Service<Files, {
  readonly kept: Map<string, Uint8Array<ArrayBuffer>>
  readonly read: Array<string>
  readonly away: Map<string, Effect.Effect<never>>
}>()("test/Files") {
  static readonly layer = Layer.sync(Files, () => ({ kept: new Map(), read: [], away: new Map() }))
}

export const StorageLayer = Layer.unwrap(Effect.map(Files, ({ away, kept, read }) =>
  Layer.mock(Storage)({
    read: (key) =>
      Stream.unwrap(Effect.gen(function*() {
        read.push(key)
        yield* away.get(key) ?? Effect.void
        const file = kept.get(key)
        return file === undefined ? Stream.fail(new FileMissing()) : Stream.make(file.slice())
      }))
  })))

/** The material of courses, on a separate database. */
export const MaterialLayer = Layer.mergeAll(Material.layer, MaterialIndex.layer).pipe(
  Layer.provideMerge(MaterialChanges.layer),
  Layer.provide(StorageLayer),
  Layer.provideMerge(Files.layer),
  Layer.provideMerge(PostgresLayer)
)

/** Reads all that is due. */
export const indexAll = Effect.flatMap(MaterialIndex, ({ tick }) => Effect.repeat(tick, { while: (took) => took > 0 }))

const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
  .pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** A ready item of the library: a PDF in storage, or a video elsewhere. */
export const makeMedia = Effect.fn("makeMedia")(function*(
  club: { readonly id: ClubId },
  given: { readonly title?: string; readonly pdf?: Uint8Array<ArrayBuffer>; readonly size_bytes?: number } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { kept } = yield* Files
  const id = MediaId.make(yield* newId)
  const storage_key = given.pdf === undefined ? null : `media/${id}`
  if (given.pdf !== undefined) kept.set(`media/${id}`, given.pdf)
  const media = { id, title: given.title ?? "Apostila", storage_key }
  yield* sql`
    insert into media ${
    sql.insert({
      ...media,
      club_id: club.id,
      kind: storage_key === null ? "video" : "document",
      purpose: "library",
      provider: storage_key === null ? "youtube" : "storage",
      external_id: storage_key === null ? "abc" : null,
      mime: storage_key === null ? null : "application/pdf",
      size_bytes: given.size_bytes ?? given.pdf?.length ?? null,
      status: "ready",
      visibility: "private",
      created_at: DateTime.toDateUtc(yield* DateTime.now)
    })
  }`
  return media
})

/** Adds a transcript to a video. */
export const transcribe = Effect.fn("transcribe")(function*(
  club: { readonly id: ClubId },
  media: { readonly id: MediaId },
  body: string
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into media_texts ${sql.insert({ club_id: club.id, media_id: media.id, page: 0, body })}
    on conflict (club_id, media_id, page) do update set body = excluded.body`
})

const Chunk = Schema.Struct({
  source_kind: Schema.String,
  source_id: Schema.String,
  source_title: Schema.String,
  media_id: Schema.NullOr(Schema.String),
  page: Schema.NullOr(Schema.Int),
  position: Schema.Int,
  body: Schema.String
})
const decodeChunks = Schema.decodeUnknownEffect(Schema.Array(Chunk))

/** The chunks of a lesson, in order. */
export const chunksIn = Effect.fn("chunksIn")(function*(lesson: { readonly id: LessonId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select source_kind, source_id, source_title, media_id, page, position, body
    from material_chunks where lesson_id = ${lesson.id} order by position`
  return yield* decodeChunks(rows)
})

/** The search results for all students of the course, or for this student. */
export const searchIn = (
  club: { readonly id: ClubId },
  lesson: { readonly id: LessonId; readonly course_id: CourseId },
  question: string,
  { limit = 5, student_id = null }: { readonly limit?: number; readonly student_id?: StudentId | null } = {}
) =>
  Material.use((material) =>
    material.search({
      club_id: club.id,
      course_id: lesson.course_id,
      lesson_id: lesson.id,
      student_id,
      question,
      limit
    })
  )

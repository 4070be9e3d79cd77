import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MediaLibrary } from "../../../src/learning/media/MediaLibrary.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

layer(AppLayer, { timeout: "120 seconds" })("In a large library", (it) => {
  it.effect("a page reads its own rows, however few are of its kind, archived or marked", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const club = yield* foundClub()
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        insert into media (
          club_id, id, kind, purpose, title, provider, status, visibility, external_id, created_at, archived_at, favorite
        )
        select ${club.id}::uuid, gen_random_uuid(), case when n % 5000 = 0 then 'audio' else 'video' end, 'library', 'Aula',
          'youtube', 'ready', 'private', 'dQw4w9WgXcQ', ${now}, case when n % 5000 > 5 then ${now}::timestamptz end,
          n % 5000 = 1
        from generate_series(1, 20000) n`
      yield* vacuumed("media")
      const sizes: Array<number> = []
      for (const archived of [true, false]) {
        for (const narrowed of [{}, { kind: "audio" as const }, { kind: "video" as const }, { favorite: true }]) {
          const page = library.list(club.id, { limit: 25, archived, ...narrowed })
          const read = Effect.map(page, ({ data }) => void sizes.push(data.length))
          assert.deepStrictEqual(yield* readingMuch(read, 60), [], JSON.stringify({ archived, ...narrowed }))
        }
      }
      assert.deepStrictEqual(sizes, [25, 0, 25, 0, 24, 4, 20, 4])
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Media } from "../../../src/learning/media/Media.ts"
import { MediaLibrary } from "../../../src/learning/media/MediaLibrary.ts"
import type { PageAnswer } from "../../../src/platform/http/Page.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

layer(AppLayer)("In a large library", (it) => {
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

  it.effect("a search looks at a bounded number of the newest, and goes on from there", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const library = yield* MediaLibrary
      const club = yield* foundClub()
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        insert into media (club_id, id, kind, purpose, title, provider, status, visibility, external_id, created_at)
        select ${club.id}::uuid, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'video', 'library',
          case when n = 10 then 'Rara' else 'Aula' end, 'youtube', 'ready', 'private', 'dQw4w9WgXcQ', ${now}
        from generate_series(1, 20000) n`
      yield* vacuumed("media")
      const search = { limit: 25, archived: false, search: "rara" }
      const seen: Array<PageAnswer<Media>> = []
      do {
        const page = library.list(club.id, { ...search, cursor: seen.at(-1)?.next_cursor ?? undefined })
        // PostgreSQL may read and sort the last half at once.
        assert.deepStrictEqual(yield* readingMuch(Effect.map(page, (page) => void seen.push(page)), 10_000), [])
      } while (typeof seen.at(-1)?.next_cursor === "string")
      assert.deepStrictEqual(seen.flatMap(({ data }) => data.map(({ title }) => title)), ["Rara"])
      assert.lengthOf(seen, 11)
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { MediaId } from "../../../src/learning/media/Media.ts"
import { MentorshipFiles } from "../../../src/learning/mentorships/MentorshipFiles.ts"
import { AppLayer, foundClub } from "../../harness/App.ts"
import { makeMedia } from "../../harness/Makers.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

/** Every table that requests must not scan has many times more rows. */
const much = 60

const Plans = Schema.Array(Schema.Struct({ "QUERY PLAN": Schema.String }))

const fill = Effect.fnUntraced(function*(club: { readonly id: string }, files: number) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  // One in ten records is a mentorship file, and one in three of these is removed.
  yield* sql`
    insert into media (
      club_id, id, kind, purpose, title, provider, status, visibility, storage_key, created_at, removed_at
    )
    select ${club.id}::uuid, gen_random_uuid(), 'document', case when n % 10 = 0 then 'mentorship' else 'library' end, 'A',
      'storage', 'ready', 'private', 'test/' || n, ${now}, case when n % 30 = 0 then ${now}::timestamptz end
    from generate_series(1, ${files}::int) n`
})

layer(AppLayer)("Among many media", (it) => {
  it.effect("a page of mentorship files reads its own rows, and one file is one row", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const files = yield* MentorshipFiles
      const [club, other, few] = [yield* foundClub(), yield* foundClub(), yield* foundClub()]
      for (const { id } of [club, other]) yield* fill({ id }, 20_000)
      yield* makeMedia(few, { purpose: "mentorship" })
      yield* vacuumed("media")
      const first = yield* files.list(club.id, { limit: 100 })
      assert.lengthOf(first.data, 100)
      const id = MediaId.make(first.data[50]?.id ?? "")
      const cursor = first.next_cursor ?? assert.fail("There is a next page")
      const work: Record<string, Effect.Effect<unknown, unknown>> = {
        first: files.list(club.id, { limit: 25 }),
        next: files.list(club.id, { limit: 25, cursor }),
        few: files.list(few.id, { limit: 25 }),
        get: files.get(club.id, id),
        download: files.download(club.id, id, false),
        remove: files.remove(club.id, id)
      }
      for (const [name, one] of Object.entries(work)) {
        // Runs seven times, so that PostgreSQL uses the plan for any club.
        assert.deepStrictEqual(
          yield* readingMuch(Effect.replicateEffect(one, name === "remove" ? 1 : 7), much * 7),
          [],
          name
        )
      }
      // Proves that the measure detects a scan.
      assert.deepStrictEqual(yield* readingMuch(sql`select count(*) from media where title = 'A'`, much), ["media"])
    }))

  it.effect("the list follows the index of mentorship files, in its order", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* foundClub()
      yield* fill(club, 20_000)
      yield* vacuumed("media")
      const plan = yield* sql`
        explain select id from media m where m.club_id = ${club.id} and m.removed_at is null and m.purpose = 'mentorship'
          and m.id < ${"ffffffff-ffff-7fff-bfff-ffffffffffff"} order by m.id desc limit 26
      `.pipe(Effect.flatMap(Schema.decodeUnknownEffect(Plans)))
      const text = plan.map((line) => line["QUERY PLAN"]).join("\n")
      assert.match(text, /using media_mentorship_idx/)
      assert.notMatch(text, /Sort|Seq Scan/)
    }))
})

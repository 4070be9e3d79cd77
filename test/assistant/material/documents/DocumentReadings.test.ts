import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, foundClub, outcome, send } from "../../../harness/App.ts"
import { makeMedia } from "../../../harness/Makers.ts"

const opened = Effect.fnUntraced(function*(given: Parameters<typeof makeMedia>[1] = {}) {
  const { id: club_id, path, token } = yield* foundClub()
  const media = yield* makeMedia({ id: club_id }, given)
  return { club_id, media, reading: send("GET", `${path}/media/${media.id}/reading`, { token }) }
})

layer(AppLayer)("The reading of a PDF file", (it) => {
  it.effect.each([
    [null, "waiting", null],
    [{ outcome: "reading" }, "reading", null],
    [{ outcome: "read", text: "Sol" }, "read", null],
    [{ outcome: "read", without_text: "pictures" }, "no_text", "pictures"],
    [{ outcome: "read", without_text: "nothing" }, "no_text", "nothing"],
    [{ outcome: "read" }, "no_text", null],
    [{ outcome: "unreadable", reason: "time" }, "unreadable", "time"],
    [{ outcome: "reading", tries: 2, minutes: 2 }, "waiting", null],
    [{ outcome: "reading", tries: 3, minutes: 2 }, "unreadable", "crashed"],
    [{ outcome: "reading", tries: 3 }, "reading", null],
    [{ outcome: "reading", tries: 2, waits_until: new Date(3_600_000) }, "waiting", null],
    [{ outcome: "read", text: "Sol", waits_until: new Date(3_600_000) }, "read", null]
  ] as const)("that is at %j is shown as %s, for the reason %s", ([kept, status, reason]) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club_id, media, reading } = yield* opened()
      const { minutes, text, ...row } = { minutes: 0, text: "", ...kept }
      const started_at = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, Duration.minutes(minutes)))
      if (kept !== null) {
        yield* sql`insert into media_readings ${sql.insert({ club_id, media_id: media.id, started_at, ...row })}`
      }
      if (text !== "") {
        yield* sql`insert into media_texts ${sql.insert({ club_id, media_id: media.id, page: 1, body: text })}`
      }
      const { json } = yield* reading
      assert.deepStrictEqual(at(json, "data"), {
        media_id: media.id,
        status,
        reason,
        started_at: kept === null ? null : started_at.toISOString()
      })
    }))

  it.effect("is of no other record, and of no other club's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(outcome(yield* (yield* opened({ purpose: "mentorship" })).reading), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* (yield* opened({ kind: "video" })).reading), [404, "not_found"])
      const { media } = yield* opened()
      const { path, token } = yield* foundClub()
      assert.deepStrictEqual(outcome(yield* send("GET", `${path}/media/${media.id}/reading`, { token })), [
        404,
        "not_found"
      ])
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, foundClub } from "../harness/App.ts"
import { announced, html, png, sendFile } from "../learning/media/Files.ts"
import { begin, complete, idOf, of, sent } from "../learning/mentorships/Files.ts"
import { assertData, assertEach, assertPages } from "./Answers.ts"
import { Media } from "./Records.ts"
import { boolean, listOf, oneOf, record, string, timestamp } from "./Shape.ts"

// Contract, Media and Endpoints 8, and http-surface on mentorship files: each field and no other.

const upload = record({
  method: oneOf("PUT"),
  url: string,
  headers: record({ "content-type": string }),
  expires_at: timestamp
})

layer(AppLayer)("The fields of a mentorship file", (it) => {
  it.effect("are those of Media from its beginning on, whichever route answers it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* begin(club, announced(png))
      assertData(begun, record({ media: Media, upload }))
      yield* sendFile(begun, png)
      const done = yield* complete(club, begun)
      assertData(done, Media)
      assert.strictEqual(at(done.json, "data", "status"), "ready")
      const one = `${club.path}/mentorship-files/${idOf(begun)}`
      yield* assertEach(club.token, Media, [["POST", `${one}/complete`], ["GET", one]])
      yield* assertPages(club.token, listOf(Media), [["GET", `${club.path}/mentorship-files`]])
      yield* assertEach(club.token, record({ url: string, expires_at: timestamp, signed: boolean }), [
        ["GET", `${one}/download`],
        ["GET", `${one}/download?inline=true`]
      ])
    }))

  it.effect("are the same where the upload failed, with why", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const begun = yield* sent(club, html)
      assert.strictEqual((yield* complete(club, begun)).status, 422)
      const answer = yield* of(club, "GET", idOf(begun))
      assertData(answer, Media)
      const { error, status } = Object(at(answer.json, "data"))
      assert.deepStrictEqual([status, typeof error], ["failed", "string"])
    }))
})

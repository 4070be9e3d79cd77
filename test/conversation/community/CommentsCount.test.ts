import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { isFirstCommentVisible, isReplyVisible } from "../../../src/conversation/visibility/Visibility.ts"
import { AppLayer, at } from "../../harness/App.ts"
import { idOf, openCommunity } from "./OpenCommunity.ts"

const both = [true, false]
const everyState = both.flatMap((pending) =>
  both.flatMap((spam) => both.flatMap((deleted) => both.map((mine) => ({ pending, spam, deleted, mine }))))
)
type State = (typeof everyState)[number]

layer(AppLayer)("The comments of a post", (it) => {
  it.effect("are counted as they are shown, whatever state each is in", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const club = yield* openCommunity
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const post_id = idOf(yield* club.post(club, club.general, "Bem-vindos"))
      const write = Effect.fnUntraced(function*({ deleted, mine, pending, spam }: State, parent_id: string | null) {
        const id = yield* random.uuidV7()
        const student_id = mine ? club.ana.id : club.bia.id
        const row = {
          club_id: club.id,
          id,
          post_id,
          parent_id,
          author: "student",
          student_id,
          body: "Oi",
          pending,
          spam
        }
        yield* sql`insert into comments ${sql.insert({ ...row, created_at: now, deleted_at: deleted ? now : null })}`
        return id
      })
      let shown = 0
      for (const first of everyState) {
        yield* write(first, null)
        if (isFirstCommentVisible(first, false, "student")) shown += 1
        for (const reply of everyState) {
          yield* write(reply, yield* write(first, null))
          const replies = isReplyVisible(reply, first, "student")
          shown += Number(replies) + Number(isFirstCommentVisible(first, replies, "student"))
        }
      }
      const countFor = (person: { readonly token: string }) =>
        Effect.map(club.read(person, post_id), ({ json }) => at(json, "data", "comments_count"))
      assert.strictEqual(yield* countFor(club.ana), shown)
      assert.strictEqual(yield* countFor(club), everyState.length * (1 + 2 * everyState.length))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
})

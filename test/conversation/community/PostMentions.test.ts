import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send } from "../../harness/App.ts"
import { callsOf, listed } from "../../membership/notifications/Notified.ts"
import { idOf, openCommunity, unknownId } from "./OpenCommunity.ts"

const mentionsIn = ({ json }: { readonly json: unknown }) => at(json, "data", "mentions")

layer(AppLayer)("A post that mentions people", (it) => {
  it.effect("names them in the author's order, and keeps them when its words change", () =>
    Effect.gen(function*() {
      const { ana, bia, general, owner, patch, post, read } = yield* openCommunity
      const written = yield* post(ana, general, { body: "Oi", mentions: [owner.id, bia.id] })
      const named = [{ id: owner.id, name: owner.name, role: "staff" }, { id: bia.id, name: bia.name, role: "student" }]
      assert.deepStrictEqual(mentionsIn(written), named)
      yield* patch(ana, idOf(written), { body: "Olá" })
      assert.deepStrictEqual(mentionsIn(yield* read(bia, idOf(written))), named)
    }))

  it.effect("notifies each student that it mentions once, but not its author", () =>
    Effect.gen(function*() {
      const { ana, bia, general, owner, path, post } = yield* openCommunity
      const { own } = callsOf({ path })
      const id = idOf(yield* post(ana, general, { title: "Sopro", body: "Oi", mentions: [owner.id, bia.id, ana.id] }))
      const fields = ["kind", "title", "excerpt", "actor_name", "target.post_id"]
      assert.deepStrictEqual(listed((yield* own(bia)).json, ...fields), [["mention", "Sopro", "Oi", ana.name, id]])
      assert.deepStrictEqual(listed((yield* own(ana)).json, ...fields), [])
    }))

  it.effect("is refused where one is unknown, of another club or removed", () =>
    Effect.gen(function*() {
      const { ana, bia, general, path, post, posts, token } = yield* openCommunity
      const stranger = yield* enrolledStudent(yield* foundClub())
      yield* send("DELETE", `${path}/students/${bia.id}`, { token })
      for (const id of [unknownId, stranger.id, bia.id]) {
        const answer = yield* post(ana, general, { body: "Oi", mentions: [ana.id, id] })
        assert.deepStrictEqual(outcome(answer), [422, "mention_unknown"])
      }
      assert.deepStrictEqual(at((yield* posts(ana, general)).json, "data"), [])
    }))

  it.effect("shows students nobody while it is hidden, and nobody at all once it is deleted", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, general, patch, post, read, remove, ...club } = yield* openCommunity
      const id = idOf(yield* post(ana, general, { body: "Oi", mentions: [bia.id] }))
      yield* comment(bia, id, "Oi")
      yield* patch(club, id, { hidden: true })
      assert.deepStrictEqual(mentionsIn(yield* read(ana, id)), [])
      assert.lengthOf(Object(mentionsIn(yield* read(club, id))), 1)
      yield* remove(ana, id)
      assert.deepStrictEqual(mentionsIn(yield* read(club, id)), [])
    }))

  it.effect("forgets a removed student who mentions somebody or is mentioned, and the kept answer with their name", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, general, path, post, read, token } = yield* openCommunity
      const theirs = yield* post(bia, general, { body: "Oi", mentions: [ana.id] }, { "idempotency-key": "k" })
      yield* post(ana, general, { body: "Oi", mentions: [bia.id] })
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      assert.deepStrictEqual(mentionsIn(yield* read(bia, idOf(theirs))), [])
      assert.isEmpty(yield* sql`select 1 from post_mentions where student_id in (${ana.id}, ${bia.id})`)
      const kept = yield* sql`select 1 from idempotency_keys where about @> ${uuids([ana.id])} and answer is not null`
      assert.isEmpty(kept)
    }))
})

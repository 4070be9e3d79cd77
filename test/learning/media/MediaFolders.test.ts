import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { record, string, timestamp, uuid } from "../../contract/Shape.ts"
import { AppLayer, at, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { begin } from "./Files.ts"

const video = { provider: "youtube", external_id: "dQw4w9WgXcQ", kind: "video", title: "Aula 1" }

const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "media", "id"))

layer(AppLayer)("A media folder", (it) => {
  it.effect("is created, renamed, listed and, once it is empty, deleted", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const made = yield* send("POST", `${club.path}/media-folders`, { ...club, body: { name: "A" } })
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(record({ id: uuid, name: string, created_at: timestamp })(at(made.json, "data")), [])
      const folder_id = String(at(made.json, "data", "id"))
      const path = `${club.path}/media-folders/${folder_id}`
      assert.strictEqual((yield* send("GET", path, club)).text, made.text)
      yield* send("PATCH", path, { ...club, body: { name: "B" } })
      const listed = yield* send("GET", `${club.path}/media-folders`, club)
      assert.deepStrictEqual(listAt(listed.json, "data").map((folder) => at(folder, "name")), ["B"])
      const inside = yield* begin(club, { ...video, folder_id })
      assert.deepStrictEqual(outcome(yield* send("DELETE", path, club)), [409, "folder_in_use"])
      const theirs = path.replace(club.path, foreign.path)
      for (const method of ["GET", "DELETE"] as const) {
        assert.deepStrictEqual(outcome(yield* send(method, theirs, foreign)), [404, "not_found"])
      }
      const stolen = yield* begin(foreign, { ...video, folder_id })
      assert.deepStrictEqual(outcome(stolen), [422, "folder_unknown"])
      yield* send("DELETE", `${club.path}/media/${idOf(inside)}`, club)
      assert.strictEqual((yield* send("DELETE", path, club)).status, 204)
      assert.deepStrictEqual(outcome(yield* send("DELETE", path, club)), [404, "not_found"])
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenOf } from "../../../harness/App.ts"
import { makeCatalogDelivery, makeEnrollment, makeItem, makeMember, makeStudent } from "../../../harness/Makers.ts"
import { isAbout } from "../../../harness/Refusals.ts"
import { openCommunity } from "../OpenCommunity.ts"

const namesIn = ({ json }: { readonly json: unknown }) => listAt(json, "data").map((person) => at(person, "name"))

/** A club with a published community, and a delivery with it that Ana has. */
const room = Effect.gen(function*() {
  const club = yield* openCommunity
  const delivery = yield* makeCatalogDelivery(club)
  yield* makeItem(club, delivery, { kind: "community", id: club.community })
  yield* makeEnrollment(club, club.ana, delivery)
  const meet = Effect.fnUntraced(function*(name: string) {
    const { id } = yield* makeStudent(club)
    yield* send("PATCH", `${club.path}/students/${id}`, { token: club.token, body: { name } })
    return { id }
  })
  const joined = (name: string) => Effect.tap(meet(name), (student) => makeEnrollment(club, student, delivery))
  const find = (q: string, { token }: { readonly token: string } = club.ana) =>
    send("GET", `${club.path}/classroom/people?q=${encodeURIComponent(q)}`, { token })
  return { ...club, delivery, find, joined, meet }
})

layer(AppLayer)("People to mention", (it) => {
  it.effect("are students and members whose name has a word that begins so, the staff first", () =>
    Effect.gen(function*() {
      const { find, joined, ...club } = yield* room
      const [rui, ana] = [yield* joined("Rui Éder"), yield* joined("Ana Rúbia")]
      yield* joined("Carla Truz")
      const member = yield* makeMember(club, "viewer")
      yield* send("PATCH", "/v1/me", { token: yield* tokenOf(member), body: { name: "Ruth" } })
      const { json, status } = yield* find("RÙ")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(json, {
        data: [
          { id: member.id, name: "Ruth", role: "staff" },
          { id: ana.id, name: "Ana Rúbia", role: "student" },
          { id: rui.id, name: "Rui Éder", role: "student" }
        ],
        next_cursor: null
      })
    }))

  it.effect("are found by any word of a name, and by words that follow each other", () =>
    Effect.gen(function*() {
      const { find, joined } = yield* room
      const name = "Zilda Maria-Clara d’Ávila"
      yield* joined(name)
      for (const q of ["zi", "zilda", "maria cla", "clara", "avila"]) {
        assert.deepStrictEqual<unknown>(namesIn(yield* find(q)), [name], q)
      }
      for (const q of ["ilda", "zilda d", "%%", "__", "  "]) assert.deepStrictEqual(namesIn(yield* find(q)), [], q)
    }))

  it.effect("are not found by their address", () =>
    Effect.gen(function*() {
      const { delivery, find, ...club } = yield* room
      const student = yield* makeStudent(club)
      yield* makeEnrollment(club, student, delivery)
      yield* send("PATCH", `${club.path}/students/${student.id}`, {
        token: club.token,
        body: { name: "Caio", email: "zebra@people.example" }
      })
      for (const q of ["ze", "zebra", "people"]) assert.deepStrictEqual(namesIn(yield* find(q)), [])
      assert.deepStrictEqual(namesIn(yield* find("caio")), ["Caio"])
    }))

  it.effect("have a course or the community in common with the student now", () =>
    Effect.gen(function*() {
      const { delivery, find, joined, meet, ...club } = yield* room
      const [now, never] = [yield* DateTime.now, yield* meet("Xisto Nunca")]
      const [ended, coming] = [yield* meet("Xisto Foi"), yield* meet("Xisto Vem")]
      yield* joined("Xisto Agora")
      const hour = Duration.hours(1)
      yield* makeEnrollment(club, ended, delivery, { revoked_at: now, revoke_reason: "manual" })
      yield* makeEnrollment(club, coming, delivery, { starts_at: DateTime.addDuration(now, hour) })
      yield* makeEnrollment(club, never, yield* makeCatalogDelivery(club))
      assert.deepStrictEqual(namesIn(yield* find("xisto")), ["Xisto Agora"])
    }))

  it.effect("have written in an open space, as long as the community shows it", () =>
    Effect.gen(function*() {
      const { bia, find, general, path, post, token, unpublish } = yield* room
      yield* send("PATCH", `${path}/students/${bia.id}`, { token, body: { name: "Xuxa" } })
      assert.deepStrictEqual(namesIn(yield* find("xuxa")), [])
      yield* post(bia, general, "Oi")
      assert.deepStrictEqual(namesIn(yield* find("xuxa")), ["Xuxa"])
      yield* unpublish
      assert.deepStrictEqual(namesIn(yield* find("xuxa")), [])
    }))

  it.effect("are neither the student nor anybody who was removed", () =>
    Effect.gen(function*() {
      const { ana, find, joined, path, token } = yield* room
      yield* send("PATCH", `${path}/students/${ana.id}`, { token, body: { name: "Xica Eu" } })
      const gone = yield* joined("Xica Foi")
      yield* joined("Xica Fica")
      yield* send("DELETE", `${path}/students/${gone.id}`, { token })
      assert.deepStrictEqual(namesIn(yield* find("xica")), ["Xica Fica"])
    }))

  it.effect("are 10 at most", () =>
    Effect.gen(function*() {
      const { find, joined } = yield* room
      yield* Effect.forEach(Array.from({ length: 11 }, (_, index) => `Xande ${index}`), joined)
      assert.lengthOf(namesIn(yield* find("xande")), 10)
    }))

  it.effect("are nobody of another club", () =>
    Effect.gen(function*() {
      const { find, joined } = yield* room
      yield* joined("Xavier")
      const other = yield* foundClub()
      const stranger = yield* enrolledStudent(other)
      const path = `${other.path}/classroom/people?q=xavier`
      assert.deepStrictEqual(namesIn(yield* send("GET", path, stranger)), [])
      assert.deepStrictEqual(outcome(yield* find("xavier", stranger)), [403, "forbidden"])
    }))

  it.effect.each(["", "a", "a".repeat(81)])("are not looked for by %j", (q) =>
    Effect.gen(function*() {
      const { find } = yield* room
      const answer = yield* find(q)
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), "q"), answer.text)
    }))
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { at, foundClub, listAt, outcome, send } from "../../harness/App.ts"

export const unknownId = "018f0000-0000-7000-8000-000000000001"

/** A club, and functions for its owner's requests below its path. */
export const openContent = Effect.fnUntraced(function*() {
  const club = yield* foundClub()
  const call = (method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT") => (path: string, body?: unknown) =>
    send(method, `${club.path}${path}`, { token: club.token, body })
  return {
    ...club,
    read: call("GET"),
    create: call("POST"),
    patch: call("PATCH"),
    put: call("PUT"),
    remove: call("DELETE")
  }
})

/** The id in an answer. */
export const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
/** One field of every listed item. */
export const listed = (answer: { readonly json: unknown }, field: string) =>
  listAt(answer.json, "data").map((one) => at(one, field))

/** Checks the opening of what is created at `all` and changed below `one`, a module or a lesson. */
export const opensInOneWay = Effect.fnUntraced(function*(
  { create, patch }: Pick<Effect.Success<ReturnType<typeof openContent>>, "create" | "patch">,
  all: string,
  one: string
) {
  const opens_at = "2026-04-02T03:00:00.000Z"
  const made = yield* create(all, { title: "A", opens_after_days: 7 })
  const changed = (body: unknown) => patch(`${one}/${idOf(made)}`, body)
  const opening = ({ json }: { readonly json: unknown }) => ({
    days: at(json, "data", "opens_after_days"),
    at: at(json, "data", "opens_at")
  })
  assert.deepStrictEqual(opening(made), { days: 7, at: null })
  assert.deepStrictEqual(opening(yield* changed({ title: "B" })), { days: 7, at: null })
  const both = [
    yield* create(all, { title: "A", opens_after_days: 7, opens_at }),
    yield* changed({ opens_at }),
    yield* changed({ opens_at, opens_after_days: 0 })
  ]
  for (const answer of both) assert.deepStrictEqual(outcome(answer), [422, "opening_ambiguous"])
  assert.deepStrictEqual(opening(yield* changed({ opens_at, opens_after_days: null })), { days: null, at: opens_at })
  assert.deepStrictEqual(opening(yield* changed({ opens_at: null })), { days: null, at: null })
  for (const opens_after_days of [-1, 3651, 1.5]) {
    assert.deepStrictEqual(outcome(yield* changed({ opens_after_days })), [422, "validation_failed"])
  }
})

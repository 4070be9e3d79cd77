import { Effect } from "effect"
import { at, foundClub, listAt, send } from "../../harness/App.ts"

export const unknownId = "018f0000-0000-7000-8000-000000000001"

/** A club, and the owner's calls on its deliveries. */
export const openDeliveries = Effect.fnUntraced(function*() {
  const club = yield* foundClub()
  const base = `${club.path}/deliveries`
  const { json } = yield* send("GET", `${club.path}/community`, club)
  return {
    ...club,
    base,
    community: String(at(json, "data", "id")),
    read: (path: string) => send("GET", `${base}${path}`, club),
    create: (body: unknown, headers: Record<string, string> = {}) => send("POST", base, { ...club, body, headers }),
    patch: (id: unknown, body: unknown) => send("PATCH", `${base}/${String(id)}`, { ...club, body }),
    remove: (id: unknown) => send("DELETE", `${base}/${String(id)}`, club)
  }
})

/** The id in the answer. */
export const idOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "id"))
/** The names in the list that was answered. */
export const namesIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "data").map((delivery) => at(delivery, "name"))

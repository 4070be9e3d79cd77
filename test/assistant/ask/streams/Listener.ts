import { Effect } from "effect"
import { eventsIn, followPath, type WireEvent } from "../../../harness/EventStream.ts"
import { messagePath } from "../../World.ts"

/** The text in the events. */
export const textOf = (events: ReadonlyArray<WireEvent>): string =>
  events.filter(({ event }) => event === "message.delta").map(({ data }) => String(Object(data).text)).join("")

interface Follower {
  readonly club: { readonly path: string }
  readonly student: { readonly token: string }
}

/** Follows a reply over a raw connection. The test or the server closes it. */
export const follow = (place: Follower, id: string, last_event_id?: string) =>
  followPath(`${messagePath(place, id)}/stream`, place.student.token, last_event_id)

/** The whole stream, until it ends. */
export const followed = (place: Follower, id: string, last_event_id?: string) =>
  Effect.scoped(Effect.gen(function*() {
    const { heard, until } = yield* follow(place, id, last_event_id)
    yield* until(({ ended }) => ended)
    return { ...heard, events: eventsIn(heard.wire) }
  }))

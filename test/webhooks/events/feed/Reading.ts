import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import type { Fact } from "../../../../src/events/Fact.ts"
import { Outbox } from "../../../../src/events/Outbox.ts"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { Assembler } from "../../../../src/webhooks/events/assembly/Assembler.ts"
import { created } from "../../../events/EventsLayer.ts"
import { at, listAt, send, tokenOf } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { type Asking, foundOnSaturday, WebhooksLayer } from "../../Registering.ts"

/** The app, with an assembler that the test drives. */
export const FeedLayer = Assembler.layer.pipe(
  Layer.provide([LaneChanges.layer, Outbox.layer]),
  Layer.provideMerge(WebhooksLayer)
)

/** A club on Saturday, with a student. */
export const clubWithStudent = Effect.gen(function*() {
  const club = yield* foundOnSaturday
  return { ...club, student: yield* makeStudent(club) }
})
export type ClubWithStudent = Effect.Success<typeof clubWithStudent>

/** Records these facts and assembles them. Returns their ids in the order of the feed. */
export const happen = Effect.fnUntraced(function*({ id }: ClubWithStudent, ...facts: ReadonlyArray<Fact>) {
  const { assemble } = yield* Assembler
  const ids = yield* Effect.flatMap(Events, ({ recordAll }) => recordAll(id, facts))
  yield* TestClock.adjust("2 seconds")
  yield* assemble()
  return ids
})

/** Assembles this many facts about the club's student. */
export const signUps = (club: ClubWithStudent, count: number) =>
  happen(club, ...Array.from({ length: count }, () => created(club.student)))

export const readFeed = ({ path, token }: Asking, query = "") => send("GET", `${path}/events${query}`, { token })

/** The same club with a new session, since the old one has expired. */
export const signedInAgain = (club: ClubWithStudent) => Effect.map(tokenOf(club.owner), (token) => ({ ...club, token }))

/** A key with this scope alone. */
export const scopedKey = Effect.fnUntraced(function*({ path, token }: Asking, scope: string) {
  const { json } = yield* send("POST", `${path}/keys`, { token, body: { name: "Reader", scopes: [scope] } })
  return { id: String(at(json, "data", "id")), token: String(at(json, "data", "token")) }
})

export const numbersIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "data").map((event) => at(event, "number"))

export const cursorIn = (answer: { readonly json: unknown }) => String(at(answer.json, "cursor"))

export const nextIn = (answer: { readonly json: unknown }) => at(answer.json, "next_cursor")

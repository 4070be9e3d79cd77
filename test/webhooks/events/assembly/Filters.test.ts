import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import type { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { created } from "../../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { assembleDue, assemblyLayer, deliveriesOf, makeEndpoint, messagesOf } from "./Assembly.ts"

const setFilter = (id: EndpointId, filter: unknown) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update webhook_endpoints set filter = ${JSON.stringify(filter)}::jsonb where id = ${id}`
  )

layer(assemblyLayer)("The assembly for endpoints with filters", (it) => {
  it.effect("makes deliveries to those whose filter the event passes, and to those without one", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const [matchingReceivers, other, none] = [
        yield* makeEndpoint(club),
        yield* makeEndpoint(club),
        yield* makeEndpoint(club)
      ]
      yield* setFilter(matchingReceivers, { field: "data.student.id", equals: student.id })
      yield* setFilter(other, { not: { field: "type", exists: true } })
      yield* (yield* Events).record(club.id, created(student))
      yield* assembleDue()
      assert.sameMembers((yield* deliveriesOf(club)).map(({ endpoint_id }) => endpoint_id), [matchingReceivers, none])
    }))

  it.effect("makes no delivery of an event that no filter lets pass, which stays in the feed", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      yield* setFilter(yield* makeEndpoint(club), { field: "data.student.nothing", exists: true })
      yield* (yield* Events).record(club.id, created(student))
      assert.strictEqual(yield* assembleDue(), 1)
      assert.deepStrictEqual(yield* deliveriesOf(club), [])
      assert.lengthOf(yield* messagesOf(club), 1)
    }))

  it.effect("keeps no removal of a student away, whatever field a filter is about", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const event_types = ["student.created", "student.removed"]
      const [body, none] = [yield* makeEndpoint(club, { event_types }), yield* makeEndpoint(club, { event_types })]
      yield* setFilter(body, { field: "data.student.email", exists: true })
      yield* setFilter(none, { not: { field: "type", exists: true } })
      const events = yield* Events
      yield* events.eraseStudent(club.id, student.id)
      yield* assembleDue()
      assert.sameMembers((yield* deliveriesOf(club)).map(({ endpoint_id }) => endpoint_id), [body, none])
    }))

  it.effect("shows a removal that waited for too long in the history of endpoints with a filter, too", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const endpoint = yield* makeEndpoint(club, { event_types: ["student.removed"] })
      yield* setFilter(endpoint, { field: "data.student.email", exists: true })
      yield* Effect.flatMap(Events, (events) => events.eraseStudent(club.id, student.id))
      yield* TestClock.adjust("31 days")
      yield* assembleDue()
      const [delivery] = yield* deliveriesOf(club)
      assert.deepInclude(delivery, { endpoint_id: endpoint, status: "canceled", cancel_reason: "expired" })
    }))
})

import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../src/events/Events.ts"
import { post } from "../harness/Turma.ts"
import { at, foundClub } from "./Clubs.ts"
import type { Stand } from "./Stand.ts"

const Kept = Schema.Struct({ numbers: Schema.Array(Schema.Int), received: Schema.Int, messages: Schema.Int })

/** Number of facts: fewer than an inbox keeps, even if some are sent twice. */
const most = 30

/** A club with an endpoint that is an inbox of our own. */
export const openInbox = Effect.fn("openInbox")(function*(stand: Stand, api: string) {
  const club = yield* foundClub({ stand, api }, "inbox", [])
  const inbox = yield* post(`${api}${club.base}/webhook-inboxes`, {}, club.token)
  const inbox_id = String(at(inbox.json, "data", "id"))
  const made = yield* post(
    `${api}${club.base}/webhook-endpoints`,
    { inbox_id, event_types: ["student.created"] },
    club.token
  )
  if (made.status !== 201) return yield* Effect.die(new Error(`No endpoint of an inbox: ${inbox.text} ${made.text}`))
  return club
})
type Played = Effect.Success<ReturnType<typeof openInbox>>

/** Records facts, one after the other, up to the limit. */
export const play = ({ id, student_id }: Played) => {
  const recorded: Array<string> = []
  const record = Effect.gen(function*() {
    const events = yield* Events
    if (recorded.length >= most) return
    recorded.push(yield* events.record(id, { type: "student.created", student_id, origin: "registration_link" }))
  })
  const run = record.pipe(
    Effect.catchCause(() => Effect.void),
    Effect.andThen(Effect.sleep("300 millis")),
    Effect.forever
  )
  return { recorded, run }
}

/** The facts that an inbox did not keep, and gaps in its numbers. */
export const misplayed = Effect.fnUntraced(function*({ id: club_id }: Played, recorded: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [kept] = yield* sql`
    select array_agg(r.number::int order by r.number) as numbers, count(distinct r.message)::int as messages,
      (select max(received)::int from webhook_inboxes i where i.club_id = r.club_id) as received
    from webhook_inbox_requests r where r.club_id = ${club_id} group by r.club_id`
    .pipe(Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(Kept))))
  if (kept === undefined) return [`nothing of ${recorded.length}`]
  const { messages, numbers, received } = kept
  return [
    ...messages < recorded.length ? [`${messages} of ${recorded.length}`] : [],
    ...numbers.length !== received || numbers.some((number, index) => number !== index + 1) ? [numbers.join()] : []
  ]
}, Effect.orDie)

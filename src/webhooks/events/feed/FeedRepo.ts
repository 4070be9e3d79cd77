import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventId, EventType } from "../../../events/EventType.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { uuids } from "../../../platform/sql/Arrays.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { one, rows } from "../../../platform/sql/Rows.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { WebhookDelivery } from "../../history/delivery/Delivery.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { Surroundings } from "./Place.ts"
import { type FeedRange, readStatement } from "./readStatement.ts"

const FoundEvent = Schema.Struct({
  position: Schema.String,
  passes: Schema.Boolean,
  /** Whether it is the last one that was looked at, where there may be more; it need not pass. */
  is_last: Schema.Boolean,
  event_id: EventId,
  type: EventType,
  student_id: Schema.NullOr(StudentId),
  occurred_at: Schema.DateTimeUtcFromString,
  created_at: Schema.DateTimeUtcFromString,
  /** As it was sent; null where it is erased, past its age or never was. */
  body: Schema.NullOr(Schema.String),
  deliveries: Schema.NullOr(Schema.Array(Schema.toCodecJson(Schema.Struct(WebhookDelivery.fields))))
})
export type FoundEvent = typeof FoundEvent.Type

const Found = Schema.Struct({
  head: Schema.NullOr(Schema.String),
  is_there: Schema.Boolean,
  next: Schema.NullOr(Schema.String),
  events: Schema.Array(FoundEvent)
})

/** Events behind a position, one more than the limit if there are more, and what is around it, all of one moment. */
export interface FoundPage extends Surroundings {
  readonly events: ReadonlyArray<FoundEvent>
}

/** A club, and how far whoever waits for its next event has read. */
export interface Awaited {
  readonly club_id: ClubId
  readonly position: string
}

const decodeFound = one(Found)
const decodeClubs = rows(Schema.Struct({ club_id: ClubId }))

/** Reads the feed of a club. What is past its age is never answered, whether or not it is deleted yet. */
export class FeedRepo extends Context.Service<FeedRepo, {
  /** In one statement. */
  read(club_id: ClubId, range: FeedRange): Effect.Effect<FoundPage>
  /** Which of these clubs have an event behind the position. */
  further(awaited: ReadonlyArray<Awaited>): Effect.Effect<ReadonlyArray<ClubId>>
}>()("turma/webhooks/events/feed/FeedRepo") {
  static readonly layer = Layer.effect(
    FeedRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const read = Effect.fn("FeedRepo.read")(function*(club_id: ClubId, range: FeedRange) {
        const { bodies, history } = yield* cutoffs
        const oldest = floorOf(DateTime.add(history, { milliseconds: 1 }))
        const page = readStatement(sql, club_id, range, { bodies, oldest }).pipe(decodeFound)
        const found = yield* (range.type === undefined ? page : scanning(page))
        return { ...found, oldest }
      })

      const further = Effect.fn("FeedRepo.further")(function*(awaited: ReadonlyArray<Awaited>) {
        const found = yield* sql`
          select f.club_id from unnest(
            ${uuids(awaited.map(({ club_id }) => club_id))}, ${uuids(awaited.map(({ position }) => position))}
          ) as awaited (club_id, position)
          join webhook_feeds f on f.club_id = awaited.club_id and f.position > awaited.position`.pipe(decodeClubs)
        return found.map(({ club_id }) => club_id)
      })

      return FeedRepo.of({ read, further })
    })
  )
}

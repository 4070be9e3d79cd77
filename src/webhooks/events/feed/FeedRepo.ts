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
  /** True if the scan ended at it and there may be more. It need not pass the filter. */
  is_last: Schema.Boolean,
  event_id: EventId,
  type: EventType,
  student_id: Schema.NullOr(StudentId),
  occurred_at: Schema.DateTimeUtcFromString,
  created_at: Schema.DateTimeUtcFromString,
  /** The body as sent. Null if it is erased or past its age, or never existed. */
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

/** A club, and the position that a waiting reader has reached. */
export interface Awaited {
  readonly club_id: ClubId
  readonly position: string
}

const decodeFound = one(Found)
const decodeClubs = rows(Schema.Struct({ club_id: ClubId }))

/** Reads the feed of a club. Events past their age never appear, even before their deletion. */
export class FeedRepo extends Context.Service<FeedRepo, {
  /** In one statement. */
  read(club_id: ClubId, range: FeedRange): Effect.Effect<FoundPage>
  /** The clubs with an event behind their position. */
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

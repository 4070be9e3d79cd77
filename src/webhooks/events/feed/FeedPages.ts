import { Context, type DateTime, Effect, Layer, Option, Schema } from "effect"
import type { EventType } from "../../../events/EventType.ts"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { InvalidCursor } from "../../../platform/http/Page.ts"
import { floorOf } from "../../../platform/sql/Uuid7.ts"
import { beginning, numberOf } from "../../model/FeedPosition.ts"
import { CursorExpired, cursors, type FeedEvent, type FeedPage } from "./Feed.ts"
import { FeedRepo, type FoundEvent } from "./FeedRepo.ts"
import { judge } from "./Place.ts"

/** The most UTF-16 units of all bodies of a page together, about. Writing more as JSON would block the event loop. */
const mostText = 500_000

/** Behind all there are. */
const latest = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * The start: behind the cursor, or behind `after`, which may be `latest`, or with the events assembled since a time.
 */
export interface FeedStart {
  readonly cursor?: string | undefined
  readonly after?: string | undefined
  readonly since?: DateTime.Utc | undefined
}

/** The club of a feed, and its name in cursors. */
export interface FeedClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
}

/** The events to read from there. */
export interface FeedFilter {
  readonly limit: number
  readonly type?: EventType | undefined
  readonly student_id?: StudentId | undefined
}

/** A page, and the position up to which it has read. */
export interface FeedRead {
  readonly page: FeedPage
  readonly position: string
}

const parse = Schema.decodeEffect(Schema.NullOr(Schema.fromJsonString(Schema.Json)))

/** The first events that fit on a page. The first one always fits, however long its body is. */
const fitting = <Event extends Pick<FoundEvent, "body">>(events: ReadonlyArray<Event>, limit: number) => {
  let left = mostText
  const end = events.findIndex(({ body }, index) => (left -= body?.length ?? 0) < 0 && index > 0)
  return events.slice(0, Math.min(limit, end === -1 ? limit : end))
}

const shown = Effect.fnUntraced(function*(
  club: OrganizationId,
  { body, deliveries, event_id, position, ...event }: FoundEvent
) {
  const payload = yield* Effect.orDie(parse(body))
  return {
    number: numberOf(position),
    cursor: yield* cursors.write({ position, club }),
    id: event_id,
    type: event.type,
    occurred_at: event.occurred_at,
    created_at: event.created_at,
    student_id: event.student_id,
    payload_purged: body === null,
    payload,
    deliveries: deliveries ?? []
  } satisfies FeedEvent
})

/** Reads pages of a club's feed (http-surface, Conventions: a page has what follows it, too). */
export class FeedPages extends Context.Service<FeedPages, {
  /**
   * `InvalidCursor`: the cursor, or `after`, belongs to another club, or is not a place of this feed. `CursorExpired`:
   * events behind it are not kept any more.
   */
  from(
    club: FeedClub,
    start: FeedStart,
    filter: FeedFilter
  ): Effect.Effect<FeedRead, CursorExpired | InvalidCursor>
  /** The same, behind the position that was read before. */
  behind(
    club: FeedClub,
    position: string,
    filter: FeedFilter
  ): Effect.Effect<FeedRead, CursorExpired | InvalidCursor>
}>()("turma/webhooks/events/feed/FeedPages") {
  static readonly layerNoDeps = Layer.effect(
    FeedPages,
    Effect.gen(function*() {
      const repo = yield* FeedRepo

      const read = Effect.fnUntraced(function*(
        club: FeedClub,
        position: string,
        filter: FeedFilter,
        { judged }: { readonly judged: boolean }
      ) {
        const found = yield* repo.read(club.id, { position, ...filter })
        const verdict = judged ? judge(position, found) : "good"
        if (verdict === "foreign") return yield* new InvalidCursor()
        if (verdict === "expired") return yield* new CursorExpired()
        const matching = found.events.filter(({ passes }) => passes)
        const events = fitting(matching, filter.limit)
        const last = matching.length > events.length ? events.at(-1) : found.events.find(({ is_last }) => is_last)
        const read_to = last?.position ?? found.head ?? beginning
        const cursor = yield* cursors.write({ position: read_to, club: club.organization_id })
        const data = yield* Effect.forEach(events, (event) => shown(club.organization_id, event))
        return { page: { data, next_cursor: last === undefined ? null : cursor, cursor }, position: read_to }
      })

      const behind = Effect.fn("FeedPages.behind")((club: FeedClub, position: string, filter: FeedFilter) =>
        read(club, position, filter, { judged: true })
      )

      const from = Effect.fn("FeedPages.from")(function*(
        club: FeedClub,
        { after, cursor, since }: FeedStart,
        filter: FeedFilter
      ) {
        const isLatest = cursor === undefined && after === "latest"
        if (isLatest) return yield* read(club, latest, filter, { judged: false })
        const place = yield* cursors.read(cursor ?? after)
        if (Option.isSome(place)) {
          // Two clubs may have the same position, and a client that mixes them up would miss events unnoticed.
          const { club: named = club.organization_id, position } = place.value
          if (named !== club.organization_id) return yield* new InvalidCursor()
          return yield* behind(club, position.toLowerCase(), filter)
        }
        const position = since === undefined ? beginning : floorOf(since)
        return yield* read(club, position, filter, { judged: false })
      })

      return FeedPages.of({ from, behind })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FeedRepo.layer))
}

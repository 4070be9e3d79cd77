import { Context, Layer } from "effect"
import { announcedSignal } from "../../../platform/jobs/Announcement.ts"
import type { Signal } from "../../../platform/jobs/Signal.ts"
import type { WorkQueue } from "../../../platform/jobs/WorkQueue.ts"

/**
 * The waiting events, including those that wait for an earlier one. One search finds each club, as in the query that
 * claims them.
 */
export const waitingEvents: WorkQueue = {
  name: "inbound_events",
  waiting: (sql) => sql`from inbound_events where due_at is not null`,
  nextDue: (sql) =>
    sql`
      (with recursive waiting as (
        (select club_id, due_at from inbound_events where due_at is not null order by club_id, due_at limit 1)
        union all
        select next.club_id, next.due_at from waiting cross join lateral (
          select o.club_id, o.due_at from inbound_events o
          where o.due_at is not null and o.club_id > waiting.club_id order by o.club_id, o.due_at limit 1
        ) next
      )
      select min(due_at) from waiting)`
}

/** Wakes workers for a waiting inbound event. */
export class InboundSignal
  extends Context.Service<InboundSignal, Signal>()("turma/commerce/sales/inbound/InboundSignal")
{
  static readonly layer = Layer.effect(InboundSignal, announcedSignal(waitingEvents))
}

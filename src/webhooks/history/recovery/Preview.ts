import { Schema } from "effect"
import { EventType } from "../../../events/EventType.ts"
import { Count } from "../../../platform/http/Count.ts"
import type { RecoveryPreview } from "./Recovery.ts"

/** The result of a recovery for a delivery, with the reason if it is skipped. */
const Kind = Schema.Literals(["failed", "endpoint_disabled", "student_removed", "expired", "payload_purged"])

/** Number of like deliveries in one batch. */
export const CountedGroup = Schema.Struct({ event_type: EventType, date: Schema.String, kind: Kind, count: Count })
export type CountedGroup = typeof CountedGroup.Type

/** Nothing is counted yet. */
export const emptyPreview: RecoveryPreview = {
  total: 0,
  failed: 0,
  endpoint_disabled: 0,
  by_type: [],
  by_day: [],
  left_out: { student_removed: 0, expired: 0, payload_purged: 0 }
}

const isSent = ({ kind }: CountedGroup) => kind === "failed" || kind === "endpoint_disabled"

const summed = <Key extends string>(groups: ReadonlyArray<readonly [key: Key, count: number]>) => {
  const sums = new Map<Key, number>()
  for (const [key, count] of groups) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].toSorted(([one], [other]) => one < other ? -1 : 1)
}

/** The preview with one batch more. */
export const withCounted = (preview: RecoveryPreview, groups: ReadonlyArray<CountedGroup>): RecoveryPreview => {
  const of = (kind: CountedGroup["kind"]) =>
    groups.reduce((sum, group) => group.kind === kind ? sum + group.count : sum, 0)
  const sent = groups.filter(isSent)
  const failed = preview.failed + of("failed")
  const endpoint_disabled = preview.endpoint_disabled + of("endpoint_disabled")
  return {
    total: failed + endpoint_disabled,
    failed,
    endpoint_disabled,
    by_type: summed([...preview.by_type, ...sent].map(({ count, event_type }) => [event_type, count]))
      .map(([event_type, count]) => ({ event_type, count })),
    by_day: summed([...preview.by_day, ...sent].map(({ count, date }) => [date, count]))
      .map(([date, count]) => ({ date, count })),
    left_out: {
      student_removed: preview.left_out.student_removed + of("student_removed"),
      expired: preview.left_out.expired + of("expired"),
      payload_purged: preview.left_out.payload_purged + of("payload_purged")
    }
  }
}

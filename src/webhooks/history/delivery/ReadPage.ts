import { Effect, Schema, Struct } from "effect"
import { rows } from "../../../platform/sql/Rows.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookDelivery } from "./Delivery.ts"

/** Deliveries that one page looks at, at most, where a filter has no index. */
export const mostScanned = 25_000

/** What a list has read: one more than the limit if there are more. */
export interface ReadPage {
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  /** The last one that was looked at, where there may be more and the page is not full. */
  readonly read_to: WebhookDeliveryId | undefined
}

const decodeRows = rows(Schema.Struct({ ...WebhookDelivery.fields, passes: Schema.Boolean, is_last: Schema.Boolean }))

/** Reads rows of which some only say how far was looked: `passes` is false for those that are not listed. */
export const decodePage = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.map(decodeRows(statement), (rows): ReadPage => ({
    deliveries: rows.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"])),
    read_to: rows.find(({ is_last }) => is_last)?.id
  }))

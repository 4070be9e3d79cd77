import { Effect, Schema, Struct } from "effect"
import { rows } from "../../../platform/sql/Rows.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookDelivery } from "./Delivery.ts"

/** The most deliveries that one page looks at, if a filter has no index. */
export const mostScanned = 25_000

/** The deliveries that a list has read: one more than the limit if there are more. */
export interface ReadPage {
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  /** The last one of the scan, if there may be more and the page is not full. */
  readonly read_to: WebhookDeliveryId | undefined
}

const decodeRows = rows(Schema.Struct({ ...WebhookDelivery.fields, passes: Schema.Boolean, is_last: Schema.Boolean }))

/**
 * Reads the rows of a scan. `passes` is false for rows that only mark how far the scan went, and the list leaves them
 * out.
 */
export const decodePage = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.map(decodeRows(statement), (rows): ReadPage => ({
    deliveries: rows.filter(({ passes }) => passes).map(Struct.omit(["passes", "is_last"])),
    read_to: rows.find(({ is_last }) => is_last)?.id
  }))

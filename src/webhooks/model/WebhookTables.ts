import type { PartitionedTable } from "../../platform/sql/Partitions.ts"

/**
 * Assembled events. Their ids carry the time the fact was recorded. For queued work they carry the time the work was
 * queued.
 */
export const messagesTable: PartitionedTable = { table: "webhook_messages", period: "day" }

/** Their ids carry the time of the assembly. */
export const deliveriesTable: PartitionedTable = { table: "webhook_deliveries", period: "week" }

/** Their ids carry the time when they ended. */
export const attemptsTable: PartitionedTable = { table: "webhook_attempts", period: "day" }

/** Their positions carry the time of the assembly. */
export const feedTable: PartitionedTable = { table: "webhook_feed_events", period: "week" }

/** All that the workers make partitions of. */
export const webhookTables: ReadonlyArray<PartitionedTable> = [
  messagesTable,
  deliveriesTable,
  attemptsTable,
  feedTable
]

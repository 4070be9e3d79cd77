import type { PartitionedTable } from "../../platform/sql/Partitions.ts"

/** Assembled events; their ids are of the moment of the record, or of when its work began to wait. */
export const messagesTable: PartitionedTable = { table: "webhook_messages", period: "day" }

/** Their ids are of the moment of the assembly. */
export const deliveriesTable: PartitionedTable = { table: "webhook_deliveries", period: "week" }

/** Their ids are of the moment at which they ended. */
export const attemptsTable: PartitionedTable = { table: "webhook_attempts", period: "day" }

/** Their positions are of the moment of the assembly. */
export const feedTable: PartitionedTable = { table: "webhook_feed_events", period: "week" }

/** All that the workers make partitions of. */
export const webhookTables: ReadonlyArray<PartitionedTable> = [
  messagesTable,
  deliveriesTable,
  attemptsTable,
  feedTable
]

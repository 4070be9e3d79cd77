import type { PartitionedTable } from "../../sql/Partitions.ts"

/** Assembled events; their ids are of the moment of the fact. */
export const messagesTable: PartitionedTable = { table: "webhook_messages", period: "day" }

export const deliveriesTable: PartitionedTable = { table: "webhook_deliveries", period: "week" }

export const attemptsTable: PartitionedTable = { table: "webhook_attempts", period: "day" }

/** All that the workers make partitions of. */
export const webhookTables: ReadonlyArray<PartitionedTable> = [messagesTable, deliveriesTable, attemptsTable]

/** The operation on an event, in OpenTelemetry's words: it is recorded, turned into a message, sent. */
export type MessagingOperation = "create" | "process" | "send"

/** The attributes that OpenTelemetry's conventions give spans of messaging: of one message, or of many together. */
export const messagingAttributes = (operation: MessagingOperation, ids: ReadonlyArray<string>) => ({
  "messaging.system": "turma",
  "messaging.operation.name": operation,
  "messaging.operation.type": operation,
  ...(ids.length === 1 ? { "messaging.message.id": ids[0] } : { "messaging.batch.message_count": ids.length })
})

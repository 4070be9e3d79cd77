import { Schema } from "effect"
import { brandedId } from "../schema/brandedId.ts"

/** A UUID that names a mail, to mail servers too. */
export const MailId = brandedId("MailId")
export type MailId = typeof MailId.Type

/** One mail to one address, ready to be sent: subject on one line, the same content as text and as HTML. */
export const Mail = Schema.Struct({
  recipient: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  /** An address at which one POST ends mails of this kind, without a session (RFC 8058). */
  unsubscribe: Schema.optionalKey(Schema.String)
})
export type Mail = typeof Mail.Type

/**
 * The mail was not taken. `reason` is short and names neither address nor content, such as `ECONNREFUSED` or
 * `EENVELOPE 550`. `permanent` says that the same mail would be refused again.
 */
export class MailNotSent extends Schema.TaggedError<MailNotSent>()("MailNotSent", {
  reason: Schema.String,
  permanent: Schema.Boolean
}) {}

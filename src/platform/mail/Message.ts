import type { SendMailOptions } from "nodemailer"
import type { Sender } from "./Address.ts"
import type { Mail, MailId } from "./Mail.ts"
import { oneLine } from "./Text.ts"

/** Headers that go out as they are, on one line of any length. The values must hold no line end. */
export type PreparedHeaders = Readonly<Record<string, { readonly prepared: true; readonly value: string }>>

// Mail programs show a button for these. A server that signs mails (DKIM) has to sign both.
const unsubscribeHeaders = ({ unsubscribe }: Mail): PreparedHeaders =>
  unsubscribe === undefined ? {} : {
    "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
    "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" }
  }

/**
 * A mail as nodemailer takes it. `recipient` must be one plain address. The message id follows from the mail's own, so
 * a mailbox can tell that a mail sent twice is the same.
 */
export const messageOf = (
  mail: Mail,
  id: MailId,
  from: Sender,
  date: Date,
  headers: PreparedHeaders = {}
): SendMailOptions => ({
  from: { ...from },
  to: { name: "", address: mail.recipient },
  envelope: { from: from.address, to: [mail.recipient] },
  subject: oneLine(mail.subject),
  text: mail.text,
  html: mail.html,
  date,
  messageId: `<${id}@${from.address.split("@").at(-1)}>`,
  // Nobody's holiday notice should answer (RFC 3834).
  headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(mail), ...headers },
  disableFileAccess: true,
  disableUrlAccess: true
})

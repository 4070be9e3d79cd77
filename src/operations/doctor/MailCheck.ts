import { Effect, Option } from "effect"
import { mailServerFault } from "../../platform/mail/MailServerCheck.ts"
import { mailSettings } from "../../platform/mail/MailSettings.ts"
import { usesEmbeddedPostgres } from "../../platform/sql/DatabaseSettings.ts"
import { check, ok, problem, warning } from "./Finding.ts"

const says = "SMTP_URL is unset: no mail leaves, each is a file in DATA_DIR/mail"

const withoutServer = Effect.map(
  usesEmbeddedPostgres,
  (isTrial) =>
    isTrial
      ? [ok("Mail", says)]
      : [warning("Mail", says, "Set SMTP_URL and MAIL_FROM: nobody can confirm an address or reset a password without")]
)

/** The mail server: whether it connects, speaks TLS where it is to, and lets us in. Nothing is sent. */
export const mailCheck = check(
  "Mail",
  Effect.flatMap(
    mailSettings.SMTP_URL.read,
    Option.match({
      onNone: () => withoutServer,
      onSome: (url) =>
        Effect.map(
          mailServerFault(url),
          Option.match({
            onNone: () => [ok("Mail", "the mail server of SMTP_URL lets us in")],
            onSome: (
              fault
            ) => [problem("Mail", fault, "Check host, port, user and password; smtps:// is TLS from the start")]
          })
        )
    })
  )
)

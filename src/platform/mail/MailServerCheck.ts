import { Effect, Option, Redacted } from "effect"
import { nodemailer, notSent, smtpOptions } from "./MailTransport.ts"

/** The longest time that a server may take to let us in. */
const patience = "20 seconds"

const reasonOf = (reason: string) => reason.startsWith("EAUTH") ? `refuses the login (${reason})` : `fails (${reason})`

/**
 * Why mails do not leave through the mail server at this URL, in a line that names `SMTP_URL` and no secret. `None` if
 * the server accepts us. Sends nothing.
 */
export const mailServerFault = Effect.fn("MailServerCheck.fault")(function*(url: Redacted.Redacted) {
  const { host, protocol } = new URL(Redacted.value(url))
  const { createTransport } = yield* nodemailer
  const transport = yield* Effect.acquireRelease(
    Effect.sync(() => createTransport(smtpOptions(new URL(Redacted.value(url))))),
    (transport) => Effect.sync(() => transport.close())
  )
  return yield* Effect.tryPromise({ try: () => transport.verify(), catch: notSent }).pipe(
    Effect.timeoutOption(patience),
    Effect.map(Option.match({ onNone: () => Option.some("does not answer"), onSome: () => Option.none<string>() })),
    Effect.catch(({ reason }) => Effect.succeed(Option.some(reasonOf(reason)))),
    Effect.map(Option.map((why) =>
      `SMTP_URL: mails are not leaving, ${protocol}//${host} ${why}; they are tried again`
    ))
  )
}, Effect.scoped)

import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { isAddress, senderOf } from "./Address.ts"
import { type Mail, type MailId, MailNotSent } from "./Mail.ts"
import { makeMailFiles } from "./MailFiles.ts"
import { mailSettings } from "./MailSettings.ts"
import { messageOf, type PreparedHeaders } from "./Message.ts"

const connections = 5

/** Loaded when there is a mail to send, or a server to send it to. */
export const nodemailer = Effect.promise(() => import("nodemailer"))

const Code = Schema.String.check(Schema.isPattern(/^[A-Z0-9_]{1,50}$/))

// `originalCode` says what went wrong with the connection: ECONNREFUSED where `code` is ESOCKET.
const Refusal = Schema.Struct({
  code: Schema.optionalKey(Code),
  originalCode: Schema.optionalKey(Code),
  command: Schema.optionalKey(Schema.String),
  responseCode: Schema.optionalKey(Schema.Int),
  permanent: Schema.optionalKey(Schema.Boolean)
})
const decodeRefusal = Schema.decodeUnknownOption(Refusal)

// "Authentication required" is our own configuration, whatever the server says it about.
const authenticationRequired = 530

/**
 * Only codes are kept: messages of mail servers repeat the address. A refusal is permanent when the recipient or the
 * message was refused with 5xx. A fault of our account or sender is temporary: an operator can mend it in time.
 */
export const notSent = (cause: unknown): MailNotSent => {
  const refusal = Option.getOrElse(decodeRefusal(cause), (): typeof Refusal.Type => ({}))
  const { command, permanent = false, responseCode } = refusal
  const code = refusal.originalCode ?? refusal.code ?? "UNKNOWN"
  const aboutThisMail = command === "RCPT TO" || command === "DATA"
  return new MailNotSent({
    reason: responseCode === undefined ? code : `${code} ${responseCode}`,
    permanent: permanent && aboutThisMail && responseCode !== authenticationRequired
  })
}

const checkRecipient = ({ recipient }: Mail) =>
  isAddress(recipient) ? Effect.void : Effect.fail(new MailNotSent({ reason: "BAD_ADDRESS", permanent: true }))

const isLocal = (host: string) => host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host)

/** How the client talks to the mail server at this URL. */
export const smtpOptions = (url: URL) => {
  const user = decodeURIComponent(url.username)
  const pass = decodeURIComponent(url.password)
  return {
    pool: true as const,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    secure: url.protocol === "smtps:",
    ...(url.port === "" ? {} : { port: Number(url.port) }),
    ...(user === "" ? {} : { auth: { user, pass } }),
    // Otherwise an attacker on the way who removes STARTTLS from the greeting would get the password.
    requireTLS: user !== "" && !isLocal(url.hostname),
    maxConnections: connections,
    maxRequeues: 1,
    dnsTimeout: 5_000,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    idleTimeout: 30_000
  }
}

// Long lines of a body are encoded, which hides a link from a person who reads the file; a header stays as it is.
const linkHeader = ({ text }: Mail): PreparedHeaders => {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  return link === undefined ? {} : { "X-Link": { prepared: true, value: link } }
}

/** Hands one mail to the outside. */
export class MailTransport extends Context.Service<MailTransport, {
  /**
   * Ends when the mail is in other hands. `id` names the mail to them; sending the same one twice is harmless. `about`: by
   * what it is found where it is kept here.
   */
  send(mail: Mail, id: MailId, about?: string | null): Effect.Effect<void, MailNotSent>
}>()("turma/platform/mail/MailTransport") {
  /** Connections to the mail server, and so the mails under way, per process. */
  static readonly connections = connections

  /** The longest time one mail may take. */
  static readonly timeout = "45 seconds"

  /** A mail server: `smtp://` (TLS where the server offers it, required for a password) or `smtps://`. */
  static readonly layerSmtp = (url: Redacted.Redacted) =>
    Layer.effect(
      MailTransport,
      Effect.gen(function*() {
        const from = senderOf(yield* mailSettings.MAIL_FROM.read)
        const { createTransport } = yield* nodemailer
        const smtp = yield* Effect.acquireRelease(
          Effect.sync(() => createTransport(smtpOptions(new URL(Redacted.value(url))))),
          (transport) => Effect.sync(() => transport.close())
        )

        const send = Effect.fn("MailTransport.send")(function*(mail: Mail, id: MailId) {
          yield* checkRecipient(mail)
          const message = messageOf(mail, id, from, DateTime.toDateUtc(yield* DateTime.now))
          yield* Effect.tryPromise({ try: (signal) => smtp.sendMail({ ...message, signal }), catch: notSent })
            .pipe(Effect.timeoutOrElse({
              duration: MailTransport.timeout,
              orElse: () => Effect.fail(new MailNotSent({ reason: "ETIMEDOUT", permanent: false }))
            }))
        })

        return MailTransport.of({ send })
      })
    )

  /** For development: each mail is a file (RFC 5322), `<dataFolder>/mail/<time>-<recipient>.eml`. */
  static readonly layerFiles = (dataFolder: string) =>
    Layer.effect(
      MailTransport,
      Effect.gen(function*() {
        const files = yield* makeMailFiles(dataFolder)
        const from = senderOf(yield* mailSettings.MAIL_FROM.read)
        const composer = yield* Effect.cached(Effect.map(nodemailer, ({ createTransport }) =>
          createTransport({ streamTransport: true, buffer: true, newline: "windows" })))

        const send = Effect.fn("MailTransport.send")(function*(mail: Mail, id: MailId, about: string | null = null) {
          yield* checkRecipient(mail)
          const at = yield* DateTime.now
          const streaming = yield* composer
          const { message } = yield* Effect.tryPromise({
            try: () =>
              streaming.sendMail(messageOf(mail, id, from, DateTime.toDateUtc(at), linkHeader(mail))),
            catch: notSent
          })
          if (!(message instanceof Uint8Array)) {
            return yield* Effect.die("nodemailer was asked for a buffer")
          }
          const file = yield* files.keep({ id, recipient: mail.recipient, message, at, about })
            .pipe(Effect.mapError(({ reason }) =>
              new MailNotSent({ reason: `FILE ${reason._tag}`, permanent: false })
            ))
          // Its name is somebody's address, so the log has what finds it beside that.
          yield* Effect.logInfo("Mail written", { file })
        })

        return MailTransport.of({ send })
      })
    ).pipe(Layer.provide(NodeServices.layer))

  /** The mail server of `SMTP_URL`, or files without that setting. */
  static readonly layer = (dataFolder: string) =>
    Layer.unwrap(Effect.map(
      mailSettings.SMTP_URL.read,
      Option.match({ onNone: () => MailTransport.layerFiles(dataFolder), onSome: MailTransport.layerSmtp })
    ))
}

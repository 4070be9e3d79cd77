import { Effect, Queue, Redacted } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** A mail as it came over the wire. */
export interface Received {
  readonly sender: string
  readonly recipients: ReadonlyArray<string>
  readonly email: Email
  readonly raw: string
}

interface Options {
  /** A free port by default. */
  readonly port?: number
  /** The reply code that refuses a recipient; undefined accepts it. */
  readonly refuse?: (recipient: string) => number | undefined
  /** More options of the server. By default it offers no TLS and no login. */
  readonly server?: SMTPServerOptions
}

const refusal = (responseCode: number, recipient: string) =>
  Object.assign(new Error(`5.1.1 <${recipient}> unknown`), { responseCode })

const addressOf = (server: SMTPServer) => {
  const address = server.server.address()
  if (address === null || typeof address === "string") throw new Error("The mail server does not listen on a port")
  return address.port
}

/** A real mail server on the loopback interface, stopped with the scope. */
export const startSmtp = Effect.fnUntraced(function*({ port = 0, refuse, server: more }: Options = {}) {
  const received = yield* Queue.unbounded<Received>()
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...more,
    onRcptTo: ({ address }, _session, callback) => {
      const code = refuse?.(address)
      callback(code === undefined ? null : refusal(code, address))
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks)
        const email = await PostalMime.parse(raw)
        Queue.offerUnsafe(received, {
          sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          recipients: envelope.rcptTo.map(({ address }) => address),
          email,
          raw: raw.toString("latin1")
        })
        callback()
      })
    }
  })
  // Some tests are about clients that refuse our certificate.
  server.on("error", () => {})
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
  )
  const bound = addressOf(server)
  return { port: bound, url: Redacted.make(`smtp://127.0.0.1:${bound}`), received }
})

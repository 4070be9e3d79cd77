import { Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { makeClient, type TurmaClient } from "../../Client.ts"
import { textFile } from "../../platform/text/TextFile.ts"
import { pollEvery, shortened } from "./Waits.ts"

/** Where the service listens and keeps everything, and the certificate that it trusts beside the usual ones. */
export interface ServiceOptions {
  readonly port: number
  readonly folder: string
  readonly certificate: string
}

const urlOf = ({ port }: ServiceOptions) => `http://127.0.0.1:${port}`

/** The environment of a service that runs there. */
export const environmentOf = ({ certificate, folder, port }: ServiceOptions) => ({
  ...shortened,
  PORT: `${port}`,
  DATA_DIR: folder,
  LOG_LEVEL: "error",
  WEBHOOK_ASSEMBLE_DELAY: "1 second",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  WEBHOOK_EXTRA_CA_FILE: certificate
})

// As the person who got the mail would do it: without SMTP_URL each is a file.
const mailedTo = Effect.fnUntraced(function*(folder: string, address: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const mails = path.join(folder, "mail")
  const files = yield* Effect.orElseSucceed(fs.readDirectory(mails), (): Array<string> => [])
  const file = files.find((name) => name.endsWith(`-${address}.eml`))
  if (file === undefined) return Option.none()
  const token = /^X-Link: .*[?&](?:token|code)=([\w-]+)/m.exec(yield* textFile(fs, path.join(mails, file)))?.[1]
  return Option.map(Option.fromUndefinedOr(token), Redacted.make)
})

/** The running service, as others reach it. */
export class Turma extends Context.Service<Turma, {
  readonly url: string
  readonly client: (token?: Redacted.Redacted) => Effect.Effect<TurmaClient>
  /** Ends when the service answers. */
  readonly ready: Effect.Effect<void>
  /** The token or the code of the link in the mail to this address; waits for the mail. */
  linkMailedTo(address: string): Effect.Effect<Redacted.Redacted>
}>()("turma/cli/demo/Turma") {
  static readonly layer = (options: ServiceOptions) =>
    Layer.effect(
      Turma,
      Effect.gen(function*() {
        const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const baseUrl = urlOf(options)
        const client = (token?: Redacted.Redacted) =>
          Effect.provide(makeClient({ baseUrl, token }), FetchHttpClient.layer)
        const ready = client().pipe(
          Effect.flatMap(({ health }) => health.live()),
          Effect.retry(pollEvery),
          Effect.orDie,
          Effect.asVoid
        )
        const linkMailedTo = (address: string) =>
          Effect.suspend(() => mailedTo(options.folder, address)).pipe(
            Effect.repeat({ until: Option.isSome, schedule: pollEvery }),
            Effect.flatMap(Effect.fromOption),
            Effect.orDie,
            Effect.provide(services)
          )
        return Turma.of({ url: baseUrl, client, ready, linkMailedTo })
      })
    )
}

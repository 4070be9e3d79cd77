import { NodeServices } from "@effect/platform-node"
import { Context, Effect, Layer, Queue, Redacted } from "effect"
import { at } from "../../harness/App.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { post, startApi } from "../../harness/Turma.ts"
import { postgresFolder } from "../../harness/Watchdog.ts"

export const email = "ana@example.com"
export const password = "violao e voz"

/** The token in a mail. */
const tokenIn = (mail: unknown) => /(?:token|code)=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? ""

/** A service with an administrator who has a club. */
export class Service extends Context.Service<Service, {
  readonly url: string
  readonly session: string
  readonly club: string
  /** The token of the next mail. */
  readonly mailed: Effect.Effect<string>
}>()("test/cli/Service") {
  static readonly layer = Layer.effect(
    Service,
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const { url } = yield* startApi({
        env: {
          DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
          APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
          SMTP_URL: Redacted.value(smtp.url),
          DATA_DIR: yield* postgresFolder(),
          RATE_LIMIT_WRITES: "100000",
          RATE_LIMIT_CREDENTIALS: "1000",
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
          WEBHOOK_ASSEMBLE_DELAY: "100 millis"
        }
      })
      yield* post(`${url}/v1/auth/admin/sign-up`, { name: "Ana", email, password })
      const mailed = Effect.map(Queue.take(smtp.received), tokenIn)
      yield* post(`${url}/v1/auth/admin/confirm`, { token: yield* mailed })
      const grant = yield* post(`${url}/v1/auth/admin/sign-in`, { email, password })
      const session = String(at(grant.json, "data", "access_token"))
      const founded = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, session)
      return { url, session, club: String(at(founded.json, "data", "organization_id")), mailed }
    })
  ).pipe(Layer.provideMerge(NodeServices.layer))
}

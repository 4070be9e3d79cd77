import { Effect, Option, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { PublicUrls, serverSettings } from "../../platform/http/ServerSettings.ts"
import { check, type Finding, ok, warning } from "./Finding.ts"

const Health = Schema.Struct({ data: Schema.Struct({ status: Schema.String, version: Schema.String }) })
const decodeHealth = Schema.decodeUnknownEffect(Health)

const isThisMachine = ({ hostname }: URL) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const reached = (url: string) =>
  HttpClient.get(`${url}/v1/health`).pipe(
    Effect.flatMap(({ json }) => json),
    Effect.flatMap(decodeHealth),
    Effect.timeout("5 seconds"),
    Effect.map(({ data }): Finding => ok("PUBLIC_URL", `${url} is Turma ${data.version}`)),
    Effect.orElseSucceed(() =>
      warning(
        "PUBLIC_URL",
        `${url} is not answered by Turma, as seen from here`,
        "Right while the service is stopped; else check the proxy, the name and the certificate"
      )
    ),
    Effect.provide(FetchHttpClient.layer)
  )

/** Our own origin: links in mails lead there, and signed addresses. */
export const urlCheck = check(
  "PUBLIC_URL",
  Effect.gen(function*() {
    const { api } = yield* PublicUrls
    const given = yield* serverSettings.PUBLIC_URL.read
    const url = api.href.replace(/\/$/, "")
    const found: Array<Finding> = []
    if (api.protocol === "http:" && !isThisMachine(api)) {
      found.push(warning(
        "PUBLIC_URL",
        `${url} is plain http: tokens can be read on the way`,
        "Put a proxy with TLS before it, and set PUBLIC_URL to its https address"
      ))
    }
    if (Option.isNone(given)) {
      found.push(ok("PUBLIC_URL", `unset, so links lead to ${url}, which is right on this machine alone`))
    }
    return [...found, yield* reached(url)]
  }).pipe(Effect.provide(PublicUrls.layer))
)

import { Clock, Effect, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { askedWith, exchangeRewrite, held, pathOf } from "../../browser/server/Exchange.ts"
import { notOwnPage, ownPage } from "../../browser/server/OwnPage.ts"
import { sessionCookie } from "../../identity/sessions/SessionCookies.ts"
import { internalSecret } from "../../operations/telemetry/InternalSecret.ts"
import { ownCookie } from "../../platform/http/OwnCookie.ts"
import { isPass } from "../../platform/http/Pass.ts"
import type { Rewrite } from "../../platform/http/server/Rewrite.ts"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { overviewPath } from "./ConsolePaths.ts"
import { passKeys } from "./OperatorPass.ts"

/** The cookies of the console: a person's session, and an operator's pass. */
export const consoleCookies = Effect.map(PublicUrls, ({ api }) => ({
  operator: ownCookie("turma-operator", api.protocol === "https:"),
  session: sessionCookie({ kind: "admin" }, api)
})).pipe(Effect.provide(PublicUrls.layer))

/** The operators' secret and the keys that sign their passes. `None` without a secret: operators have no page then. */
export const operatorKeys = Effect.gen(function*() {
  const own = (yield* Sealing).signingKeys("operator passes")
  return Option.map(yield* internalSecret, (known) => ({ ...known, keys: passKeys(Redacted.value(known.secret), own) }))
})

/** True if the console's own page sends a request. */
export const isConsole = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  ownPage(headers, "console") === "1"

/** The answer for any other page. */
export const notConsole = notOwnPage("console")

/** The console's way to the API, and the operators' to their page. */
export const consoleRewrite = Effect.gen(function*() {
  const cookies = yield* consoleCookies
  const operators = yield* operatorKeys
  const clock = yield* Clock.Clock

  const exchange = exchangeRewrite({
    page: "console",
    cookie: (header) => header === "1" ? cookies.session : undefined,
    signIn: "/v1/auth/admin/sign-in",
    exchange: "/v1/auth/admin/exchange"
  })

  const ofOperator = (request: HttpServerRequest.HttpServerRequest) => {
    const pass = held(request, cookies.operator) ?? ""
    const now = clock.currentTimeMillisUnsafe()
    const credential = Option.filter(operators, ({ keys }) => isPass(keys, pass, now)).pipe(
      Option.map(({ secret }) => Redacted.value(secret)),
      Option.getOrUndefined
    )
    return { request: askedWith(request, "/internal/overview", credential) }
  }

  const rewrite: Rewrite = (request) => {
    if (request.method !== "GET" || pathOf(request.url) !== overviewPath) return exchange(request)
    return isConsole(request) ? ofOperator(request) : { refusal: notConsole }
  }
  return rewrite
})

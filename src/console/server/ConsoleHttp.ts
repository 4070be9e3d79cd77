import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { credentialCount } from "../../identity/limits/RateLimitsLayer.ts"
import { SecretGuesses } from "../../operations/telemetry/SecretGuesses.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { readJson } from "../../platform/http/JsonText.ts"
import { staticAnswer } from "../../platform/http/server/StaticAnswer.ts"
import { OwnProgram } from "../../platform/processes/OwnProgram.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { type ConsoleFile, makeConsoleFiles } from "./ConsoleFiles.ts"
import { consoleHeaders, consolePage } from "./ConsolePage.ts"
import { assetsPath, consolePath, operatorPath } from "./ConsolePaths.ts"
import { consoleCookies, operatorKeys } from "./ConsoleRewrite.ts"
import { operatorPass } from "./OperatorPass.ts"
import { isOwnPage, notOwnPage } from "./OwnPage.ts"

const forEver = "public, max-age=31536000, immutable"

const fileHeaders = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" }

const answerOf = ({ bytes, contentType }: ConsoleFile) =>
  staticAnswer(HttpServerResponse.uint8Array(bytes, { contentType, headers: fileHeaders }), forEver)

/** The page and its files. */
const FilesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const files = makeConsoleFiles(yield* OwnProgram)
  // Uploads go to the bucket itself, and images of files come from it.
  const headers = consoleHeaders(Option.map(yield* configuredBucket, ({ base }) => base.origin))
  const answers = new WeakMap<object, HttpServerResponse.HttpServerResponse>()
  const kept = <A extends object>(key: A, make: (key: A) => HttpServerResponse.HttpServerResponse) => {
    const answer = answers.get(key) ?? make(key)
    answers.set(key, answer)
    return answer
  }

  const page = Effect.map(files, (made) =>
    kept(made.page, (names) =>
      staticAnswer(
        HttpServerResponse.text(consolePage(names), { contentType: "text/html; charset=utf-8", headers }),
        "no-cache"
      )))

  const file = Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const found = (yield* files).files.get(name)
    return found === undefined ? yield* new NotFound() : kept(found, answerOf)
  })

  yield* router.add("GET", `${consolePath}/*`, page)
  yield* router.add("GET", `${assetsPath}/:name`, file)
}))

const readSecret = Schema.decodeUnknownOption(Schema.Struct({ secret: Schema.String }))

const wrongSecret = new Unauthenticated({ error: { message: "This is not the service's own secret" } })

const noOperators = new NotFound({
  error: { message: "INTERNAL_SECRET is not set, so there is nothing for operators" }
})

/** Lets operators in, by the secret of `/internal/*`, which the browser does not keep. */
const OperatorLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const known = yield* operatorKeys
  const cookies = yield* consoleCookies
  const countCredential = yield* credentialCount
  const guesses = yield* SecretGuesses

  const enter = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!isOwnPage(request.headers)) return notOwnPage
    if (Option.isNone(known)) return yield* noOperators
    yield* countCredential
    const presented = readSecret(yield* readJson(new Uint8Array(yield* request.arrayBuffer)))
    const isIt = Option.isSome(presented) && (yield* guesses.isIt(known.value, presented.value.secret))
    if (!isIt) return yield* wrongSecret
    const { pass, until } = operatorPass(known.value.keys, yield* DateTime.now)
    const answer = HttpServerResponse.jsonUnsafe(
      { data: { expires_at: DateTime.formatIso(until) } },
      { headers: { "cache-control": "no-store" } }
    )
    return cookies.operator.set(answer, pass, until)
  })

  const leave = Effect.map(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => isOwnPage(headers) ? cookies.operator.clear(HttpServerResponse.empty({ status: 204 })) : notOwnPage
  )

  yield* router.add("POST", operatorPath, enter)
  yield* router.add("DELETE", operatorPath, leave)
}))

/** The console's page, its files, and the door for operators. Everything else it does is the API's. */
export const ConsoleLayer = Layer.merge(FilesLayer, OperatorLayer)

import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { addAssets } from "../../browser/server/PageAssets.ts"
import { scriptedHeaders } from "../../browser/server/PageDocument.ts"
import { makePageFiles, preloadHeader } from "../../browser/server/PageFiles.ts"
import { Unauthenticated } from "../../identity/authentication/Authentication.ts"
import { credentialCount } from "../../identity/limits/RateLimitsLayer.ts"
import { frameOrigins } from "../../learning/media/HostedProvider.ts"
import { SecretGuesses } from "../../operations/telemetry/SecretGuesses.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { readJson } from "../../platform/http/JsonText.ts"
import { staticAnswer } from "../../platform/http/server/StaticAnswer.ts"
import { OwnProgram } from "../../platform/processes/OwnProgram.ts"
import { configuredBucket } from "../../platform/storage/StorageSettings.ts"
import { consolePage } from "./ConsolePage.ts"
import { consolePath, operatorPath } from "./ConsolePaths.ts"
import { consoleCookies, isConsole, notConsole, operatorKeys } from "./ConsoleRewrite.ts"
import { operatorPass } from "./OperatorPass.ts"

/** The page and its files. */
const FilesLayer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const files = makePageFiles(yield* OwnProgram, "console")
  // Uploads go to the bucket itself, and images of files come from it. The preview of a lesson has players in frames.
  const storage = Option.map(yield* configuredBucket, ({ base }) => base.origin)
  const headers = scriptedHeaders(storage, { "frame-src": frameOrigins.join(" ") })
  const answers = new WeakMap<object, HttpServerResponse.HttpServerResponse>()

  const page = Effect.gen(function*() {
    const made = yield* files
    const answer = answers.get(made) ?? staticAnswer(
      HttpServerResponse.text(consolePage(made.page), { contentType: "text/html; charset=utf-8", headers }),
      "no-cache"
    )
    answers.set(made, answer)
    // Below the club.
    const [, ...path] = ((yield* HttpRouter.params)["*"] ?? "").split("/")
    return HttpServerResponse.setHeader(answer, "link", preloadHeader(made.page, path.join("/")))
  })

  yield* router.add("GET", `${consolePath}/*`, page)
  yield* addAssets(router, "console", files)
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
    if (!isConsole(request)) return notConsole
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
    (request) => isConsole(request) ? cookies.operator.clear(HttpServerResponse.empty({ status: 204 })) : notConsole
  )

  yield* router.add("POST", operatorPath, enter)
  yield* router.add("DELETE", operatorPath, leave)
}))

/** The console's page, its files, and the door for operators. Everything else it does is the API's. */
export const ConsoleLayer = Layer.merge(FilesLayer, OperatorLayer)

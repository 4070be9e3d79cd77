import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer, Logger, LogLevel, Option, Redacted, Schema, Stream } from "effect"
import {
  HttpClient,
  HttpClientRequest,
  type HttpClientResponse,
  type HttpMethod,
  HttpRouter,
  HttpServer
} from "effect/http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RoutesLayer, ServicesLayer } from "../../src/App.ts"
import type { Role } from "../../src/identity/people/Role.ts"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { HashCost } from "../../src/membership/accounts/Passwords.ts"
import { Clubs } from "../../src/membership/clubs/Clubs.ts"
import { allowedOrigins } from "../../src/platform/http/server/AllowedOrigins.ts"
import { RequestLimitsLayer } from "../../src/platform/http/server/RequestLimits.ts"
import { createApiServer } from "../../src/platform/http/server/Server.ts"
import { SmallContextsLayer } from "../../src/platform/patches/SmallContexts.ts"
import { isEndless } from "./Endless.ts"
import { Mailbox } from "./Mailbox.ts"
import { type MadeUser, makeMember, makeStudent, makeUser } from "./Makers.ts"
import { PostgresLayer } from "./Postgres.ts"

export const roomyLimits = {
  RATE_LIMIT_WRITES: "100000",
  RATE_LIMIT_CREDENTIALS: "100000",
  RATE_LIMIT_CLASSROOM: "100000",
  MAILS_PER_ADDRESS: "100000",
  MAILS_PER_CLUB: "100000"
}

const ServerLayer = HttpServer.layerTestClient.pipe(
  Layer.provide(Layer.fresh(NodeHttpClient.layerUndici)),
  Layer.provideMerge(Layer.unwrap(Effect.map(
    allowedOrigins,
    (allows) => NodeHttpServer.layer(() => createApiServer(allows), { port: 0 })
  )))
)

/** The settings of `appLayer`. */
export const configLayer = (variables: Record<string, string> = {}) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown({
    ...roomyLimits,
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    PUBLIC_URL: "https://turma.example",
    DATA_DIR: join(tmpdir(), `turma-files-${process.pid}`),
    STORAGE_FREE_FLOOR: "0 B",
    ...variables
  }))

/** The least cost that Argon2id allows: most tests are not about its cost. */
const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Only the log has the cause of a 500, so a failing test shows the log. */
const ErrorLogLayer = Logger.layer([
  Logger.make((line) => {
    if (LogLevel.isGreaterThanOrEqualTo(line.logLevel, "Error")) {
      process.stderr.write(`${Logger.formatLogFmt.log(line)}\n`)
    }
  })
], { mergeWithExisting: true })

/** The wiring of `main.ts` for these services and routes, on a real socket and a real PostgreSQL. */
export const composedLayer = <S, SE, SR, RE, RR>(
  services: Layer.Layer<S, SE, SR>,
  routes: Layer.Layer<never, RE, RR>,
  { database = PostgresLayer, hashCost = leastCost, variables = {} }: {
    readonly database?: typeof PostgresLayer
    readonly hashCost?: typeof leastCost
    readonly variables?: Record<string, string>
  } = {}
) =>
  HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide([SmallContextsLayer, RequestLimitsLayer]),
    Layer.provideMerge(ServerLayer),
    Layer.provideMerge(Mailbox.layer),
    Layer.provideMerge(services),
    Layer.provide(Layer.succeed(HashCost, hashCost)),
    Layer.provideMerge(database),
    Layer.provide(configLayer(variables)),
    Layer.provide(ErrorLogLayer)
  )

/**
 * The whole service without the workers, which `Mailbox` runs. Limits are too high to matter unless `variables` sets
 * them.
 */
export const appLayer = (
  variables: Record<string, string> = {},
  { database = PostgresLayer, hashCost = leastCost, routes = RoutesLayer }: {
    readonly database?: typeof PostgresLayer
    /** The cost of a password's hash: the least, unless the test is about it. */
    readonly hashCost?: typeof leastCost
    /** The routes may need any service of the app. */
    readonly routes?: Layer.Layer<
      never,
      Layer.Error<typeof RoutesLayer>,
      Layer.Services<typeof RoutesLayer> | Layer.Success<typeof ServicesLayer | typeof PostgresLayer>
    >
  } = {}
) => composedLayer(ServicesLayer, routes, { database, hashCost, variables })

export const AppLayer = appLayer()

interface Sent {
  readonly token?: string
  /** Sent as JSON; text is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** Reads the first text of a stream, and then drops the stream. */
const beginning = ({ stream }: HttpClientResponse.HttpClientResponse) =>
  Effect.map(Stream.runHead(Stream.decodeText(stream)), Option.getOrElse(() => ""))

/** Sends one request over the socket. Answers status, headers and body; for an endless stream, its beginning. */
export const send = Effect.fn("send")(function*(
  method: HttpMethod.HttpMethod,
  path: string,
  { body, headers = {}, token }: Sent = {}
) {
  const bare = HttpClientRequest.make(method)(path).pipe(HttpClientRequest.setHeaders(headers))
  const known = token === undefined ? bare : HttpClientRequest.bearerToken(bare, token)
  const whole = body === undefined
    ? known
    : body instanceof Uint8Array
    ? HttpClientRequest.bodyUint8Array(known, body)
    : HttpClientRequest.bodyText(
      known,
      typeof body === "string" ? body : JSON.stringify(body),
      headers["content-type"] ?? "application/json"
    )
  const response = yield* HttpClient.execute(whole)
  const text = yield* isEndless(path) && response.status === 200 ? beginning(response) : response.text
  return { status: response.status, headers: response.headers, text, json: Option.getOrNull(decodeJson(text)) }
})

/** The value at `path` in a body: `at(json, "data", "levels", 0, "name")`. */
export const at = (json: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key], json)

/** The list at `path` in a body; empty if there is no list. */
export const listAt = (json: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const list = at(json, ...path)
  return Array.isArray(list) ? list : []
}

export const codeOf = (answer: { readonly json: unknown }) => at(answer.json, "error", "code")

/** Status and code of a failure; the code of a success is undefined. */
export const outcome = (answer: { readonly status: number; readonly json: unknown }) => [answer.status, codeOf(answer)]

/** A session's token for this administrator. */
export const tokenOf = Effect.fn("tokenOf")(function*(user: Pick<MadeUser, "id">) {
  const sessions = yield* SessionStore
  return Redacted.value((yield* sessions.issue({ kind: "admin", user_id: user.id })).access_token)
})

/** A club created as the API does, with its owner's session. `path` is `/v1/clubs/{clubId}`. */
export const foundClub = Effect.fn("foundClub")(function*(given: { readonly locale?: "en" | "pt-BR" } = {}) {
  const clubs = yield* Clubs
  const sessions = yield* SessionStore
  const owner = yield* makeUser()
  const { access_token } = yield* sessions.issue({ kind: "admin", user_id: owner.id })
  const club = yield* clubs.create({ user: owner }, { name: "Violão Fácil", ...given })
  const token = Redacted.value(access_token)
  const found = yield* sessions.find(access_token, Option.some(club.organization_id))
  if (Option.isNone(found) || found.value._tag !== "User" || Option.isNone(found.value.membership)) {
    return yield* Effect.die(new Error("The owner is not a member of the club"))
  }
  const { id } = found.value.membership.value.club
  return { id, organization_id: club.organization_id, path: `/v1/clubs/${club.organization_id}`, owner, token }
})

type Founded = Effect.Success<ReturnType<typeof foundClub>>

/** A session's token of a new member with this role in the club. */
export const tokenAs = Effect.fn("tokenAs")(function*(club: Pick<Founded, "id">, role: Role) {
  return yield* tokenOf(yield* makeMember(club, role))
})

/** A key of the club that its owner made, with its token. */
export const keyOf = Effect.fn("keyOf")(function*(
  { path, token }: Pick<Founded, "path" | "token">,
  given: Readonly<Record<string, unknown>> = {}
) {
  const made = yield* send("POST", `${path}/keys`, { token, body: { name: "Order system", role: "admin", ...given } })
  return { id: String(at(made.json, "data", "id")), token: String(at(made.json, "data", "token")), made }
})

/** A student of the club, with a token of their session. */
export const enrolledStudent = Effect.fn("enrolledStudent")(function*(club: Pick<Founded, "id">) {
  const sessions = yield* SessionStore
  const student = yield* makeStudent(club)
  const issued = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: student.id })
  return { ...student, token: Redacted.value(issued.access_token) }
})

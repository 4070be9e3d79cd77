import { Context, Effect, Latch, Layer, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema
} from "effect/http-api"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { answersAbout } from "../../../src/platform/http/AnswerSubject.ts"
import { ApiError } from "../../../src/platform/http/ApiError.ts"
import { Data } from "../../../src/platform/http/Page.ts"
import { RequestOwner } from "../../../src/platform/http/request/RequestOwner.ts"
import { RequestErrors, RequestErrorsLayer } from "../../../src/platform/http/RequestErrors.ts"
import { Idempotent } from "../../../src/platform/idempotency/Idempotency.ts"

/** Stands in for the sessions: `x-owner` names the owner of the session. */
class AsOwner extends HttpApiMiddleware.Service<AsOwner>()("test/AsOwner") {}

const AsOwnerLayer = Layer.succeed(AsOwner, (httpEffect) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => Effect.provideService(httpEffect, RequestOwner, Option.fromNullishOr(headers["x-owner"]))
  ))

class Unlucky extends ApiError<Unlucky>()("Unlucky", {
  status: 409,
  code: "unlucky",
  message: { en: "Not this one", "pt-BR": "Este não." }
}) {}

const Thing = Schema.Struct({ id: Schema.String, name: Schema.String })
const payload = Schema.Struct({ name: Schema.NonEmptyString, about: Schema.optionalKey(Schema.String) })
const created = Data(Thing).pipe(HttpApiSchema.status(201))

/** Things are rows of the test's own table. After its write, a thing named `unlucky` fails and `broken` dies. */
const Api = HttpApi.make("things").add(HttpApiGroup.make("things").add(
  HttpApiEndpoint.post("create", "/:folder/things", {
    params: { folder: Schema.String },
    payload,
    success: created,
    error: Unlucky
  }).middleware(Idempotent),
  HttpApiEndpoint.post("createSlowly", "/slow", { payload, success: created }).middleware(Idempotent),
  HttpApiEndpoint.post("createQuietly", "/quiet", { payload, success: HttpApiSchema.NoContent }).middleware(Idempotent)
).middleware(AsOwner)).middleware(RequestErrors)

/** `POST /slow` stores its thing, opens `entered` and goes on once `leave` is open. */
export class Gate
  extends Context.Service<Gate, { readonly entered: Latch.Latch; readonly leave: Latch.Latch }>()("test/Gate")
{
  static readonly layer = Layer.effect(Gate, Effect.all({ entered: Latch.make(), leave: Latch.make() }))
}

const ThingsHttp = HttpApiBuilder.group(
  Api,
  "things",
  Effect.fn(function*(handlers) {
    const sql = yield* SqlClient.SqlClient
    const gate = yield* Gate
    const store = (name: string) =>
      Effect.gen(function*() {
        const thing = { id: randomUUID(), name }
        yield* sql`insert into things ${sql.insert(thing)}`
        return { data: thing }
      }).pipe(sql.withTransaction, Effect.orDie)
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ payload: { about, name } }) {
        if (about !== undefined) yield* answersAbout(about)
        const thing = yield* store(name)
        if (name === "unlucky") return yield* new Unlucky()
        if (name === "broken") return yield* Effect.die(new Error("broken"))
        return thing
      }),
      createSlowly: Effect.fnUntraced(function*({ payload: { name } }) {
        const thing = yield* store(name)
        yield* gate.entered.open
        yield* gate.leave.await
        return thing
      }),
      createQuietly: ({ payload: { name } }) => Effect.asVoid(store(name))
    })
  })
)

/** The routes. They still need `Idempotent`, the gate and a database. */
export const ThingsLayer = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(ThingsHttp),
  Layer.provide([AsOwnerLayer, RequestErrorsLayer])
)

export const ThingsTable = Layer.effectDiscard(Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`create table things (id uuid primary key, name text not null)`
))

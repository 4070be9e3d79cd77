import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { type AnswerSubject, CurrentAnswerSubject } from "../http/AnswerSubject.ts"
import { restartable } from "../http/request/BeforeTransaction.ts"
import { ClockGuard } from "../jobs/ClockGuard.ts"
import { sweepOf } from "../jobs/Sweep.ts"
import { uuids } from "../sql/Arrays.ts"
import { faultsDie, one, rows } from "../sql/Rows.ts"
import { Sealing } from "../sql/Sealing.ts"
import { ownText } from "../text/Utf8.ts"
import { IdempotencyAnswerErased, IdempotencyInProgress, IdempotencyKeyReused } from "./Idempotency.ts"

/** A request that must run only once. */
interface KeyedRequest {
  /** The session. */
  readonly owner: string
  /** The endpoint: method and path as declared. */
  readonly route: string
  readonly key: string
  /** The URL as sent, without the host. */
  readonly url: string
  readonly body: Uint8Array
}

const Answer = Schema.fromJsonString(Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.Uint8ArrayFromBase64
}))
const encodeAnswer = Schema.encodeEffect(Answer)
const decodeAnswer = Schema.decodeUnknownEffect(Answer)

const decodeLocked = one(Schema.Struct({ locked: Schema.Boolean }))
const decodeStored =
  rows(Schema.Struct({ same: Schema.Boolean, answer: Schema.NullOr(Schema.Uint8Array), expired: Schema.Boolean }))

// Each part goes in with its length, so that no two lists of parts hash alike.
const digest = (...parts: ReadonlyArray<string | Uint8Array>) =>
  parts.reduce<ReturnType<typeof createHash>>((hash, part) => {
    const bytes = Buffer.from(part)
    return hash.update(`${bytes.length}:`).update(bytes)
  }, createHash("sha256")).digest()

const bindingOf = (id: Buffer) => `idempotency_keys/${id.toString("hex")}`

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse) => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed(new Uint8Array())
    case "Uint8Array":
      return Effect.succeed(body.body)
    default:
      return Effect.die(new Error(`An idempotent route cannot answer with a body of kind ${body._tag}`))
  }
}

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The `idempotency_keys` table. */
export class IdempotencyKeys extends Context.Service<IdempotencyKeys, {
  /**
   * Runs the effect in a transaction and keeps a successful answer in the same one, so both are there or neither. A
   * failure keeps nothing and rolls everything back. Transactions inside become savepoints. Work in `beforeTransaction`
   * runs outside of the transaction, while another request may have the key. The effect reports by `answersAbout` the
   * people that its answer is about.
   */
  once<E, R>(
    request: KeyedRequest,
    effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E | IdempotencyAnswerErased | IdempotencyInProgress | IdempotencyKeyReused,
    R
  >
  /**
   * Empties the kept answers about this id, in the caller's transaction; answers how many. They then reveal nothing of
   * the request. Their keys are not free before they expire: a client that repeats a request learns that it has run.
   */
  eraseAbout(id: string): Effect.Effect<number>
}>()("turma/platform/idempotency/IdempotencyKeys") {
  /** How long an answer is kept. */
  static readonly lifetime = Duration.hours(24)

  static readonly layer = Layer.effect(
    IdempotencyKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sealing = yield* Sealing
      const guard = yield* ClockGuard

      // Held until the transaction ends, by a crash too. A statement of its own: the next one then sees what the last
      // holder committed.
      const lock = Effect.fnUntraced(function*(id: Buffer) {
        const { locked } = yield* sql`select pg_try_advisory_xact_lock(${id.readBigInt64BE()}) as locked`
          .pipe(decodeLocked)
        return locked
      })

      // One that is there still and has expired counts as long as the clock that says so is doubtful.
      const find = Effect.fnUntraced(function*(id: Buffer, requestHash: Buffer) {
        const [stored] = yield* sql`
          select request_hash = ${requestHash} as same, answer, expires_at <= ${yield* now} as expired
          from idempotency_keys where id = ${id}`.pipe(decodeStored)
        return stored?.expired === true && (yield* guard.isRight) ? undefined : stored
      })

      const replay = Effect.fnUntraced(function*(id: Buffer, sealed: Uint8Array) {
        const plain = yield* sealing.open(sealed, bindingOf(id))
        const { body, headers, status } = yield* decodeAnswer(ownText(plain))
        const response = body.length === 0
          ? HttpServerResponse.empty({ status, headers })
          : HttpServerResponse.uint8Array(body, { status, headers, contentType: headers["content-type"] })
        return HttpServerResponse.setHeader(response, "idempotency-replayed", "true")
      }, Effect.orDie)

      const keep = Effect.fnUntraced(function*(
        id: Buffer,
        requestHash: Buffer,
        { about }: AnswerSubject,
        response: HttpServerResponse.HttpServerResponse
      ) {
        const body = yield* bytesOf(response)
        const answer = yield* encodeAnswer({ status: response.status, headers: { ...response.headers }, body })
        const sealed = yield* sealing.seal(Buffer.from(answer), bindingOf(id))
        const expiresAt = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, IdempotencyKeys.lifetime))
        // Only an expired row can be in the way.
        yield* sql`
          insert into idempotency_keys (id, request_hash, answer, about, expires_at)
          values (${id}, ${requestHash}, ${sealed}, ${about.size === 0 ? null : uuids([...about])}, ${expiresAt})
          on conflict (id) do update
          set request_hash = excluded.request_hash, answer = excluded.answer, about = excluded.about,
            expires_at = excluded.expires_at`
      }, Effect.orDie)

      const answerAgain = Effect.fnUntraced(function*(
        id: Buffer,
        { answer, same }: { readonly same: boolean; readonly answer: Uint8Array | null }
      ) {
        if (answer === null) return yield* new IdempotencyAnswerErased()
        return same ? yield* replay(id, answer) : yield* new IdempotencyKeyReused()
      })

      const once = Effect.fn("IdempotencyKeys.once")(function*<E, R>(
        { body, key, owner, route, url }: KeyedRequest,
        effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) {
        const id = digest(owner, route, key)
        const requestHash = digest(owner, route, key, url, body)
        const guarded = Effect.gen(function*() {
          if (!(yield* lock(id))) return yield* new IdempotencyInProgress()
          const stored = yield* find(id, requestHash)
          if (stored !== undefined) return yield* answerAgain(id, stored)
          const subject: AnswerSubject = { about: new Set() }
          const response = yield* Effect.provideService(effect, CurrentAnswerSubject, subject)
          if (response.status >= 200 && response.status < 300) yield* keep(id, requestHash, subject, response)
          return response
        })
        return yield* restartable(sql.withTransaction(guarded)).pipe(faultsDie)
      })

      const eraseAbout = Effect.fn("IdempotencyKeys.eraseAbout")(function*(about: string) {
        const erased = yield* sql`
          update idempotency_keys set answer = null, request_hash = id
          where about @> ${uuids([about])} and answer is not null returning 1`
        return erased.length
      }, Effect.orDie)

      return IdempotencyKeys.of({ once, eraseAbout })
    })
  )
}

/** Deletes the answers that have expired. */
export const sweepIdempotencyKeys = sweepOf(
  "IdempotencyKeys.sweep",
  "idempotency keys",
  (sql, at) => sql`delete from idempotency_keys where expires_at <= ${DateTime.toDateUtc(at)}`
)

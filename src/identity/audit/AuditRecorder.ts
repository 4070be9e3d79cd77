import { Cause, Context, DateTime, Effect, Exit, Layer, Predicate } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { requestId } from "../../platform/http/request/RequestId.ts"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { timeOf } from "../../platform/sql/Uuid7.ts"
import type { ClubId } from "../ids/ClubId.ts"
import type { ClubKeyId } from "../ids/ClubKeyId.ts"
import type { UserId } from "../ids/UserId.ts"
import { CurrentRecording, insertAuditEntry, type NewAuditEntry, type Recording, targetsOf } from "./NewAuditEntry.ts"

/** The administrator and the club of an act. `key_id` is set if a key acts, which acts for the user. */
export interface Actor {
  readonly club_id: ClubId
  readonly user_id: UserId
  readonly key_id: ClubKeyId | null
}

/** Which operation of the contract is asked for. */
export interface Asked {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "identifier">
  readonly group: Pick<HttpApiGroup.Top, "identifier">
}

/** The name that the contract gives an operation: its `operationId`. */
export const operationOf = ({ endpoint, group }: Asked): string =>
  Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => `${group.identifier}.${endpoint.identifier}`)

const isDone = (status: number) => status < 400

/** The act of an answer that was kept for its `Idempotency-Key` has its row already. */
const isRepeated = ({ headers }: HttpServerResponse.HttpServerResponse) => headers["idempotency-replayed"] !== undefined

/** The library hands a middleware the failure of a handler as the `error` of one of its own. */
const isForbidden = (failure: unknown) =>
  Predicate.isTagged(failure, "Forbidden") ||
  Predicate.hasProperty(failure, "error") && Predicate.isTagged(failure.error, "Forbidden")

/** The handler itself says no: to a role above the member's own, or since they have lost theirs meanwhile. */
const isRefused = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) && exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && isForbidden(reason.error))

/** Writes each act in a club into its log, together with the act. */
export class AuditRecorder extends Context.Service<AuditRecorder, {
  /**
   * Runs the handler of an operation. Its row is in the statement that is `audited`. A success without such a statement
   * gets its row right after it. A failure leaves a row only if it has changed something, or was not allowed.
   */
  record<E, R>(
    actor: Actor,
    asked: Asked,
    handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpRouter.RouteContext>
  /** A member was not allowed an operation that writes. */
  refused(actor: Actor, asked: Asked): Effect.Effect<void, never, HttpRouter.RouteContext>
  /** Runs an act in a club by a route outside of it: its statement that is `audited` has the row. */
  along(actor: Actor, operation: string): <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("turma/identity/audit/AuditRecorder") {
  static readonly layer = Layer.effect(
    AuditRecorder,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const make = Effect.fnUntraced(function*(
        actor: Actor,
        operation: string,
        about: Pick<NewAuditEntry, "student_id" | "targets">,
        outcome: NewAuditEntry["outcome"]
      ): Effect.fn.Return<NewAuditEntry> {
        const id = yield* Effect.orDie(random.uuidV7())
        const request_id = yield* requestId
        return {
          ...actor,
          ...about,
          id,
          at: DateTime.toDateUtc(timeOf(id)),
          operation,
          created_id: null,
          request_id,
          outcome
        }
      })

      const begin = (actor: Actor, asked: Asked, outcome: NewAuditEntry["outcome"]) =>
        Effect.flatMap(
          HttpRouter.params,
          (params) => make(actor, operationOf(asked), targetsOf(params, outcome), outcome)
        )

      /**
       * Writes a deed that changes nothing. Its student may have been removed before. If the removal runs just now, the
       * lock waits for it. A statement that changes something about a student comes after a lock on them.
       */
      const write = (entry: NewAuditEntry) => {
        const { club_id, request_id, student_id } = entry
        const unlessRemoved = sql`
          case when (
            select s.removed_at is not null from students s
            where s.club_id = ${club_id}::uuid and s.id = ${student_id}::uuid for key share
          ) then null else ${request_id}::text end`
        return sql`${insertAuditEntry(entry, unlessRemoved)}`.pipe(
          Effect.provideService(OnBehalfOf, club_id),
          Effect.asVoid,
          Effect.orDie
        )
      }

      const forget = ({ club_id, id }: NewAuditEntry) =>
        sql`delete from audit_log where club_id = ${club_id} and id = ${id}`.pipe(
          Effect.provideService(OnBehalfOf, club_id),
          Effect.asVoid,
          Effect.orDie
        )

      const end = (recording: Recording, exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => {
        const { entry, hasChanged, isWritten } = recording
        recording.isOver = true
        if (Exit.isSuccess(exit) && isDone(exit.value.status)) {
          return isWritten || isRepeated(exit.value) ? Effect.void : write(entry)
        }
        if (hasChanged || Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return Effect.void
        const forgotten = isWritten ? forget(entry) : Effect.void
        return isRefused(exit)
          ? Effect.andThen(forgotten, write({ ...entry, created_id: null, outcome: "refused" }))
          : forgotten
      }

      const recordingOf = (entry: NewAuditEntry): Recording => ({
        entry,
        sql,
        isWritten: false,
        hasChanged: false,
        isOver: false
      })

      const record = <E, R>(
        actor: Actor,
        asked: Asked,
        handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) =>
        Effect.flatMap(begin(actor, asked, "done"), (entry) => {
          const recording = recordingOf(entry)
          return handler.pipe(
            Effect.provideService(CurrentRecording, recording),
            Effect.onExit((exit) => end(recording, exit))
          )
        })

      const refused = (actor: Actor, asked: Asked) => Effect.flatMap(begin(actor, asked, "refused"), write)

      const along = (actor: Actor, operation: string) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          make(actor, operation, targetsOf({}, "done"), "done"),
          (entry) => Effect.provideService(work, CurrentRecording, recordingOf(entry))
        )

      return AuditRecorder.of({ record, refused, along })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}

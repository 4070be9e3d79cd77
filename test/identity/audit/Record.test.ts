import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { audited } from "../../../src/identity/audit/AuditFragment.ts"
import { AuditRecorder } from "../../../src/identity/audit/AuditRecorder.ts"
import { creates, CurrentRecording } from "../../../src/identity/audit/NewAuditEntry.ts"
import { Forbidden } from "../../../src/identity/authentication/Authentication.ts"
import { NotFound } from "../../../src/platform/http/errors.ts"
import { AppLayer } from "../../harness/App.ts"
import { makeClub, makeUser } from "../../harness/Makers.ts"

const asked = { endpoint: HttpApiEndpoint.post("make", "/things"), group: HttpApiGroup.make("things") }
const route = HttpRouter.route("POST", "/things", Effect.succeed(HttpServerResponse.empty()))

/** A club with a member who may do something, and the records of their operations. */
const place = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const auditRecorder = yield* AuditRecorder
  const club = yield* makeClub()
  const user = yield* makeUser()
  const actor = { club_id: club.id, user_id: user.id, key_id: null }
  const record = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    auditRecorder.record(actor, asked, handler).pipe(
      Effect.provideService(HttpRouter.RouteContext, { params: {}, route }),
      Effect.exit
    )
  const rename = (name: string) =>
    audited((audit) => sql`${audit.with} update clubs set name = ${name} where id = ${club.id}`)
  const rows = sql`select outcome, created_id from audit_log where club_id = ${club.id} order by id`
  return { record, rename, rows, user }
})

const done = HttpServerResponse.empty()

layer(AppLayer)("The row of a request", (it) => {
  it.effect("is not written by what goes on after the request", () =>
    Effect.gen(function*() {
      const { record, rename, rows } = yield* place
      const goOn = yield* Deferred.make<void>()
      const later = yield* Deferred.make<Fiber.Fiber<unknown, unknown>>()
      yield* record(Effect.gen(function*() {
        const fiber = yield* Effect.forkDetach(Effect.andThen(Deferred.await(goOn), rename("Late")))
        yield* Deferred.succeed(later, fiber)
        return yield* new NotFound()
      }))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(yield* Deferred.await(later))
      assert.deepStrictEqual(yield* rows, [])
    }))

  it.effect("names nothing as created that the handler then refused to create", () =>
    Effect.gen(function*() {
      const { record, rows, user } = yield* place
      yield* record(Effect.andThen(creates(user.id), Effect.fail(new Forbidden())))
      assert.deepStrictEqual(yield* rows, [{ outcome: "refused", created_id: null }])
    }))

  it.effect("says that it is done where something was changed before the handler refused the rest", () =>
    Effect.gen(function*() {
      const { record, rename, rows } = yield* place
      yield* record(Effect.andThen(rename("Half"), Effect.fail(new Forbidden())))
      assert.deepStrictEqual(yield* rows, [{ outcome: "done", created_id: null }])
    }))

  it.effect("says that it is refused where the first write found nothing to change", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { record, rows, user } = yield* place
      const nothing = audited((audit) => sql`${audit.with} delete from members where user_id = ${user.id}`)
      yield* record(Effect.andThen(nothing, Effect.fail(new Forbidden())))
      assert.deepStrictEqual(yield* rows, [{ outcome: "refused", created_id: null }])
    }))

  it.effect("is one where a statement was done that nobody heard of, and the next one has it again", () =>
    Effect.gen(function*() {
      const { record, rename, rows } = yield* place
      const exit = yield* record(Effect.gen(function*() {
        yield* rename("Once")
        const recording = yield* CurrentRecording
        if (recording !== undefined) recording.isWritten = false
        yield* rename("Twice")
        return done
      }))
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(yield* rows, [{ outcome: "done", created_id: null }])
    }))
})

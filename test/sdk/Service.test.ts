import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { createTurma, TurmaError, type TurmaOptions } from "../../src/sdk/index.ts"
import { cancel, classroom, replyTo, work, worldLayer } from "../assistant/World.ts"
import { foundClub } from "../harness/App.ts"
import { makeStudent } from "../harness/Makers.ts"
import { collected, failureOf } from "./Scripted.ts"

// Against the whole service, over a socket.

const turmaWith = Effect.fnUntraced(function*(options: Partial<TurmaOptions> = {}) {
  const { address } = yield* HttpServer.HttpServer
  if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("The server listens on no port"))
  return createTurma({ baseUrl: `http://127.0.0.1:${address.port}`, ...options })
})

const founded = Effect.gen(function*() {
  const club = yield* foundClub()
  return { club, clubId: club.organization_id, turma: yield* turmaWith({ token: club.token }) }
})

layer(worldLayer())("turma-sdk beside the service", (it) => {
  it.effect("reads, creates, changes and removes", () =>
    Effect.gen(function*() {
      const { club, clubId, turma } = yield* founded
      yield* Effect.promise(async () => {
        const { data: me } = await turma.account.me()
        assert.deepStrictEqual(me.organizations.map(({ organization_id }) => organization_id), [clubId])
        const body = { name: "Bia Lima", email: "bia@example.com" }
        const { data: student } = await turma.students.create({ clubId, body })
        const params = { clubId, studentId: student.id }
        const { data: renamed } = await turma.students.update({ ...params, body: { name: "Bia de Lima" } })
        assert.strictEqual(renamed.name, "Bia de Lima")
        assert.strictEqual(
          (await turma.GET("/v1/clubs/{clubId}/students/{studentId}", { path: params })).data.name,
          "Bia de Lima"
        )
        assert.match(await turma.studentExport.csv({ clubId }), /Bia de Lima,bia@example\.com/)
        assert.isUndefined(await turma.students.remove(params))
        assert.strictEqual((await turma.clubs.get({ clubId })).data.organization_id, club.organization_id)
      })
    }))

  it.effect("iterates over every page", () =>
    Effect.gen(function*() {
      const { club, clubId, turma } = yield* founded
      const made = yield* Effect.forEach(Array.from({ length: 7 }), () => makeStudent(club))
      yield* Effect.promise(async () => {
        const found = await collected(turma.students.list({ clubId, limit: 3 }))
        assert.sameMembers(found.map(({ id }) => id), made.map(({ id }) => id))
        const pages = await collected(turma.students.list({ clubId, limit: 3 }).pages())
        assert.deepStrictEqual(pages.map(({ data }) => data.length), [3, 3, 1])
        assert.isNotEmpty(await collected(turma.webhookEndpoints.eventTypes({ clubId })))
      })
    }))

  it.effect("creates once, whatever is lost on the way", () =>
    Effect.gen(function*() {
      const { club, clubId } = yield* founded
      let asked = 0
      // The service performs the first request, and its answer is lost.
      const turma = yield* turmaWith({
        token: club.token,
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          if (++asked === 1) throw new TypeError("the connection broke")
          return response
        }
      })
      yield* Effect.promise(async () => {
        const replayed: Array<string | null> = []
        const { data } = await turma.lives.create(
          { clubId, body: { title: "Roda", url: "https://meet.example/a", starts_at: "2030-01-01T12:00:00Z" } },
          { onResponse: ({ headers }) => replayed.push(headers.get("idempotency-replayed")) }
        )
        const lives = await collected(turma.lives.list({ clubId }))
        assert.deepStrictEqual([lives.map(({ id }) => id), replayed], [[data.id], ["true"]])
      })
    }))

  it.effect("fails with the contract's errors", () =>
    Effect.gen(function*() {
      const { clubId, turma } = yield* founded
      const stranger = yield* turmaWith({ token: "turma_nobody" })
      yield* Effect.promise(async () => {
        const body = { name: "", email: "bia@example.com" }
        const failures = await Promise.all([
          failureOf(stranger.account.me()),
          failureOf(turma.students.create({ clubId, body })),
          failureOf(turma.students.get({ clubId, studentId: "1" })),
          failureOf(turma.students.list({ clubId, cursor: "2" }))
        ])
        const known = failures.map((failure) => failure instanceof TurmaError && [failure.status, failure.code])
        assert.deepStrictEqual(known, [
          [401, "unauthenticated"],
          [422, "validation_failed"],
          [404, "not_found"],
          [400, "invalid_cursor"]
        ])
        for (const failure of failures) assert.isNotEmpty(failure instanceof TurmaError && failure.requestId)
      })
    }))

  it.effect("is told that nothing has changed", () =>
    Effect.gen(function*() {
      const { clubId, turma } = yield* founded
      yield* Effect.promise(async () => {
        const etags: Array<string> = []
        await turma.gamification.read({ clubId }, {
          onResponse: ({ headers }) => etags.push(headers.get("etag") ?? "")
        })
        const headers = { "If-None-Match": etags.join() }
        const failure = await failureOf(turma.gamification.read({ clubId }, { headers }))
        assert.strictEqual(failure instanceof TurmaError && failure.code, "not_modified")
      })
    }))

  it.effect("follows an answer to its end, from any event on", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const turma = yield* turmaWith({ token: place.student.token })
      const params = { clubId: place.club.organization_id, messageId: yield* replyTo(place) }
      yield* work
      const events = yield* Effect.promise(() => collected(turma.ask.stream(params)))
      assert.deepStrictEqual(events.map(({ event }) => event), [
        "message.delta",
        "message.citation",
        "message.completed"
      ])
      const [delta, , last] = events
      assert.deepStrictEqual(delta?.event === "message.delta" && delta.data, { text: "Com três dedos." })
      assert.strictEqual(last?.event === "message.completed" && last.data.message.content, "Com três dedos.")
      const rest = yield* Effect.promise(() => collected(turma.ask.stream(params, { lastEventId: "15" })))
      assert.deepStrictEqual(rest.map(({ event }) => event), ["message.citation", "message.completed"])
    }))

  it.effect("follows an answer that is still on its way, and is told that it was stopped", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const turma = yield* turmaWith({ token: place.student.token })
      const params = { clubId: place.club.organization_id, messageId: yield* replyTo(place) }
      const began = yield* Deferred.make<void>()
      const onResponse = () => Deferred.doneUnsafe(began, Effect.void)
      const following = yield* Effect.forkChild(Effect.promise(() =>
        collected(turma.ask.stream(params, { onResponse }))
      ))
      yield* Deferred.await(began)
      yield* cancel(place, params.messageId)
      // The service looks again after a moment of its clock.
      const moments = Effect
        .forever(Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("20 millis"))))
      const events = yield* Effect.raceFirst(Fiber.join(following), moments)
      assert.deepStrictEqual(events.map(({ event }) => event), ["message.canceled"])
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { Scope } from "../../../src/identity/people/Scope.ts"
import { remoteCaller } from "../../../src/operations/mcp/Remote.ts"

const own = "0b9d6f5a-2f0e-4d0b-8e55-0a5a3c1c9d11"

const known = JSON.stringify({ data: { id: "k", organization_id: own, acts_as: "viewer", scopes: null } })

/** A caller of the tools of a service with this answer, and the requests to the service. */
const callerOf = Effect.fnUntraced(function*(
  answer: () => Response,
  club_id: Option.Option<string> = Option.none(),
  tools: ReadonlyArray<Scope> | null = null
) {
  const asked: Array<string> = []
  const client = HttpClient.make((request) =>
    Effect.sync(() => {
      asked.push(`${request.method} ${request.url} ${request.headers["authorization"]}`)
      return HttpClientResponse.fromWeb(request, answer())
    })
  )
  const service = { url: "https://turma.example", key: Redacted.make("turma_a"), club_id }
  const caller = yield* Effect.provideService(remoteCaller(service, tools), HttpClient.HttpClient, client)
  return { caller, asked }
})

const said = (answer: () => Response, club_id?: Option.Option<string>) =>
  Effect.flatMap(callerOf(answer, club_id), ({ caller }) =>
    Effect.match(caller.rights, {
      onFailure: ({ message }) => message,
      onSuccess: ({ organization_id }) => organization_id
    }))

describe("A service that runs elsewhere", () => {
  it.effect("is asked with the key what it may, once for all tools of a list", () =>
    Effect.gen(function*() {
      const { asked, caller } = yield* callerOf(() => new Response(known))
      yield* Effect.all([caller.rights, caller.rights, caller.rights])
      assert.deepStrictEqual(asked, ["GET https://turma.example/v1/key Bearer turma_a"])
      yield* TestClock.adjust("5 seconds")
      yield* caller.rights
      assert.lengthOf(asked, 2)
    }))

  it.effect.each([[401, /does not take the key/], [403, /does not take the key/]] as const)(
    "does not take a key that it answers %d",
    ([status, expected]) =>
      Effect.map(said(() => new Response("{}", { status })), (words) => assert.match(words, expected))
  )

  it.effect.each([404, 408, 429, 500, 502, 503])(
    "says nothing about the key with %d",
    (status) =>
      Effect.map(said(() => new Response("<html>", { status })), (words) => {
        assert.match(words, /cannot be reached: try again/)
        assert.notInclude(words, "key")
      })
  )

  it.effect("shows some areas of the key's tools where these are chosen", () =>
    Effect.gen(function*() {
      const { caller } = yield* callerOf(() => new Response(known), Option.none(), ["students:read"])
      assert.deepStrictEqual((yield* caller.rights).tools, ["students:read"])
    }))

  it.effect("may be none of ours", () =>
    Effect.map(said(() => new Response("<html>")), (words) => assert.match(words, /cannot be reached/)))

  it.effect("is asked about the club that was asked for and no other", () =>
    Effect.gen(function*() {
      const answer = () => new Response(known)
      assert.strictEqual(yield* said(answer, Option.some(own.toUpperCase())), own)
      assert.match(yield* said(answer, Option.some(crypto.randomUUID())), /another club's/)
    }))
})

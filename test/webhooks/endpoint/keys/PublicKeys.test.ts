import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { verify } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { parsePublicKey } from "../../../../src/webhooks/send/SigningKey.ts"
import { at, listAt, outcome, send } from "../../../harness/App.ts"
import { type Handed, polled, startListening } from "../../listener/Listening.ts"
import {
  type Asking,
  create,
  fieldsOf,
  foundOnSaturday,
  patch,
  read,
  register,
  type Registered,
  WebhooksLayer
} from "../../Registering.ts"

const addressOf = (id: string) => `/.well-known/turma/webhook-keys/${id}`

/** The public view of the endpoint. */
const published = ({ endpoint_id }: Pick<Registered, "endpoint_id">) => send("GET", addressOf(endpoint_id))

const keysIn = (answer: { readonly json: unknown }) =>
  listAt(answer.json, "data").map((key) => [at(key, "public_key"), at(key, "ends_at")])

const publicKeyOf = (answer: { readonly json: unknown }) => String(at(answer.json, "data", "public_key"))

const rotate = ({ path, token }: Asking) => send("POST", `${path}/rotate-secret`, { token })

const signaturesOf = (handed: Handed | undefined) => handed?.headers["webhook-signature"]?.split(" ") ?? []

const isSignedBy = (publicKey: string, signed: string, signature: string) =>
  verify(
    null,
    Buffer.from(signed),
    Option.getOrThrow(parsePublicKey(publicKey)),
    Buffer.from(signature.slice("v1a,".length), "base64")
  )

layer(WebhooksLayer)("An endpoint", (it) => {
  it.effect("signs with its secret alone and has no key, unless it is told otherwise", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      const fields = fieldsOf(yield* read(endpoint), "signing", "public_key")
      assert.deepStrictEqual(fields, { signing: "hmac", public_key: null })
      assert.deepStrictEqual(outcome(yield* published(endpoint)), [404, "not_found"])
    }))

  it.effect(
    "that signs with both has a key, which everybody may see and keep for minutes",
    () =>
      Effect.gen(function*() {
        const endpoint = yield* register(yield* foundOnSaturday, { signing: "both" })
        const shown = yield* read(endpoint)
        assert.strictEqual(at(shown.json, "data", "signing"), "both")
        assert.isTrue(Option.isSome(parsePublicKey(publicKeyOf(shown))))
        const answer = yield* published(endpoint)
        assert.strictEqual(answer.headers["cache-control"], "public, max-age=300")
        assert.deepStrictEqual(answer.json, {
          data: [{ public_key: publicKeyOf(shown), ends_at: null }],
          next_cursor: null
        })
      })
  )

  it.effect("gets a key of its own with the first change to it, and keeps it", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const [endpoint, other] = [yield* register(club), yield* register(club, { signing: "both" })]
      const first = publicKeyOf(yield* patch(endpoint, { signing: "both" }))
      assert.notStrictEqual(first, publicKeyOf(yield* read(other)))
      for (const signing of ["hmac", "both"]) {
        const changed = yield* patch(endpoint, { signing })
        assert.deepStrictEqual(fieldsOf(changed, "signing", "public_key"), { signing, public_key: first })
        assert.deepStrictEqual(keysIn(yield* published(endpoint)), [[first, null]])
      }
    }))

  it.effect("takes no other name for what signs", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      for (const signing of ["v1a", "ed25519"]) {
        assert.deepStrictEqual(outcome(yield* create(club, { signing })), [422, "validation_failed"])
      }
      const endpoint = yield* register(club)
      assert.deepStrictEqual(outcome(yield* patch(endpoint, { signing: null })), [422, "validation_failed"])
    }))

  it.effect("has its key replaced with its secret, and the one before is shown for its 24 hours", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday, { signing: "both" })
      const first = publicKeyOf(yield* read(endpoint))
      const second = publicKeyOf(yield* rotate(endpoint))
      yield* TestClock.adjust("1 hour")
      const third = publicKeyOf(yield* rotate(endpoint))
      assert.deepStrictEqual(keysIn(yield* published(endpoint)), [
        [third, null],
        [second, "2026-11-22T11:00:00.000Z"],
        [first, "2026-11-22T10:00:00.000Z"]
      ])
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(keysIn(yield* published(endpoint)), [[third, null], [second, "2026-11-22T11:00:00.000Z"]])
    }))

  it.effect("gets no key by a rotation where it had none", () =>
    Effect.gen(function*() {
      const endpoint = yield* register(yield* foundOnSaturday)
      assert.isNull(at((yield* rotate(endpoint)).json, "data", "public_key"))
      assert.deepStrictEqual(outcome(yield* published(endpoint)), [404, "not_found"])
    }))

  it.effect("that is deleted leaves no key, and is as one that never was", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(yield* foundOnSaturday, { signing: "both" })
      yield* rotate(endpoint)
      yield* send("DELETE", endpoint.path, { token: endpoint.token })
      const answer = yield* published(endpoint)
      assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      for (const id of ["0190a000-0000-7000-8000-000000000001", "malformed"]) {
        const { status, text } = yield* send("GET", addressOf(id))
        assert.deepStrictEqual([status, text], [answer.status, answer.text])
      }
      const kept = yield* sql`
        select signing_key, public_key from webhook_endpoints where id = ${endpoint.endpoint_id}
        union all
        select signing_key, public_key from webhook_previous_secrets where endpoint_id = ${endpoint.endpoint_id}`
      assert.deepStrictEqual(kept, [{ signing_key: null, public_key: null }])
    }))

  it.effect("never shows a private key: it is sealed where it is stored", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* register(yield* foundOnSaturday, { signing: "both" })
      const { text } = yield* rotate(endpoint)
      const found = yield* sql`
        select octet_length(signing_key) as size from webhook_endpoints where id = ${endpoint.endpoint_id}
        union all
        select octet_length(signing_key) from webhook_previous_secrets where endpoint_id = ${endpoint.endpoint_id}`
      assert.deepStrictEqual(found, [{ size: 65 }, { size: 65 }])
      assert.notMatch(text, /whsk_|signing_key/)
    }))
})

layer(WebhooksLayer)("What a listener is handed", (it) => {
  it.effect("is signed with secrets, then with keys, each newest first, and the official libraries trust the secrets", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      const endpoint = { ...listener, path: `${club.path}/webhook-endpoints/${listener.endpoint_id}` }
      const secret = String(at((yield* rotate(endpoint)).json, "data", "secret"))
      const first = publicKeyOf(yield* patch(endpoint, { signing: "both" }))
      const rotated = yield* rotate(endpoint)
      yield* send("POST", `${endpoint.path}/test`, { token: club.token })
      const [both] = yield* polled(listener)
      assert.isDefined(both)
      const signatures = signaturesOf(both)
      assert.deepStrictEqual(signatures.map((one) => one.split(",")[0]), ["v1", "v1", "v1", "v1a", "v1a"])
      const signed = `${both.headers["webhook-id"]}.${both.headers["webhook-timestamp"]}.${both.body}`
      const [newest = "", older = ""] = signatures.slice(-2)
      assert.isTrue(isSignedBy(publicKeyOf(rotated), signed, newest))
      assert.isTrue(isSignedBy(first, signed, older))
      const signedAt = new Date(Number(both.headers["webhook-timestamp"]) * 1000)
      for (const one of [secret, String(at(rotated.json, "data", "secret"))]) {
        for (const verifier of [new Webhook(one), new SvixWebhook(one)]) {
          assert.include(signatures, verifier.sign(both.event_id, signedAt, both.body))
        }
      }
      yield* patch(endpoint, { signing: "hmac" })
      const [before] = yield* polled(listener)
      assert.deepStrictEqual(signaturesOf(before), signatures.slice(0, 3))
    }))

  it.effect("is signed with both where a process of an older version has asked for the key alone", () =>
    Effect.gen(function*() {
      const club = yield* foundOnSaturday
      const listener = yield* startListening(club)
      const endpoint = { ...listener, path: `${club.path}/webhook-endpoints/${listener.endpoint_id}` }
      yield* patch(endpoint, { signing: "both" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update webhook_endpoints set signing = 'ed25519' where id = ${listener.endpoint_id}`
      assert.deepStrictEqual(fieldsOf(yield* read(endpoint), "signing"), { signing: "both" })
      yield* rotate(endpoint)
      yield* send("POST", `${endpoint.path}/test`, { token: club.token })
      const [handed] = yield* polled(listener)
      assert.deepStrictEqual(signaturesOf(handed).map((one) => one.split(",")[0]), ["v1", "v1", "v1a", "v1a"])
      assert.deepStrictEqual(fieldsOf(yield* patch(endpoint, { description: "b" }), "signing"), { signing: "both" })
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { openDocument, sealDocument } from "../../../src/membership/students/Document.ts"
import { DocumentRenewal } from "../../../src/membership/students/DocumentRenewal.ts"
import { Sealing } from "../../../src/platform/sql/Sealing.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

type Key = Parameters<typeof Sealing.layerKeys>[0]

const key = (n: number): Key => Redacted.make(new Uint8Array(32).fill(n))
const [first, second, third] = [key(1), key(2), key(3)]

const documentOf = Effect.fnUntraced(function*(id: StudentId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ document: Uint8Array }>`select document from students where id = ${id}`
  return row?.document ?? assert.fail("It is gone")
})

/** A student with a document that this key sealed. */
const sealedBy = Effect.fnUntraced(function*(key: Key) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* makeStudent(yield* makeClub())
  const document = yield* Effect.flatMap(Sealing, (sealing) => sealDocument(sealing, id, Redacted.make("52998224725")))
    .pipe(Effect.provide(Sealing.layerKeys(key)))
  yield* sql`update students set document = ${document} where id = ${id}`
  return id
})

const renewed = (current: Key, ...previous: ReadonlyArray<Key>) =>
  Effect.flatMap(DocumentRenewal, ({ renew }) => renew)
    .pipe(Effect.provide(DocumentRenewal.layer.pipe(Layer.provide(Sealing.layerKeys(current, ...previous)))))

layer(Layer.merge(PostgresLayer, SecureRandom.layerWebCrypto))("a document", (it) => {
  it.effect("moves to each new sealing key, so that the one before may be forgotten", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeStudent(yield* makeClub())
      const id = yield* sealedBy(first)
      assert.strictEqual(yield* renewed(second, first), 1)
      assert.strictEqual(yield* renewed(second, first), 0)
      assert.strictEqual(yield* renewed(third, second), 1)
      const sealed = yield* documentOf(id)
      const opened = yield* Effect.flatMap(Sealing, (sealing) => openDocument(sealing, id, sealed))
        .pipe(Effect.provide(Sealing.layerKeys(third)))
      assert.strictEqual(Redacted.value(opened), "52998224725")
      yield* sql`update students set document = null`
    }))

  it.effect("that no key opens stays as it is and holds up no other", () =>
    Effect.gen(function*() {
      const lost = yield* sealedBy(first)
      yield* sealedBy(second)
      const before = yield* documentOf(lost)
      assert.strictEqual(yield* renewed(third, second), 1)
      assert.deepStrictEqual(yield* documentOf(lost), before)
    }))
})

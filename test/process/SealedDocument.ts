import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { bindingOfDocument } from "../../src/membership/students/Document.ts"
import { keyIdOf, Sealing } from "../../src/platform/sql/Sealing.ts"
import { makeClub, makeStudent } from "../harness/Makers.ts"

const keyOf = (text: string) => Redacted.make(new Uint8Array(Buffer.from(text, "base64")))

/** The id of a key in base64. */
export const idOf = (text: string) => keyIdOf(keyOf(text))

/** A student with a tax document that this key, in base64, has sealed. */
export const sealedDocument = Effect.fnUntraced(function*(key: string) {
  const sql = yield* SqlClient.SqlClient
  const student = yield* makeStudent(yield* makeClub())
  const seal = Effect.flatMap(Sealing, (sealing) => sealing.seal(Buffer.from("123"), bindingOfDocument(student.id)))
  const document = yield* seal
    .pipe(Effect.provide(Sealing.layerKeys(keyOf(key)).pipe(Layer.provide(SecureRandom.layerWebCrypto))))
  yield* sql`update students set document = ${document} where id = ${student.id}`
})

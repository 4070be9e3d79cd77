import { Effect, Schema } from "effect"
import type { Sealing } from "../../../platform/sql/Sealing.ts"
import type { ChunkName, SealedChunk } from "./ImportsRepo.ts"
import { CheckedRow } from "./Row.ts"

const Content = Schema.fromJsonString(Schema.Array(CheckedRow))
const encode = Schema.encodeEffect(Content)
const decode = Schema.decodeEffect(Content)

const bindingOf = ({ club_id, import_id, position }: ChunkName) =>
  `student_import_chunks/${club_id}/${import_id}/${position}`

/** The rows as they wait: they hold names, addresses and tax documents. */
export const sealRows = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  name: ChunkName,
  rows: ReadonlyArray<CheckedRow>
): Effect.fn.Return<SealedChunk, Schema.SchemaError> {
  const plain = new TextEncoder().encode(yield* encode(rows))
  return { position: name.position, content: yield* sealing.seal(plain, bindingOf(name)) }
}, Effect.orDie)

/** A chunk whose key is missing does not open. */
export const openRows = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  chunk: ChunkName & SealedChunk
) {
  const plain = yield* sealing.open(chunk.content, bindingOf(chunk))
  return yield* Effect.orDie(decode(new TextDecoder().decode(plain)))
})

import { Effect, Schema } from "effect"
import type { Sealing } from "../../../platform/sql/Sealing.ts"
import { ownText } from "../../../platform/text/Utf8.ts"
import { CheckedRow } from "./CheckedRow.ts"
import type { ChunkKey, SealedChunk } from "./ImportsRepo.ts"

const Content = Schema.fromJsonString(Schema.Array(CheckedRow))
const encode = Schema.encodeEffect(Content)
const decode = Schema.decodeEffect(Content)

const bindingOf = ({ club_id, import_id, position }: ChunkKey) =>
  `student_import_chunks/${club_id}/${import_id}/${position}`

/** Seals the rows of a waiting chunk, since they contain names, addresses and tax documents. */
export const sealRows = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  name: ChunkKey,
  rows: ReadonlyArray<CheckedRow>
): Effect.fn.Return<SealedChunk, Schema.SchemaError> {
  const plain = new TextEncoder().encode(yield* encode(rows))
  return { position: name.position, content: yield* sealing.seal(plain, bindingOf(name)) }
}, Effect.orDie)

/** The rows of a chunk. Fails if the sealing key is missing. */
export const openRows = Effect.fnUntraced(function*(
  sealing: Sealing["Service"],
  chunk: ChunkKey & SealedChunk
) {
  const plain = yield* sealing.open(chunk.content, bindingOf(chunk))
  return yield* Effect.orDie(decode(ownText(plain)))
})

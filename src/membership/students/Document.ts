import { Effect, Redacted } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { Sealing } from "../../platform/sql/Sealing.ts"
import { ownText } from "../../platform/text/Utf8.ts"

/** Binds a sealed tax document to its student. It does not open for another one. */
export const bindingOfDocument = (id: StudentId): string => `students:${id}:document`

/** The tax document as it is stored. */
export const sealDocument = (sealing: Sealing["Service"], id: StudentId, document: Redacted.Redacted) =>
  sealing.seal(new TextEncoder().encode(Redacted.value(document)), bindingOfDocument(id))

/** The tax document as it was entered. A broken seal is a defect. */
export const openDocument = (sealing: Sealing["Service"], id: StudentId, sealed: Uint8Array) =>
  sealing.open(sealed, bindingOfDocument(id)).pipe(
    Effect.map((bytes) => Redacted.make(ownText(bytes), { label: "document" })),
    Effect.orDie
  )

import { Effect, Redacted } from "effect"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { Sealing } from "../../platform/sql/Sealing.ts"

/** A sealed tax document opens only as the one of this student. */
export const bindingOfDocument = (id: StudentId): string => `students:${id}:document`

/** The tax document as it is stored. */
export const sealDocument = (sealing: Sealing["Service"], id: StudentId, document: Redacted.Redacted) =>
  sealing.seal(new TextEncoder().encode(Redacted.value(document)), bindingOfDocument(id))

/** The tax document as it was given. A broken seal is a defect. */
export const openDocument = (sealing: Sealing["Service"], id: StudentId, sealed: Uint8Array) =>
  sealing.open(sealed, bindingOfDocument(id)).pipe(
    Effect.map((bytes) => Redacted.make(new TextDecoder().decode(bytes), { label: "document" })),
    Effect.orDie
  )

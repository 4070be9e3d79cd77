import { Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { SignatureCheck } from "./SignatureCheck.ts"

/** The sealed parts of a request beside its body. */
export const RequestHead = Schema.Struct({
  query: Schema.String,
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  /** `http` for a request over HTTP, `engine` for one that the engine handed over. */
  source: Schema.Literals(["http", "engine"]),
  /** Of the body. Null if it was too large to read. */
  size_bytes: Schema.NullOr(Count),
  signature: Schema.NullOr(SignatureCheck)
})
export type RequestHead = typeof RequestHead.Type

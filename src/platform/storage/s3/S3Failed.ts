import { Schema } from "effect"
import { transient } from "../../http/TransientError.ts"

// Codes of S3 after which another try may help, with any status: a copy that fails late fails with 200.
const transientCodes = new Set([
  "InternalError",
  "OperationAborted",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown"
])

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

/** S3 refused, or did not answer. Says with what, and neither for which file nor with which signature. */
export class S3Failed extends Schema.TaggedError<S3Failed>()("S3Failed", {
  method: Schema.String,
  /** `None` without an answer. */
  status: Schema.Option(Schema.Int),
  /** S3's word for it (`AccessDenied`), or the system's (`ECONNREFUSED`). */
  code: Schema.String
}) {
  override get message(): string {
    return this.status._tag === "Some"
      ? `S3 answered ${this.method} with ${this.status.value} ${this.code}`
      : `S3 did not answer ${this.method}: ${this.code}`
  }

  /** True if the same request may succeed later. */
  get isTransient(): boolean {
    return this.status._tag === "None" || transientStatuses.has(this.status.value) || transientCodes.has(this.code)
  }

  /** A client whose request needs the bucket may ask again. */
  get [transient](): boolean {
    return this.isTransient
  }

  is(status: number): boolean {
    return this.status._tag === "Some" && this.status.value === status
  }

  /** There is no such object. Without the bucket there is more missing than that. */
  get isMissing(): boolean {
    return this.is(404) && this.code !== "NoSuchBucket"
  }
}

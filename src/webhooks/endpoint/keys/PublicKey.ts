import { Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"

/** A key that a receiver verifies with. */
export const WebhookPublicKey = Schema.Struct({
  public_key: Schema.String
    .pipe(field(
      "An Ed25519 key, `whpk_` and base64 of its 32 bytes",
      "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4="
    )),
  ends_at: InstantOrNull.pipe(field("When it stops signing, since it was replaced; null for the newest one", null))
}).annotate({ identifier: "WebhookPublicKey", description: "A key to verify `v1a` signatures with" })
export type WebhookPublicKey = typeof WebhookPublicKey.Type

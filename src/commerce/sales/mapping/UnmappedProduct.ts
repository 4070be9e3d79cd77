import { Schema } from "effect"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { PlatformKey } from "../platform/Platform.ts"

/** A product that platforms have sold, and that gives access to nothing yet. */
export const UnmappedProduct = Schema.Struct({
  platform: PlatformKey.pipe(field("The sales platform that sells it")),
  external_product_id: Schema.String.pipe(field("The platform's id of the product", "788921")),
  external_offer_id: Schema.NullOr(Schema.String)
    .pipe(field("The platform's id of the offer; null if it named no offer", "launch")),
  name: Schema.NullOr(Schema.String)
    .pipe(field("The product's name on the platform, as it told it last; null where it did not", "Flauta do zero")),
  events: Count.pipe(field("How many events that are still kept wait for a mapping of it", 3)),
  first_received_at: Instant.pipe(field("When the first of them came in")),
  last_received_at: Instant.pipe(field("When the last of them came in"))
}).annotate({
  identifier: "UnmappedProduct",
  description: "A product, or an offer of it, that was sold and that no mapping takes"
})
export type UnmappedProduct = typeof UnmappedProduct.Type

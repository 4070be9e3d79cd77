import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { SecretUrl } from "./Upload.ts"

const Positive = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const MissingPart = Schema.Struct({
  number: Positive.pipe(field("Which part, from 1 on", 2)),
  offset: Schema.Int.pipe(field("Where in the file it begins, in bytes", 16_777_216)),
  size_bytes: Positive.pipe(field("How large it is: the last one is the rest of the file", 3_222_784)),
  url: SecretUrl.pipe(field(
    "Where it goes, as the body of one request without headers of its own. No other part or size is accepted",
    "https://files.example.com/3f/3f9c2a7d51e84b06?partNumber=2&signature=k3J9"
  ))
}).annotate({ identifier: "MediaUploadPart", description: "A part of a file that has not come" })

/** The parts of an upload, and its progress. */
export const UploadParts = Schema.Struct({
  method: Schema.Literal("PUT").pipe(field("The method of each request")),
  part_size: Positive.pipe(field("How large each part but the last is, in bytes", 16_777_216)),
  part_count: Positive.pipe(field("How many parts the file has", 2)),
  received: Schema.Array(Positive).pipe(field("The parts that are there", [1])),
  missing: Schema.Array(MissingPart).pipe(field("The next of the others, at most 32; empty once all are there")),
  expires_at: Instant.pipe(field("When these addresses end, 15 minutes after this answer"))
}).annotate({
  identifier: "MediaUploadParts",
  description: "How a file is sent in parts, and which of them are there"
})

import { Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { text } from "../../platform/http/Text.ts"

/** What is said in a media record, as a person wrote it down. The assistant quotes it. */
export class Transcript extends Schema.Class<Transcript>("Transcript")({
  media_id: MediaId,
  text: Schema.String
}) {}

/** Replaces the transcript. */
export const PutTranscript = Schema.Struct({ text: text(1, 500_000) })

import { Schema } from "effect"
import { MediaId } from "../../learning/media/Media.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"

const about = "Its spoken words, in full: the assistant quotes them"
const words = "Hoje vamos respirar. Ponha a mão na barriga e solte o ar devagar."

/** The spoken words of a media record, as a person wrote them down. */
export class Transcript extends Schema.Class<Transcript>("Transcript")(Schema.Struct({
  media_id: MediaId.pipe(field("The media record of the library that it belongs to")),
  text: Schema.String.pipe(field(about, words))
}).annotate({ description: "The spoken words of a media record, as a person wrote them down" })) {}

/** Replaces the transcript. */
export const PutTranscript = Schema.Struct({ text: text(1, 500_000).pipe(field(about, words)) })

import { Schema } from "effect"
import { BlockId } from "../../learning/content/Block.ts"
import { MediaId } from "../../learning/media/Media.ts"
import { field } from "../../platform/http/Field.ts"

/** The most hits that one search answers. */
export const mostHits = 20

/** In code points. */
export const longestSnippet = 200

const page = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))
const seconds = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

const named = (what: string, example: { readonly public_id: string; readonly title: string }) =>
  Schema.Struct({
    public_id: Schema.String.pipe(field(`Names the ${what} in the classroom`, example.public_id)),
    title: Schema.String.pipe(field(`The title of the ${what}`, example.title))
  })

/** A place in the courses of a student where the words of a search are. */
export const SearchHit = Schema.Struct({
  kind: Schema.Literals(["lesson", "document", "transcript"])
    .pipe(field("`lesson`: its title or a text of it. `document`: a page of a file that it shows. `transcript`: what a video or an audio file says")),
  course: named("course", { public_id: "flauta-doce", title: "Flauta doce" }).pipe(field("The course of the lesson")),
  lesson: named("lesson", { public_id: "respirar", title: "Respirar" })
    .pipe(field("The lesson that has it or shows it")),
  title: Schema.String
    .pipe(field("The title of the text or the file; of a text without one, its lesson's", "Respirar")),
  snippet: Schema.String.pipe(field(
    `Plain text around the words, of at most ${longestSnippet} characters; the beginning of the lesson if the words are in its title`,
    "…fundo e solte o ar devagar, sem levantar os ombros…"
  )),
  block_id: Schema.NullOr(BlockId)
    .pipe(field("The text of the lesson that has the words; null for its title and for files", null)),
  media_id: Schema.NullOr(MediaId)
    .pipe(field("The file, video or sound of the lesson that has the words; null if a title or a text has them", null)),
  page_from: page.pipe(field("The page of a document, from 1 on; otherwise null", null, 3)),
  seconds: seconds.pipe(field(
    "The second of a transcript with times at which the words come; null without times, and for everything else",
    null,
    95
  ))
}).annotate({ identifier: "SearchHit", description: "A place in a student's courses that has the words of a search" })
export type SearchHit = typeof SearchHit.Type

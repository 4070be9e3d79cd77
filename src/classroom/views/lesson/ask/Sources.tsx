import { useSignal } from "@preact/signals"
import { atSecond } from "../../../../browser/client/Format.ts"
import { said } from "../../../../browser/client/Language.ts"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { type OpenSource, sourceAddress } from "../../../club/Source.ts"
import { type Citation, type CitedSource, sourcesOf } from "./talk.ts"
import { words } from "./words.ts"

interface SourcesProps {
  readonly citations: ReadonlyArray<Citation>
  /** The public id of the lesson that is talked about. */
  readonly lesson: string
  readonly openSource: OpenSource
}

const placeOf = ({ media_id, page_from, seconds, source_id }: Citation) =>
  media_id === null ? { block_id: source_id } : { media_id, page: page_from, seconds }

const Named = (
  { source: { citation: { page_from, seconds, source_kind }, title } }: { readonly source: CitedSource }
) => (
  <>
    <Icon name={source_kind === "lesson" ? "book" : page_from === null ? "play" : "file"} />
    <span class="chip-title" dir="auto">{title}</span>
    {page_from !== null && <span class="soft">{said(words).page(page_from)}</span>}
    {seconds !== null && <span class="soft">{atSecond(seconds)}</span>}
  </>
)

/** A place in this lesson is opened here. A place in another lesson is a link there. */
const Chip = ({ lesson, open, source }: {
  readonly lesson: string
  readonly source: CitedSource
  readonly open: () => void
}) => {
  const { lesson_public_id } = source.citation
  return lesson_public_id === null || lesson_public_id === lesson
    ? (
      <button type="button" class="chip" onClick={open}>
        <Named source={source} />
      </button>
    )
    : (
      <a class="button chip" href={sourceAddress(lesson_public_id, placeOf(source.citation))}>
        <Named source={source} />
      </a>
    )
}

/** The places in the material that an answer quotes. Each opens, and their words can be read here too. */
export const Sources = ({ citations, lesson, openSource }: SourcesProps) => {
  const isElsewhere = useSignal(false)
  const sources = sourcesOf(citations)
  if (sources.length === 0) return null
  const open = ({ citation }: CitedSource) => {
    isElsewhere.value = citation.lesson_public_id === null || !openSource(placeOf(citation))
  }
  return (
    <div class="sources">
      <ul class="plain-list chips" aria-label={said(words).sources}>
        {sources.map((source, index) => (
          <li key={index}>
            <Chip lesson={lesson} source={source} open={() => open(source)} />
          </li>
        ))}
      </ul>
      {isElsewhere.value && <p class="soft small" role="status">{said(words).elsewhere}</p>}
      <details>
        <summary>{said(words).quotes}</summary>
        {sources.map(({ quotes, title }, index) => (
          <figure key={index}>
            {quotes.map((quote) => <blockquote key={quote} dir="auto">{quote}</blockquote>)}
            <figcaption class="soft small" dir="auto">{title}</figcaption>
          </figure>
        ))}
      </details>
    </div>
  )
}

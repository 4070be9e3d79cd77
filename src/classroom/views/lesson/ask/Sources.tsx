import { useSignal } from "@preact/signals"
import { said } from "../../../../browser/client/Language.ts"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import type { OpenSource } from "../../../club/Source.ts"
import { type Citation, type CitedSource, sourcesOf } from "./talk.ts"
import { words } from "./words.ts"

interface SourcesProps {
  readonly citations: ReadonlyArray<Citation>
  readonly openSource: OpenSource
}

const openingOf = ({ media_id, page_from, source_id }: Citation) =>
  media_id === null ? { block_id: source_id } : { media_id, page: page_from }

const Chip = ({ open, source: { citation: { page_from, source_kind }, title } }: {
  readonly source: CitedSource
  readonly open: () => void
}) => (
  <button type="button" class="chip" onClick={open}>
    <Icon name={source_kind === "lesson" ? "book" : page_from === null ? "play" : "file"} />
    <span class="chip-title" dir="auto">{title}</span>
    {page_from !== null && <span class="soft">{said(words).page(page_from)}</span>}
  </button>
)

/** The places in the material that an answer quotes. Each opens, and their words can be read here too. */
export const Sources = ({ citations, openSource }: SourcesProps) => {
  const isElsewhere = useSignal(false)
  const sources = sourcesOf(citations)
  if (sources.length === 0) return null
  return (
    <div class="sources">
      <ul class="plain-list chips" aria-label={said(words).sources}>
        {sources.map((source, index) => (
          <li key={index}>
            <Chip
              source={source}
              open={() => (isElsewhere.value = !openSource(openingOf(source.citation)))}
            />
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

import { turma } from "../../../browser/client/Api.ts"
import { atSecond } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { IconName } from "../../../browser/parts/icons.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { SearchField } from "../../../browser/parts/SearchField.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { sourceAddress } from "../../club/Source.ts"
import { clubId, ofClub } from "../../club/View.ts"
import { marked } from "./marks.ts"
import { words } from "./words.ts"

type Found = Schemas["SearchHit"]

const kinds = ["lesson", "transcript", "document"] as const

const icons: Readonly<Record<Found["kind"], IconName>> = { document: "document", lesson: "book", transcript: "play" }

/** Below so many characters the API finds nothing. */
const least = 2

/** The lesson, and in it the text, the page or the second of the found words. */
const addressOf = ({ block_id, lesson, media_id, page_from, seconds }: Found) =>
  sourceAddress(lesson.public_id, { block_id, media_id, page: page_from, seconds })

const Marked = ({ text, words: wanted }: { readonly text: string; readonly words: string }) => (
  <>
    {marked(text, wanted).map((piece, index) =>
      piece.isFound ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>
    )}
  </>
)

const One = ({ found, wanted }: { readonly found: Found; readonly wanted: string }) => (
  <li>
    <a class="found" href={addressOf(found)}>
      <span class="kind" aria-hidden="true">
        <Icon name={icons[found.kind]} />
      </span>
      <span class="grow">
        <strong dir="auto">
          <Marked text={found.title} words={wanted} />
        </strong>
        {found.snippet !== "" && (
          <span class="snippet" dir="auto">
            <Marked text={found.snippet} words={wanted} />
          </span>
        )}
        <span class="soft small">
          <span dir="auto">{found.course.title}</span>
          {found.kind !== "lesson" && (
            <>
              {" · "}
              <span dir="auto">{found.lesson.title}</span>
            </>
          )}
          {found.page_from !== null && ` · ${said(words).page(found.page_from)}`}
          {found.seconds !== null && ` · ${atSecond(found.seconds)}`}
        </span>
      </span>
    </a>
  </li>
)

const Groups = ({ results, wanted }: { readonly results: ReadonlyArray<Found>; readonly wanted: string }) => (
  <>
    {kinds.map((kind) => {
      const own = results.filter((found) => found.kind === kind)
      return own.length === 0 ? null : (
        <section key={kind} class="stack" aria-labelledby={`found-${kind}`}>
          <h2 id={`found-${kind}`}>{said(words).kinds[kind]}</h2>
          <ul class="plain-list card founds">
            {own.map((found) => <One key={addressOf(found)} found={found} wanted={wanted} />)}
          </ul>
        </section>
      )
    })}
  </>
)

/** The search in the student's courses: in titles, in texts, and in the words of videos. */
export default function Search() {
  const wanted = query.value.get("q") ?? ""
  const isAsked = wanted.length >= least
  const read = useRead(
    isAsked ? `${clubId}/search?${wanted}` : undefined,
    async (signal) => (await turma.classroomSearch.search({ ...ofClub, q: wanted }, { signal })).data
  )
  return (
    <>
      <PageHead title={said(words).title} />
      <div role="search" class="stack tight">
        <SearchField
          label={said(words).field}
          value={wanted}
          change={(text) => setQuery({ q: text })}
          isFocused
        />
        {!isAsked && <p class="hint">{said(words).hint}</p>}
      </div>
      <p role="status" class={read.data === undefined || read.data.length === 0 ? "visually-hidden" : "soft small"}>
        {isAsked && read.data !== undefined &&
          (read.data.length === 0 ? said(words).none(wanted) : said(words).found(read.data.length))}
      </p>
      {isAsked && (
        <Shown read={read}>
          {(results) =>
            results.length === 0
              ? <Empty title={said(words).none(wanted)}>{said(words).noneText}</Empty>
              : <Groups results={results} wanted={wanted} />}
        </Shown>
      )}
    </>
  )
}

import { said } from "../../../browser/client/Language.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { RefusalText } from "../../../browser/parts/RefusalText.tsx"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { type Line, useLines } from "./matters.ts"
import { wanting } from "./Morning.ts"
import { words } from "./words.ts"

const textOf = ({ error, text }: Line) => text ?? (error === undefined ? said(words).looking : said(words).unread)

const leadOf = (lines: ReadonlyArray<Line>) => {
  const count = wanting(lines)
  if (count > 0) return said(words).want(count)
  return lines.every(({ text }) => text !== undefined) ? said(words).fine : said(words).looking
}

/** The state of a club on one page: the first thing to look at in the morning. */
export default function Home({ club }: ClubViewProps) {
  const lines = useLines(club)
  const isFailed = lines.some(({ error }) => error !== undefined)
  return (
    <>
      <PageHead title={said(words).title}>
        {isFailed && wanting(lines) === 0 ? said(words).unread : leadOf(lines)}
      </PageHead>
      <ul class="matters" aria-label={said(words).matters}>
        {lines.map((line) => (
          <li key={line.area}>
            <a href={clubPage(club, ...line.to)}>
              <Badge tone={line.error === undefined ? line.weight : "warning"}>{said(words)[line.area]}</Badge>
              <span>{textOf(line)}</span>
            </a>
            {line.error !== undefined && (
              <p class="soft small">
                <RefusalText of={line.error} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

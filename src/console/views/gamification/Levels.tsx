import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Histogram } from "../../../browser/parts/Histogram.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { may } from "../../club/Rights.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { GamificationTabs } from "./GamificationTabs.tsx"
import { draftsOf, type KnownLevel, movesOf } from "./ladder.ts"
import { LadderEditor } from "./LadderEditor.tsx"
import { LevelMoves } from "./LevelMoves.tsx"
import type { Spread } from "./spread.ts"
import { words } from "./words.ts"

const LadderShown = ({ levels, spread }: { readonly levels: ReadonlyArray<KnownLevel>; readonly spread: Spread }) => (
  <section class="card stack" aria-labelledby="ladder">
    <h2 id="ladder">{said(words).levels}</h2>
    <Histogram
      label={said(words).histogram(number(spread.students), spread.students === 1)}
      heads={[said(words).points, said(words).students]}
      steps={spread.histogram}
      lines={levels.map(({ id, min_points, name }) => ({ key: id, name, at: min_points }))}
    />
    <LevelMoves moves={movesOf(levels, draftsOf(levels), spread)} isProposed={false} />
    <p class="soft">{said(words).levelsRead}</p>
  </section>
)

/** The ladder of levels, and how students are spread over it. */
export default function Levels({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const ladder = useRead(`${clubId}/gamification`, (signal) => turma.gamification.read({ clubId }, { signal }))
  const spread = useRead(`${clubId}/gamification/spread`, (signal) => turma.gamification.spread({ clubId }, { signal }))
  const students = spread.data?.data.students
  const levels = ladder.data?.data.levels
  return (
    <>
      <PageHead title={said(words).levels}>
        {students !== undefined && levels !== undefined && (students === 0
          ? said(words).noStudents
          : said(words).lead(number(students), number(levels.length), students === 1))}
      </PageHead>
      <GamificationTabs club={club} />
      <Shown read={ladder}>
        {({ data: { levels } }) => (
          <Shown read={spread}>
            {({ data }) =>
              may(club.role, "administer")
                ? <LadderEditor clubId={clubId} levels={levels} spread={data} />
                : <LadderShown levels={levels} spread={data} />}
          </Shown>
        )}
      </Shown>
    </>
  )
}

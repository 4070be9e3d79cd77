import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { GamificationTabs } from "./GamificationTabs.tsx"
import { words } from "./words.ts"

type Entry = Schemas["RankingEntry"]
type Period = keyof (typeof words)["en"]["periods"]

const periods: ReadonlyArray<Period> = ["7d", "30d", "all"]

const columns = (): ReadonlyArray<Column<Entry>> => [
  { key: "student", head: said(words).student, cell: ({ student }) => <span dir="auto">{student.name}</span> },
  {
    key: "position",
    head: said(words).place,
    cell: ({ position }) => number(position),
    isNumber: true,
    onCard: "headed",
    width: "5.5rem"
  },
  {
    key: "points",
    head: said(words).points,
    cell: ({ points }) => number(points),
    isNumber: true,
    onCard: "state",
    width: "7rem"
  },
  {
    key: "level",
    head: said(words).level,
    cell: ({ level }) => <span dir="auto">{level.name}</span>,
    onCard: "detail",
    width: "30%"
  }
]

/** The students by their points. */
export default function Ranking({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const period = periods.find((one) => one === query.value.get("period")) ?? "7d"
  const gamification = useRead(`${clubId}/gamification`, (signal) => turma.gamification.read({ clubId }, { signal }))
  const list = useList(
    `${clubId}/gamification/ranking?${period}`,
    ({ cursor, limit, signal }) => turma.gamification.ranking({ clubId, period, cursor, limit }, { signal })
  )
  const known = gamification.data?.data
  const isHidden = known !== undefined && !(known.enabled && known.ranking_visible)
  return (
    <>
      <PageHead title={said(words).ranking}>
        {said(words).rankingLead} {isHidden && said(words).hidden}
      </PageHead>
      <GamificationTabs club={club} />
      <div class="filters">
        <label class="field">
          <span>{said(words).period}</span>
          <select value={period} onChange={({ currentTarget }) => setQuery({ period: currentTarget.value })}>
            {periods.map((one) => <option key={one} value={one}>{said(words).periods[one]}</option>)}
          </select>
        </label>
      </div>
      <Table
        label={said(words).ranking}
        columns={columns()}
        list={list}
        keyOf={({ student }) => student.id}
        to={({ student }) => clubPage(club, "students", student.id)}
        empty={<Empty icon="trophy" title={said(words).noRanking}>{said(words).noRankingText}</Empty>}
      />
    </>
  )
}

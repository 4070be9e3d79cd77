import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { More } from "../../../browser/parts/More.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { me } from "../../club/Session.ts"
import { clubId, ofClub } from "../../club/View.ts"
import { type Period, periodIn, periods } from "./progress.ts"
import { words } from "./words.ts"

type Entry = Schemas["RankingEntry"]

const periodWord = (period: Period) =>
  period === "7d" ? said(words).week : period === "30d" ? said(words).month : said(words).all

const Periods = ({ period }: { readonly period: Period }) => (
  <div class="periods" role="group" aria-label={said(words).period}>
    {periods.map((one) => (
      <button
        key={one}
        type="button"
        class="quiet"
        aria-pressed={one === period}
        onClick={() => setQuery({ period: one === "all" ? undefined : one })}
      >
        {periodWord(one)}
      </button>
    ))}
  </div>
)

const Row = ({ isOwn, level, name, points, position }: {
  readonly name: string
  readonly isOwn: boolean
  readonly level: string
  readonly points: number
  readonly position: number
}) => (
  <li class={isOwn ? "rank own" : "rank"} aria-current={isOwn ? "true" : undefined}>
    <span class={position <= 3 ? `rank-place medal-${position}` : "rank-place"} aria-hidden="true">
      {number(position)}
    </span>
    <span class="visually-hidden">{said(words).place(position)}</span>
    <Avatar name={name} role="student" />
    <span class="rank-name">
      <strong dir="auto">{name}</strong>
      {isOwn && <span class="rank-you">{said(words).you}</span>}
      <span class="soft small" dir="auto">{level}</span>
    </span>
    <span class="number">{said(words).points(points)}</span>
  </li>
)

const Rows = ({ entries, own, period }: {
  readonly entries: ReadonlyArray<Entry>
  readonly own: Schemas["OwnRank"] | undefined
  readonly period: Period
}) => {
  const mine = me.value
  const isListed = entries.some(({ student }) => student.id === mine?.id)
  return (
    <>
      <ol class="plain-list ranks" aria-label={`${said(words).ranking}: ${periodWord(period)}`}>
        {entries.map(({ level, points, position, student }) => (
          <Row
            key={student.id}
            name={student.name}
            isOwn={student.id === mine?.id}
            level={level.name}
            points={points}
            position={position}
          />
        ))}
      </ol>
      {own !== undefined && !isListed && own.position !== null && mine !== undefined && (
        <ol class="plain-list ranks apart" aria-label={said(words).yours}>
          <Row name={mine.name} isOwn level={own.level.name} points={own.points} position={own.position} />
        </ol>
      )}
      {own?.position === null && entries.length > 0 && <p class="soft small">{said(words).pause}</p>}
    </>
  )
}

/** The ranking of a period, or why there is no ranking to see. */
export const Board = () => {
  const period = periodIn(query.value.get("period"))
  const own = useSignal<{ readonly period: Period; readonly rank: Schemas["OwnRank"] } | undefined>(undefined)
  const list = useList(`${clubId}/ranking?${period}`, async ({ cursor, limit, signal }) => {
    const page = await turma.gamification.classroomRanking({ ...ofClub, period, cursor, limit }, { signal })
    // Every page has it, and the list keeps only the items.
    own.value = { period, rank: page.me }
    return page
  })
  const known = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((entry) => entry !== undefined)
  const isHidden = list.error?.code === "ranking_hidden"
  return (
    <section class="card stack" aria-labelledby="ranking">
      <div class="row between">
        <h2 id="ranking">{said(words).ranking}</h2>
        {!isHidden && <Periods period={period} />}
      </div>
      {isHidden
        ? <p class="soft">{said(words).hidden}. {said(words).hiddenText}</p>
        : list.rows > 0
        ? <Rows entries={known} own={own.value?.period === period ? own.value.rank : undefined} period={period} />
        : list.error !== undefined
        ? <Failure error={list.error} again={list.reload} />
        : list.isLoading
        ? <Loading />
        : <Empty icon="trophy" title={said(words).nobody}>{said(words).nobodyText}</Empty>}
      <More list={list} label={said(words).more} />
    </section>
  )
}

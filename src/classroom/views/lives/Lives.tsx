import { turma } from "../../../browser/client/Api.ts"
import { timeOfDay, weekday } from "../../../browser/client/Format.ts"
import { useInterval } from "../../../browser/client/Interval.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { isSafeAddress } from "../../../browser/client/SafeAddress.ts"
import { millisOf } from "../../../browser/client/Time.ts"
import { offsetAt, ownZone } from "../../../browser/client/Zoned.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { clock } from "../../../browser/parts/Moment.tsx"
import { More } from "../../../browser/parts/More.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { saveFile } from "../../../browser/parts/saveFile.ts"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import { attempt, tellDone } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { useOwn } from "../../club/Own.ts"
import { useStanding } from "../../club/standing.ts"
import { clubId, ofClub } from "../../club/View.ts"
import { agendaOf, fileName, waitOf } from "./agenda.ts"
import { words } from "./words.ts"

type Live = Schemas["ClassroomLive"]

/** In milliseconds. */
const every = 30_000

/** Joins a live, and shows that at once. */
type Join = (live: Live) => Promise<void>

const when = ({ ends_at, starts_at }: Pick<Live, "ends_at" | "starts_at">) => {
  const start = `${weekday(starts_at)}, ${timeOfDay(starts_at)}`
  if (ends_at === null) return start
  const isSameDay = weekday(starts_at) === weekday(ends_at)
  return `${start} – ${isSameDay ? "" : `${weekday(ends_at)}, `}${timeOfDay(ends_at)}`
}

/** The announced time by the reader's clock, and by the club's if that shows another time. */
const When = ({ live: { ends_at, starts_at, status } }: { readonly live: Live }) => {
  const zone = useOwn().data?.club.time_zone
  const at = millisOf(starts_at)
  const isElsewhere = status !== "ended" && zone !== undefined && offsetAt(at, zone) !== offsetAt(at, ownZone())
  return (
    <span class="when">
      <time dateTime={starts_at}>{when({ ends_at, starts_at })}</time>
      {isElsewhere && <span class="small">{said(words).inClub(timeOfDay(starts_at, zone))}</span>}
    </span>
  )
}

/** Saves the live as a file that every calendar reads. */
const saveCalendar = async ({ id, title }: Live) => {
  const text = await turma.classroomLives.calendar({ ...ofClub, liveId: id })
  saveFile(text, "text/calendar", `${fileName(title)}.ics`)
}

const Calendar = ({ live }: { readonly live: Live }) => (
  <div class="actions">
    <ActionButton isQuiet work={() => saveCalendar(live)}>
      <Icon name="calendar" />
      {said(words).calendar}
    </ActionButton>
  </div>
)

const Ways = ({ join, live }: { readonly live: Live; readonly join: Join }) => {
  const isOpen = live.status === "open"
  const isThere = live.joined_at !== null
  const standing = useStanding(isOpen && !isThere)
  if (!isOpen) return null
  return (
    <div class="stack tight">
      <div class="actions">
        {live.url !== null && isSafeAddress(live.url)
          ? (
            <a
              class="button"
              href={live.url}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => void attempt(() => join(live))}
            >
              {said(words).join}
            </a>
          )
          : !isThere && <ActionButton work={() => join(live)}>{said(words).present}</ActionButton>}
        {isThere && <Badge tone="good">{said(words).joined}</Badge>}
      </div>
      {live.url === null && !isThere && <p class="soft small">{said(words).without}</p>}
      {!isThere && standing.data?.enabled === true && <p class="soft small">{said(words).pays}</p>}
    </div>
  )
}

/** The live to look at first, with all there is to know of it. */
const First = ({ join, live }: { readonly live: Live; readonly join: Join }) => {
  const now = clock.value
  const isLate = live.status === "scheduled" && millisOf(live.starts_at) <= now
  return (
    <article class={live.status === "open" ? "card stack live open" : "card stack live"} aria-labelledby={live.id}>
      <p class="live-state">
        {live.status === "open"
          ? <Badge tone="bad">{said(words).now}</Badge>
          : said(words).until(waitOf(millisOf(live.starts_at), now))}
      </p>
      <h2 id={live.id} dir="auto">{live.title}</h2>
      <When live={live} />
      {live.description !== "" && <p class="said" dir="auto">{live.description}</p>}
      {isLate && <p class="soft small">{said(words).late}</p>}
      <Ways live={live} join={join} />
      {live.status === "scheduled" && <Calendar live={live} />}
    </article>
  )
}

const Row = ({ live }: { readonly live: Live }) => (
  <li class="card live-row">
    <div class="grow">
      <strong dir="auto">{live.title}</strong>
      <When live={live} />
    </div>
    {live.joined_at !== null && <Badge tone="good">{said(words).joined}</Badge>}
    {live.status === "scheduled" && (
      <ActionButton
        isQuiet
        label={said(words).calendarOf(live.title)}
        work={() => saveCalendar(live)}
      >
        <Icon name="calendar" />
      </ActionButton>
    )}
  </li>
)

const Rows = ({ id, lives, title }: {
  readonly id: string
  readonly title: string
  readonly lives: ReadonlyArray<Live>
}) =>
  lives.length === 0 ? null : (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="plain-list stack">
        {lives.map((live) => <Row key={live.id} live={live} />)}
      </ul>
    </section>
  )

/** When the student meets the others: the next live first, then what comes, and what is over. */
export default function Lives() {
  const list = useList(
    `${clubId}/lives`,
    ({ cursor, limit, signal }) => turma.classroomLives.list({ ...ofClub, cursor, limit }, { signal })
  )
  // A student who waits on the page sees that a live has begun.
  useInterval(every, list.reload)
  const known = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((live) => live !== undefined)
  const { coming, open, past } = agendaOf(known, clock.value)
  const [next, ...later] = coming
  const first = open.length > 0 ? open : next === undefined ? [] : [next]
  const join: Join = async (live) => {
    const { data } = await turma.classroomLives.join({ ...ofClub, liveId: live.id })
    list.replace(data.live, ({ id }) => id === live.id)
    if (data.points_awarded > 0) tellDone(said(words).earned(data.points_awarded))
  }
  const isEmpty = list.rows === 0
  return (
    <>
      <PageHead title={said(words).title} />
      {isEmpty && list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      {isEmpty && list.isLoading && <Loading />}
      {isEmpty && !list.isLoading && list.error === undefined && (
        <Empty icon="live" title={said(words).none}>{said(words).noneText}</Empty>
      )}
      {first.map((live) => <First key={live.id} live={live} join={join} />)}
      <Rows id="coming" title={said(words).coming} lives={open.length > 0 ? coming : later} />
      <Rows id="past" title={said(words).past} lives={past} />
      <More list={list} label={said(words).more} />
    </>
  )
}

import { turma } from "../../../browser/client/Api.ts"
import { date, number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { BarChart, Figures } from "../../../browser/parts/BarChart.tsx"
import { Meter } from "../../../browser/parts/Meter.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { AssistantTabs } from "./AssistantTabs.tsx"
import { daysIn } from "./questions.ts"
import { words } from "./words.ts"

type Usage = Schemas["AssistantUsage"]
type Window = keyof (typeof words)["en"]["days"]

const windows: ReadonlyArray<Window> = ["7d", "30d"]

/** A day of the club, whatever the reader's time zone. */
const dayName = (day: string) => date(`${day}T12:00:00Z`, "UTC")

const Budget = ({ budget: { exhausted, monthly_budget, resets_at, used } }: Usage) => (
  <section class="card stack" aria-labelledby="budget">
    <h2 id="budget">{said(words).budget}</h2>
    {monthly_budget === null
      ? <p>{said(words).budgetFree(number(used))}</p>
      : (
        <Meter
          label={said(words).answers}
          text={said(words).budgetLeft(number(used), number(monthly_budget))}
          used={used}
          whole={monthly_budget}
          isBad={exhausted}
        />
      )}
    <p class="soft">{said(words).budgetResets(date(resets_at))}</p>
  </section>
)

/** The club's budget for a day. Undefined without a limit. */
const perDay = ({ budget: { month, monthly_budget } }: Usage) =>
  monthly_budget === null ? undefined : Math.round(monthly_budget / daysIn(month) * 10) / 10

const Days = ({ budgetOfDay, days }: Pick<Usage, "days"> & { readonly budgetOfDay: number | undefined }) => (
  <section class="card stack" aria-labelledby="days">
    <h2 id="days">{said(words).usageLabel}</h2>
    {budgetOfDay !== undefined && <p class="soft">{said(words).perDay(number(budgetOfDay))}</p>}
    <BarChart
      label={said(words).cost}
      heads={[said(words).day, said(words).cost]}
      {...(budgetOfDay === undefined ? {} : { limit: { name: said(words).budget, value: budgetOfDay } })}
      values={days.map(({ cost, date }) => ({ name: dayName(date), value: cost }))}
      figures={
        <Figures
          label={said(words).usageLabel}
          heads={[
            said(words).day,
            said(words).questions,
            said(words).answered,
            said(words).failed,
            said(words).canceled,
            said(words).replies,
            said(words).cost
          ]}
          rows={days.map(({ answered, canceled, cost, date, failed, questions, replies }) => ({
            key: date,
            cells: [dayName(date), ...[questions, answered, failed, canceled, replies, cost].map(number)]
          }))}
        />
      }
    />
  </section>
)

/** The rest of the budget, in a sentence. */
const leadOf = ({ budget: { exhausted, monthly_budget, used } }: Usage) => {
  if (exhausted) return said(words).budgetEmpty
  return monthly_budget === null
    ? `${said(words).budgetFree(number(used))}.`
    : `${said(words).budgetLeft(number(used), number(monthly_budget))}.`
}

/** The assistant's use day by day, and the rest of the month. */
export default function UsageView({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const window = windows.find((one) => one === query.value.get("window")) ?? "7d"
  const read = useRead(
    `${clubId}/assistant/usage?${window}`,
    (signal) => turma.assistantQuestions.usage({ clubId, window }, { signal })
  )
  return (
    <>
      <PageHead title={said(words).usage}>{read.data && leadOf(read.data.data)}</PageHead>
      <AssistantTabs club={club} />
      <div class="filters">
        <label class="field">
          <span>{said(words).window}</span>
          <select value={window} onChange={({ currentTarget }) => setQuery({ window: currentTarget.value })}>
            {windows.map((one) => <option key={one} value={one}>{said(words).days[one]}</option>)}
          </select>
        </label>
      </div>
      <Shown read={read}>
        {({ data }) => (
          <>
            <Budget {...data} />
            <Days days={data.days} budgetOfDay={perDay(data)} />
          </>
        )}
      </Shown>
    </>
  )
}

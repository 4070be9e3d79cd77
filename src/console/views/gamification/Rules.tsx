import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { CheckField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { GamificationTabs } from "./GamificationTabs.tsx"
import { words } from "./words.ts"

type Gamification = Schemas["Gamification"]
type Rule = Gamification["rules"][number]

const valuesOf = ({ enabled, ranking_visible, rules }: Gamification) => ({
  enabled: enabled ? "true" : "",
  ranking_visible: ranking_visible ? "true" : "",
  ...Object.fromEntries(rules.map(({ action, points }) => [action, String(points)]))
})

const capOf = ({ daily_cap }: Rule) => daily_cap === null ? said(words).unlimited : said(words).cap(number(daily_cap))

const RulesForm = ({ clubId, gamification }: { readonly clubId: string; readonly gamification: Gamification }) => {
  const form = useForm({
    of: gamification,
    values: valuesOf(gamification),
    send: async (value) => {
      const rules = gamification.rules
        .filter(({ action }) => form.isTouched(action))
        .map(({ action }) => ({ action, points: Number(value(action)) }))
      await turma.gamification.update({
        clubId,
        body: {
          ...form.changes({
            enabled: value("enabled") === "true",
            ranking_visible: value("ranking_visible") === "true"
          }),
          ...(rules.length === 0 ? {} : { rules })
        }
      })
      changed(`${clubId}/gamification`)
    },
    done: said(words).saved
  })
  return (
    <form class="card stack" onSubmit={form.submit}>
      <CheckField form={form} name="enabled" label={said(words).enabled} hint={said(words).enabledHint} />
      <CheckField
        form={form}
        name="ranking_visible"
        label={said(words).rankingVisible}
        hint={said(words).rankingVisibleHint}
      />
      <h2>{said(words).points}</h2>
      <p class="soft">{said(words).rulesHint}</p>
      <div class="rules">
        {gamification.rules.map((rule) => (
          <TextField
            key={rule.action}
            form={form}
            name={rule.action}
            label={said(words).actions[rule.action]}
            hint={capOf(rule)}
            type="number"
            min={0}
            max={1000}
            required
          />
        ))}
      </div>
      <p class="soft small">{said(words).capHint}</p>
      <div class="actions">
        <button type="submit" aria-busy={form.isRunning} disabled={!form.isChanged}>{said(words).save}</button>
        {form.isChanged && (
          <button type="button" class="quiet" onClick={() => form.reset(valuesOf(gamification))}>
            {said(words).discard}
          </button>
        )}
      </div>
    </form>
  )
}

const RulesList = ({ enabled, ranking_visible, rules }: Gamification) => (
  <section class="card stack" aria-labelledby="rules">
    <h2 id="rules">{said(words).points}</h2>
    <p class="row">
      {said(words).enabled}
      <Badge tone={enabled ? "good" : "quiet"}>{enabled ? said(words).isOn : said(words).isOff}</Badge>
      {said(words).rankingVisible}
      <Badge tone={ranking_visible ? "good" : "quiet"}>
        {ranking_visible ? said(words).isOn : said(words).isOff}
      </Badge>
    </p>
    <dl class="facts">
      {rules.map((rule) => (
        <div key={rule.action} class="contents">
          <dt>{said(words).actions[rule.action]}</dt>
          <dd>
            <span class="number">{number(rule.points)}</span> <span class="soft small">{capOf(rule)}</span>
          </dd>
        </div>
      ))}
    </dl>
    <p class="soft">{said(words).rulesRead}</p>
  </section>
)

/** The rules for a club's points. */
export default function Rules({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const read = useRead(`${clubId}/gamification`, (signal) => turma.gamification.read({ clubId }, { signal }))
  const known = read.data?.data
  const paying = known?.rules.filter(({ points }) => points > 0).length ?? 0
  return (
    <>
      <PageHead
        title={said(words).title}
        badge={known && (
          <Badge tone={known.enabled ? "good" : "quiet"}>
            {known.enabled ? said(words).isOn : said(words).isOff}
          </Badge>
        )}
      >
        {known && (known.enabled ? said(words).leadOn(number(paying)) : said(words).leadOff)}
      </PageHead>
      <GamificationTabs club={club} />
      <Shown read={read}>
        {({ data }) =>
          may(club.role, "administer")
            ? <RulesForm clubId={clubId} gamification={data} />
            : <RulesList {...data} />}
      </Shown>
    </>
  )
}

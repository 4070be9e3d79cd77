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
import { AssistantTabs } from "./AssistantTabs.tsx"
import { words } from "./words.ts"

type Agent = Schemas["Agent"]

const valuesOf = ({ daily_limit, enabled, monthly_budget, name }: Agent) => ({
  name,
  enabled: enabled ? "true" : "",
  daily_limit: String(daily_limit),
  monthly_budget: monthly_budget === null ? "" : String(monthly_budget)
})

const AgentForm = ({ agent, clubId }: { readonly clubId: string; readonly agent: Agent }) => {
  const form = useForm({
    of: agent,
    values: valuesOf(agent),
    send: async (value) => {
      const budget = value("monthly_budget").trim()
      await turma.agents.update({
        clubId,
        agentId: agent.id,
        body: form.changes({
          name: value("name"),
          enabled: value("enabled") === "true",
          daily_limit: Number(value("daily_limit")),
          monthly_budget: budget === "" ? null : Number(budget)
        })
      })
      changed(`${clubId}/assistant`)
    },
    done: said(words).saved
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <h2 dir="auto">{agent.name}</h2>
      <TextField
        form={form}
        name="name"
        label={said(words).name}
        hint={said(words).nameHint}
        required
        maxLength={160}
      />
      <CheckField form={form} name="enabled" label={said(words).enabled} hint={said(words).enabledHint} />
      <TextField
        form={form}
        name="daily_limit"
        label={said(words).dailyLimit}
        hint={said(words).dailyLimitHint}
        type="number"
        min={0}
        max={1000}
        required
      />
      <TextField
        form={form}
        name="monthly_budget"
        label={said(words).monthlyBudget}
        hint={said(words).monthlyBudgetHint}
        type="number"
        min={0}
        max={1_000_000}
      />
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
      </div>
    </form>
  )
}

const AgentFacts = ({ daily_limit, enabled, monthly_budget, name }: Agent) => (
  <section class="card stack">
    <h2 class="row">
      <span dir="auto">{name}</span>
      <Badge tone={enabled ? "good" : "quiet"}>{enabled ? said(words).on : said(words).off}</Badge>
    </h2>
    <dl class="facts">
      <dt>{said(words).dailyLimit}</dt>
      <dd>{number(daily_limit)}</dd>
      <dt>{said(words).monthlyBudget}</dt>
      <dd>{monthly_budget === null ? said(words).unlimited : number(monthly_budget)}</dd>
    </dl>
    <p class="soft">{said(words).settingsRead}</p>
  </section>
)

/** The assistant's name, whether it answers, and its limits. */
export default function Settings({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const read = useRead(`${clubId}/assistant/agents`, (signal) => turma.agents.list({ clubId, limit: 100 }, { signal }))
  return (
    <>
      <PageHead title={said(words).settings} />
      <AssistantTabs club={club} />
      <Shown read={read}>
        {({ data }) =>
          data.map((agent) =>
            may(club.role, "administer")
              ? <AgentForm key={agent.id} clubId={clubId} agent={agent} />
              : <AgentFacts key={agent.id} {...agent} />
          )}
      </Shown>
    </>
  )
}

import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Meter } from "../../../browser/parts/Meter.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { type ResourceState, stateOf } from "./amounts.ts"
import { words } from "./words.ts"

type Resource = Schemas["BillingResource"]

const tones: Readonly<Record<ResourceState, Tone>> = {
  absent: "quiet",
  unlimited: "good",
  fine: "good",
  near: "waiting",
  used: "bad",
  over: "warning"
}

const textOf = ({ allowance, balance, overage, used }: Resource, state: ResourceState) => {
  if (state === "unlimited") return said(words).usedText(number(used))
  if (state === "over") return said(words).overText(number(overage))
  return said(words).left(number(balance), number(allowance))
}

const One = ({ resource }: { readonly resource: Resource }) => {
  const { allowance, bills, kind, name, used } = resource
  const state = stateOf(resource)
  if (kind === "flag" || state === "absent" || state === "unlimited") {
    return (
      <li class="row">
        <strong dir="auto">{name}</strong>
        <Badge tone={tones[state]}>{state === "fine" ? said(words).flagGranted : said(words)[state]}</Badge>
        {state === "unlimited" && <span class="soft number">{textOf(resource, state)}</span>}
      </li>
    )
  }
  return (
    <li class="stack tight">
      <Meter
        label={name}
        badge={<Badge tone={tones[state]}>{said(words)[state]}</Badge>}
        text={textOf(resource, state)}
        used={used}
        whole={allowance}
        isBad={state === "over" || state === "used"}
      />
      <p class="soft small">{bills ? said(words).billing : said(words).refusing}</p>
    </li>
  )
}

/** The club's use of its plan and add-ons. */
export const Resources = ({ resources }: { readonly resources: ReadonlyArray<Resource> }) => (
  <section class="card stack" aria-labelledby="resources">
    <h2 id="resources">{said(words).resources}</h2>
    <ul class="plain-list stack">
      {resources.map((resource) => <One key={resource.key} resource={resource} />)}
    </ul>
  </section>
)

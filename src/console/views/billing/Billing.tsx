import { turma } from "../../../browser/client/Api.ts"
import { date } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { ClubViewProps } from "../../club/View.ts"
import { Addons } from "./Addons.tsx"
import { stateOf } from "./amounts.ts"
import { Invoices, UpcomingInvoice } from "./Invoices.tsx"
import { Claims, leadTo, Plans } from "./Plans.tsx"
import { Resources } from "./Resources.tsx"
import { words } from "./words.ts"

type Status = Schemas["BillingStatus"]

/** The worst state of the club's resources, in a sentence. */
const leadOf = ({ managed, period_end, resources }: Status) => {
  if (!managed) return said(words).leadUnmanaged
  const sentences = { used: said(words).leadUsed, over: said(words).leadOver, near: said(words).leadNear }
  for (const state of ["used", "over", "near"] as const) {
    const found = resources.find((resource) => stateOf(resource) === state)
    if (found !== undefined) return sentences[state](found.name)
  }
  return period_end === null ? "" : said(words).leadWell(date(period_end))
}

/** The part for administrators: invoices, and things to contract. */
const Managed = ({ clubId, status }: { readonly clubId: string; readonly status: Status }) => {
  const upcoming = useRead(
    `${clubId}/billing/upcoming`,
    (signal) => turma.billing.upcoming({ clubId }, { signal })
  )
  return (
    <>
      <Addons clubId={clubId} status={status} currency={upcoming.data?.data.currency} />
      <UpcomingInvoice read={upcoming} />
      <Invoices clubId={clubId} />
      {!status.portal_available && <p class="soft">{said(words).noPortal}</p>}
    </>
  )
}

/** The resources of a club, their use and their price. */
export default function Billing({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const canAdminister = may(club.role, "administer")
  const read = useRead(`${clubId}/billing`, (signal) => turma.billing.status({ clubId }, { signal }))
  const known = read.data?.data
  return (
    <>
      <PageHead
        title={said(words).title}
        badge={known?.plan && <Badge tone="good">{known.plan.name}</Badge>}
        actions={canAdminister && known?.portal_available === true
          ? (
            <ActionButton isQuiet work={() => leadTo(() => turma.billing.portal({ clubId }))}>
              {said(words).portal}
            </ActionButton>
          )
          : undefined}
      >
        {known && leadOf(known)}
      </PageHead>
      <Shown read={read}>
        {({ data }) => (
          <>
            {data.managed ? <Resources resources={data.resources} /> : <Plans clubId={clubId} canBuy={canAdminister} />}
            {canAdminister && data.managed && <Managed clubId={clubId} status={data} />}
            {canAdminister && <Claims clubId={clubId} />}
            {!canAdminister && <p class="soft">{said(words).onlyAdmins}</p>}
          </>
        )}
      </Shown>
    </>
  )
}

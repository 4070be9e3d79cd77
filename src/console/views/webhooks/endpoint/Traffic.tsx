import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { limitOf, textOfLimit } from "../model/Typed.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { LimitFields } from "../settings/LimitFields.tsx"
import { EditCard } from "./EditCard.tsx"
import { SaveButtons, savedWord } from "./SaveButtons.tsx"

const words = spoken(
  {
    inFlight: "At once, at most",
    none: "no limit of its own",
    perSecond: "A second, at most",
    title: "Traffic"
  },
  {
    inFlight: "Ao mesmo tempo, no máximo",
    none: "sem limite próprio",
    perSecond: "Por segundo, no máximo",
    title: "Ritmo"
  }
)

interface TrafficProps {
  readonly club: Membership
  readonly endpoint: Endpoint
}

const Edit = ({ club, endpoint, onDone }: TrafficProps & { readonly onDone: () => void }) => {
  const form = useForm({
    of: endpoint,
    values: {
      max_per_second: textOfLimit(endpoint.max_per_second),
      max_in_flight: textOfLimit(endpoint.max_in_flight)
    },
    done: savedWord(),
    send: async (value) => {
      await turma.webhookEndpoints.update({
        clubId: club.organization_id,
        endpointId: endpoint.id,
        body: form.changes({
          max_per_second: limitOf(value("max_per_second")),
          max_in_flight: limitOf(value("max_in_flight"))
        })
      })
      endpointsChanged(club)
      onDone()
    }
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <LimitFields form={form} />
      <SaveButtons isReady={form.isChanged} isRunning={form.isRunning} onDone={onDone} />
    </form>
  )
}

const Limit = ({ of }: { readonly of: number | null }) =>
  of === null ? <span class="soft">{said(words).none}</span> : <span class="number">{number(of)}</span>

/** The most attempts that an endpoint gets a second and at once. */
export const Traffic = ({ club, endpoint }: TrafficProps) => {
  const { inFlight, perSecond, title } = said(words)
  return (
    <EditCard title={title} edit={(onDone) => <Edit club={club} endpoint={endpoint} onDone={onDone} />}>
      <dl class="facts">
        <dt>{perSecond}</dt>
        <dd>
          <Limit of={endpoint.max_per_second} />
        </dd>
        <dt>{inFlight}</dt>
        <dd>
          <Limit of={endpoint.max_in_flight} />
        </dd>
      </dl>
    </EditCard>
  )
}

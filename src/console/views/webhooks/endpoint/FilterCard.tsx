import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Json } from "../../../../browser/parts/Code.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { filterIn, textOfFilter } from "../model/FilterText.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { FilterField } from "../settings/FilterField.tsx"
import { EditCard } from "./EditCard.tsx"
import { SaveButtons, savedWord } from "./SaveButtons.tsx"

const words = spoken(
  {
    all: "All events of its types are sent.",
    shown: "Only matching events are sent",
    title: "Filter"
  },
  {
    all: "Todos os eventos dos seus tipos são enviados.",
    shown: "São enviados só estes",
    title: "Filtro"
  }
)

interface FilterCardProps {
  readonly club: Membership
  readonly endpoint: Endpoint
}

const Edit = ({ club, endpoint, onDone }: FilterCardProps & { readonly onDone: () => void }) => {
  const form = useForm({
    of: endpoint,
    values: { filter: textOfFilter(endpoint.filter) },
    done: savedWord(),
    send: async (value) => {
      await turma.webhookEndpoints.update({
        clubId: club.organization_id,
        endpointId: endpoint.id,
        body: { filter: filterIn(value("filter")) ?? null }
      })
      endpointsChanged(club)
      onDone()
    }
  })
  const isReady = form.isChanged && filterIn(form.value("filter")) !== undefined
  return (
    <form class="stack" onSubmit={form.submit}>
      <FilterField club={club} form={form} types={endpoint.event_types} />
      <SaveButtons isReady={isReady} isRunning={form.isRunning} onDone={onDone} />
    </form>
  )
}

/** Which events of its types an endpoint is sent. */
export const FilterCard = ({ club, endpoint }: FilterCardProps) => (
  <EditCard title={said(words).title} edit={(onDone) => <Edit club={club} endpoint={endpoint} onDone={onDone} />}>
    {endpoint.filter === null
      ? <p class="soft">{said(words).all}</p>
      : <Json label={said(words).shown} value={endpoint.filter} />}
  </EditCard>
)

import { said, spoken } from "../../../../browser/client/Language.ts"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"

const words = spoken(
  {
    deliveries: "Deliveries",
    gradings: "Gradings",
    label: "About this endpoint",
    overview: "Overview",
    recoveries: "Recoveries"
  },
  {
    deliveries: "Envios",
    gradings: "Avaliações",
    label: "Sobre este endpoint",
    overview: "Visão geral",
    recoveries: "Recuperações"
  }
)

/** The pages of an endpoint. */
export const EndpointTabs = ({ club, endpointId }: { readonly club: Membership; readonly endpointId: string }) => {
  const { deliveries, gradings, label, overview, recoveries } = said(words)
  const page = clubPage(club, "webhooks", endpointId)
  return (
    <Tabs
      label={label}
      tabs={[
        { label: overview, to: page },
        { label: deliveries, to: `${page}/deliveries` },
        { label: recoveries, to: `${page}/recoveries` },
        { label: gradings, to: `${page}/gradings` }
      ]}
    />
  )
}

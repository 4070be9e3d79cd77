import { said, spoken } from "../../../../browser/client/Language.ts"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"

const words = spoken(
  {
    deliveries: "All deliveries",
    endpoints: "Endpoints",
    events: "Events",
    inboxes: "Inboxes",
    label: "Webhooks",
    outage: "Simulate an outage"
  },
  {
    deliveries: "Todos os envios",
    endpoints: "Endpoints",
    events: "Eventos",
    inboxes: "Caixas de teste",
    label: "Webhooks",
    outage: "Simular uma queda"
  }
)

/** The pages about all webhooks of a club. */
export const WebhookTabs = ({ club }: { readonly club: Membership }) => {
  const { deliveries, endpoints, events, inboxes, label, outage } = said(words)
  return (
    <Tabs
      label={label}
      tabs={[
        { label: endpoints, to: clubPage(club, "webhooks") },
        { label: deliveries, to: clubPage(club, "webhooks", "deliveries") },
        { label: events, to: clubPage(club, "webhooks", "events") },
        { label: inboxes, to: clubPage(club, "webhooks", "inboxes") },
        { label: outage, to: clubPage(club, "webhooks", "outage") }
      ]}
    />
  )
}

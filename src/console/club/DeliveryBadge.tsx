import { said, spoken } from "../../browser/client/Language.ts"
import { Badge, type Tone } from "../../browser/parts/Badge.tsx"
import type { Schemas } from "../../sdk/index.ts"

type Delivery = Schemas["WebhookDelivery"]

const words = spoken<Record<Delivery["status"] | "retrying", string>>(
  { canceled: "Canceled", failed: "Given up", pending: "Waiting", retrying: "Retrying", succeeded: "Delivered" },
  { canceled: "Cancelado", failed: "Abandonado", pending: "Esperando", retrying: "Tentando", succeeded: "Entregue" }
)

const tones: Readonly<Record<Delivery["status"] | "retrying", Tone>> = {
  canceled: "quiet",
  failed: "bad",
  pending: "waiting",
  retrying: "warning",
  succeeded: "good"
}

/** A status of deliveries in a word. */
export const statusName = (status: Delivery["status"]): string => said(words)[status]

/** The status of a delivery, with its receiver if several stand beside each other. */
export const DeliveryBadge = ({ of: { attempts_count, status }, to }: {
  readonly of: Pick<Delivery, "attempts_count" | "status">
  readonly to?: string
}) => {
  const state = status === "pending" && attempts_count > 0 ? "retrying" : status
  return (
    <Badge tone={tones[state]}>
      {to !== undefined && <span class="to" dir="auto">{to}</span>}
      {said(words)[state]}
    </Badge>
  )
}

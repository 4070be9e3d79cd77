import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { money, number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { currentMillis, millisOf } from "../../../browser/client/Time.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { remainingOf } from "./amounts.ts"
import { words } from "./words.ts"

type Status = Schemas["BillingStatus"]
type Addon = Status["available_addons"][number]

/** An amount. It has no currency until that is known. */
const amount = (cents: number, currency: string | undefined) =>
  currency === undefined ? number(cents / 100) : money(cents, currency)

/** The part of a month's price for the rest of the period, if the period is known. */
const restOf = ({ monthly_price_cents }: Addon, { period_end, period_start }: Status) =>
  period_start === null || period_end === null
    ? undefined
    : remainingOf(monthly_price_cents, {
      start: millisOf(period_start),
      end: millisOf(period_end),
      now: currentMillis()
    })

interface AddonDialogProps {
  readonly clubId: string
  readonly addon: Addon
  readonly status: Status
  readonly currency: string | undefined
  readonly onClose: () => void
}

const Contract = ({ addon, clubId, currency, onClose, status }: AddonDialogProps) => {
  const rest = restOf(addon, status)
  const contract = async () => {
    await turma.billing.contract({ clubId, body: { key: addon.key } })
    changed(`${clubId}/billing`)
  }
  return (
    <Confirm
      title={said(words).addLabel(addon.name)}
      action={said(words).add}
      done={said(words).after(addon.name)}
      work={contract}
      onClose={onClose}
    >
      <p>{said(words).addText(amount(addon.monthly_price_cents, currency))}</p>
      <p>{rest === undefined ? said(words).addChargeUnknown : said(words).addCharge(amount(rest, currency))}</p>
    </Confirm>
  )
}

const Remove = ({ addon, clubId, currency, onClose, status }: AddonDialogProps) => {
  const rest = restOf(addon, status)
  const remove = async () => {
    await turma.billing.remove({ clubId, addonKey: addon.key })
    changed(`${clubId}/billing`)
  }
  return (
    <Confirm
      title={said(words).removeLabel(addon.name)}
      action={said(words).remove}
      isDangerous
      done={said(words).removed(addon.name)}
      work={remove}
      onClose={onClose}
    >
      <p>{said(words).removeText(addon.name)}</p>
      <p>{rest === undefined ? said(words).removeCreditUnknown : said(words).removeCredit(amount(rest, currency))}</p>
    </Confirm>
  )
}

const AddonAction = ({ addon, onContract, onRemove }: {
  readonly addon: Addon
  readonly onContract: () => void
  readonly onRemove: () => void
}) => {
  if (addon.removable) {
    return (
      <button type="button" class="quiet" aria-label={said(words).removeLabel(addon.name)} onClick={onRemove}>
        {said(words).remove}
      </button>
    )
  }
  if (addon.contracted) return <span class="soft small">{said(words).removeNever}</span>
  if (addon.unavailable_reason !== null) {
    return <span class="soft small">{said(words).requires(addon.required_plans.join(", "))}</span>
  }
  return (
    <button type="button" class="quiet" aria-label={said(words).addLabel(addon.name)} onClick={onContract}>
      {said(words).add}
    </button>
  )
}

/** The add-ons that a club can contract beside its plan. */
export const Addons = ({ clubId, currency, status }: {
  readonly clubId: string
  readonly currency: string | undefined
  readonly status: Status
}) => {
  const chosen = useSignal<Addon | undefined>(undefined)
  const close = () => {
    chosen.value = undefined
  }
  const action = chosen.value && { addon: chosen.value, clubId, currency, status, onClose: close }
  return (
    <section class="card stack" aria-labelledby="addons">
      <h2 id="addons">{said(words).addons}</h2>
      {status.available_addons.length === 0 && <p class="soft">{said(words).addonsNone}</p>}
      <ul class="addons">
        {status.available_addons.map((addon) => (
          <li key={addon.key} class="row addon">
            <strong dir="auto">{addon.name}</strong>
            <span class="number">{said(words).monthly(amount(addon.monthly_price_cents, currency))}</span>
            {addon.contracted && <Badge tone="good">{said(words).contracted}</Badge>}
            <span class="deed">
              <AddonAction
                addon={addon}
                onContract={() => (chosen.value = addon)}
                onRemove={() => (chosen.value = addon)}
              />
            </span>
          </li>
        ))}
      </ul>
      {action && (action.addon.contracted ? <Remove {...action} /> : <Contract {...action} />)}
    </section>
  )
}

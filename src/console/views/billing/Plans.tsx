import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { money } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { isSafeAddress } from "../../../browser/client/SafeAddress.ts"
import { ActionButton } from "../../../browser/parts/ActionButton.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Failure, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { words } from "./words.ts"

type Claim = Schemas["UnconfirmedSubscription"]

/** Leads to the payment provider, at the address that is asked for now. */
export const leadTo = async (ask: () => Promise<{ readonly data: { readonly url: string } }>): Promise<void> => {
  const { data: { url } } = await ask()
  if (!isSafeAddress(url)) throw new Error(said(words).unsafe)
  location.assign(url)
}

/** The plans on sale. */
export const Plans = ({ canBuy, clubId }: { readonly clubId: string; readonly canBuy: boolean }) => {
  const read = useRead(`${clubId}/billing/plans`, (signal) => turma.billing.plans({ clubId }, { signal }))
  return (
    <section class="card stack" aria-labelledby="plans">
      <h2 id="plans">{said(words).plans}</h2>
      <Shown read={read}>
        {({ data }) =>
          data.length === 0
            ? <p class="soft">{said(words).plansNone}</p>
            : (
              <ul class="addons">
                {data.map(({ currency, key, monthly_price_cents, name }) => (
                  <li key={key} class="row addon">
                    <strong dir="auto">{name}</strong>
                    <span class="number">{said(words).monthly(money(monthly_price_cents, currency))}</span>
                    {canBuy && (
                      <span class="deed">
                        <ActionButton
                          label={said(words).buyLabel(name)}
                          work={() => leadTo(() => turma.billing.checkout({ clubId, body: { plan: key } }))}
                        >
                          {said(words).buy}
                        </ActionButton>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </section>
  )
}

/** Purchases from elsewhere that name this club. Renders nothing without one. */
export const Claims = ({ clubId }: { readonly clubId: string }) => {
  const chosen = useSignal<Claim | undefined>(undefined)
  const read = useRead(
    `${clubId}/billing/subscriptions`,
    (signal) => turma.billing.unconfirmed({ clubId, limit: 100 }, { signal })
  )
  const claims = read.data?.data ?? []
  if (read.data === undefined && read.error !== undefined) return <Failure error={read.error} again={read.reload} />
  if (claims.length === 0) return null
  const claim = chosen.value
  const confirm = async (subscriptionId: string) => {
    await turma.billing.confirm({ clubId, subscriptionId })
    changed(`${clubId}/billing`)
  }
  return (
    <section class="card stack" aria-labelledby="claims">
      <h2 id="claims">{said(words).unconfirmed}</h2>
      <p class="soft">{said(words).unconfirmedText}</p>
      <ul class="addons">
        {claims.map((one) => (
          <li key={one.id} class="row addon">
            <strong dir="auto">{one.plan.name}</strong>
            <code>{one.external_id}</code>
            <Moment at={one.created_at} />
            <span class="deed">
              <button type="button" class="quiet" onClick={() => (chosen.value = one)}>{said(words).confirm}</button>
            </span>
          </li>
        ))}
      </ul>
      {claim !== undefined && (
        <Confirm
          title={said(words).confirm}
          action={said(words).confirm}
          done={said(words).confirmed}
          work={() => confirm(claim.id)}
          onClose={() => (chosen.value = undefined)}
        >
          <p>{said(words).confirmText(claim.plan.name)}</p>
        </Confirm>
      )}
    </section>
  )
}

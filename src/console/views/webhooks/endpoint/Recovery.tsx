import { useSignal } from "@preact/signals"
import { turma } from "../../../client/Api.ts"
import { dateTime, number } from "../../../client/Format.ts"
import { said } from "../../../client/Language.ts"
import { failureOf, useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { currentMillis } from "../../../client/Time.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { Shown } from "../../../parts/States.tsx"
import { tellFailure } from "../../../parts/Toasts.tsx"
import { mostHours, recoverySince } from "../model/Recovery.ts"
import { endpointsChanged, endpointsKey } from "../standing/Reads.ts"
import { Progress } from "./Progress.tsx"
import { recoveryWords } from "./recoveryWords.ts"

const hours = { "1": 1, "24": 24, "168": 168, "720": mostHours } as const
type Hours = keyof typeof hours

interface RecoveryProps {
  readonly club: Membership
  readonly endpointId: string
  readonly onClose: () => void
}

/** Sends again what was not delivered: first what that would be, then how far it is. */
export const Recovery = ({ club, endpointId, onClose }: RecoveryProps) => {
  const back = useSignal<Hours>("24")
  const opened = useSignal(currentMillis())
  const recovering = useSignal<{ readonly since: string; readonly total: number } | undefined>(undefined)
  const isRunning = useSignal(false)
  const isBroken = useSignal(false)
  const { atLeast, broken, cancel, capped, disabled, failed, from, left, none, recover, since, sinces, text, title } =
    said(
      recoveryWords
    )
  // The dialog may be open for long, and be pressed when what was the oldest is too old.
  const sinceNow = () => recoverySince(hours[back.peek()], opened.peek(), currentMillis())
  const params = { clubId: club.organization_id, endpointId }
  const preview = useRead(
    endpointsKey(club, endpointId, "recover", back.value, String(opened.value)),
    async (signal) => {
      const { data } = await turma.webhookDeliveries.previewRecovery({ ...params, since: sinceNow() }, { signal })
      return data
    }
  )
  const run = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    isBroken.value = false
    const at = sinceNow()
    try {
      const { data } = await turma.webhookDeliveries.recover({ ...params, body: { since: at } })
      if (data.recovered > 0) recovering.value = { since: at, total: data.recovered }
    } catch (thrown) {
      // Of very many it may have been cut short: what is left is counted anew.
      isBroken.value = (failureOf(thrown).status ?? 500) >= 500
      tellFailure(thrown)
    }
    endpointsChanged(club)
    isRunning.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {recovering.value !== undefined
        ? <Progress club={club} endpointId={endpointId} {...recovering.value} />
        : (
          <>
            <div class="chosen" role="group" aria-label={since}>
              {(["1", "24", "168", "720"] as const).map((one) => (
                <button
                  key={one}
                  type="button"
                  class="quiet"
                  aria-pressed={one === back.value}
                  onClick={() => (back.value = one)}
                >
                  {sinces[one]}
                </button>
              ))}
            </div>
            <Shown read={preview}>
              {(known) => {
                const { expired, payload_purged, student_removed } = known.left_out
                const others = expired + payload_purged + student_removed
                const mayBeSent = known.total > 0 || known.capped
                const total = number(known.total)
                return (
                  <div class="stack" aria-live="polite">
                    {isBroken.value && <p class="notice">{broken}</p>}
                    {known.capped && <p class="notice">{capped}</p>}
                    {known.total === 0
                      ? !known.capped && <p>{none}</p>
                      : (
                        <>
                          <ul class="consequences">
                            {known.failed > 0 && <li>{failed(known.failed)}</li>}
                            {known.endpoint_disabled > 0 && <li>{disabled(known.endpoint_disabled)}</li>}
                          </ul>
                          {known.oldest_created_at !== null && known.newest_created_at !== null && (
                            <p class="soft">
                              {from(dateTime(known.oldest_created_at), dateTime(known.newest_created_at))}
                            </p>
                          )}
                          <p>{text}</p>
                        </>
                      )}
                    {others > 0 && <p class="soft">{left(others)}</p>}
                    {mayBeSent && (
                      <div class="actions">
                        <button type="button" aria-busy={isRunning.value} onClick={() => void run()}>
                          {recover(known.capped ? atLeast(total) : total)}
                        </button>
                      </div>
                    )}
                  </div>
                )
              }}
            </Shown>
          </>
        )}
      {recovering.value !== undefined && (
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>{cancel}</button>
        </div>
      )}
    </Dialog>
  )
}

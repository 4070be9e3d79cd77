import { useSignal } from "@preact/signals"
import { turma } from "../../../client/Api.ts"
import { counted, dateTime, number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { currentMillis, timestampOf } from "../../../client/Time.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { Shown } from "../../../parts/States.tsx"
import { attempt } from "../../../parts/Toasts.tsx"
import { endpointsChanged, endpointsKey } from "../standing/Reads.ts"
import { Progress } from "./Progress.tsx"

const hours = { "1": 1, "24": 24, "168": 168, "720": 720 } as const
type Hours = keyof typeof hours

const words = spoken(
  {
    cancel: "Close",
    disabled: (count: number) =>
      counted(count, "1 was canceled while it was disabled", `${number(count)} were canceled while it was disabled`),
    failed: (count: number) => counted(count, "1 was given up", `${number(count)} were given up`),
    from: (first: string, last: string) => `Created between ${first} and ${last}.`,
    left: (count: number) =>
      counted(
        count,
        "1 other stays as it is: its student was removed, it waited for 30 days, or its payload is erased.",
        `${
          number(count)
        } others stay as they are: their student was removed, they waited for 30 days, or their payload is erased.`
      ),
    none: "Nothing since then has to be sent again.",
    recover: (count: string) => `Send ${count} again`,
    since: "Of how long",
    sinces: { "1": "Last hour", "24": "24 hours", "168": "7 days", "720": "30 days" },
    text: "Each gets exactly one attempt more, with the id that it had: a receiver that has seen it may ignore it.",
    title: "Recover what was not delivered"
  },
  {
    cancel: "Fechar",
    disabled: (count: number) =>
      counted(
        count,
        "1 foi cancelado enquanto o endpoint estava desativado",
        `${number(count)} foram cancelados enquanto o endpoint estava desativado`
      ),
    failed: (count: number) => counted(count, "1 foi abandonado", `${number(count)} foram abandonados`),
    from: (first: string, last: string) => `Criados entre ${first} e ${last}.`,
    left: (count: number) =>
      counted(
        count,
        "1 outro fica como está: o aluno foi removido, esperou 30 dias, ou o conteúdo foi apagado.",
        `${number(count)} outros ficam como estão: o aluno foi removido, esperaram 30 dias, ou o conteúdo foi apagado.`
      ),
    none: "Desde então nada precisa ser reenviado.",
    recover: (count: string) => `Reenviar ${count}`,
    since: "De quanto tempo",
    sinces: { "1": "Última hora", "24": "24 horas", "168": "7 dias", "720": "30 dias" },
    text: "Cada um recebe exatamente mais uma tentativa, com o mesmo id: um receptor que já o viu pode ignorá-lo.",
    title: "Recuperar o que não foi entregue"
  }
)

interface RecoveryProps {
  readonly club: Membership
  readonly endpointId: string
  readonly onClose: () => void
}

/** Sends again what was not delivered: first what that would be, then how far it is. */
export const Recovery = ({ club, endpointId, onClose }: RecoveryProps) => {
  const back = useSignal<Hours>("24")
  const opened = useSignal(currentMillis())
  const recovering = useSignal<number | undefined>(undefined)
  const isRunning = useSignal(false)
  const { cancel, disabled, failed, from, left, none, recover, since, sinces, text, title } = said(words)
  const at = timestampOf(opened.value - hours[back.value] * 3_600_000)
  const params = { clubId: club.organization_id, endpointId }
  const preview = useRead(endpointsKey(club, endpointId, "recover", at), async (signal) => {
    const { data } = await turma.webhookDeliveries.previewRecovery({ ...params, since: at }, { signal })
    return data
  })
  const run = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    await attempt(async () => {
      const { data } = await turma.webhookDeliveries.recover({ ...params, body: { since: at } })
      recovering.value = data.recovered
      endpointsChanged(club)
    })
    isRunning.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {recovering.value !== undefined
        ? <Progress club={club} endpointId={endpointId} since={at} total={recovering.value} />
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
                return (
                  <div class="stack" aria-live="polite">
                    {known.total === 0
                      ? <p>{none}</p>
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
                    {known.total > 0 && (
                      <div class="actions">
                        <button type="button" aria-busy={isRunning.value} onClick={() => void run()}>
                          {recover(number(known.total))}
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

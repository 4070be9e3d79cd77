import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../../client/Api.ts"
import { number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { endpointsChanged, endpointsKey, useDiagnosis } from "../standing/Reads.ts"
import { useEvery } from "../standing/Visible.ts"

const words = spoken(
  {
    again: (count: string) => `${count} of them were given up again: look at one to see why.`,
    all: (count: string) => `All ${count} were sent again.`,
    bar: "How many were sent",
    held: "The endpoint is held, so they go one at a time until one is accepted.",
    sent: (sent: string, total: string) => `${sent} of ${total} were sent again.`
  },
  {
    again: (count: string) => `${count} delas foram abandonadas de novo: olhe uma para ver por quê.`,
    all: (count: string) => `Todas as ${count} foram reenviadas.`,
    bar: "Quantas foram reenviadas",
    held: "O endpoint está retido, então vão uma de cada vez até uma ser aceita.",
    sent: (sent: string, total: string) => `${sent} de ${total} foram reenviadas.`
  }
)

/** In milliseconds. */
const readEvery = 700

interface ProgressProps {
  readonly club: Membership
  readonly endpointId: string
  readonly since: string
  /** How many are sent again. */
  readonly total: number
}

/** How far a recovery is: what waits of it goes down to nothing. */
export const Progress = ({ club, endpointId, since, total }: ProgressProps) => {
  const diagnosis = useDiagnosis(club, endpointId)
  const isFresh = useSignal(false)
  const waiting = isFresh.value ? Math.min(total, diagnosis.data?.queue_depth ?? total) : total
  const isDone = isFresh.value && waiting === 0
  useEvery(isDone ? undefined : readEvery, () => {
    isFresh.value = true
    diagnosis.reload()
  })
  const left = useRead(isDone ? endpointsKey(club, endpointId, "left", since) : undefined, async (signal) => {
    const params = { clubId: club.organization_id, endpointId, since }
    const { data } = await turma.webhookDeliveries.previewRecovery(params, { signal })
    return data.failed
  })
  useEffect(() => {
    if (isDone) endpointsChanged(club)
  }, [isDone])
  const { again, all, bar, held, sent } = said(words)
  const failed = left.data ?? 0
  return (
    <div class="stack">
      <progress max={Math.max(1, total)} value={total - waiting} aria-label={bar} />
      <p role="status">{isDone ? all(number(total)) : sent(number(total - waiting), number(total))}</p>
      {!isDone && diagnosis.data?.held === true && <p class="soft">{held}</p>}
      {failed > 0 && <p class="notice bad">{again(number(failed))}</p>}
    </div>
  )
}

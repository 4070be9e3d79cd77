import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../../client/Api.ts"
import { useEvery } from "../../../client/Every.ts"
import { counted, number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { ProgressBar } from "../../../parts/ProgressBar.tsx"
import { endpointsChanged, endpointsKey, useDiagnosis } from "../standing/Reads.ts"

const words = spoken(
  {
    again: (count: number) =>
      counted(
        count,
        "1 of them was given up again: look at it to see why.",
        `${number(count)} of them were given up again: look at one to see why.`
      ),
    all: (count: number) => counted(count, "It was sent again.", `All ${number(count)} were sent again.`),
    bar: "How many were sent",
    held: "The endpoint is held, so they go one at a time until one is accepted.",
    sent: (sent: number, total: number) =>
      counted(
        sent,
        `1 of ${number(total)} was sent again.`,
        `${number(sent)} of ${number(total)} were sent again.`
      )
  },
  {
    again: (count: number) =>
      counted(
        count,
        "1 deles foi abandonado de novo: olhe-o para ver por quê.",
        `${number(count)} deles foram abandonados de novo: olhe um para ver por quê.`
      ),
    all: (count: number) => counted(count, "Foi reenviado.", `Todos os ${number(count)} foram reenviados.`),
    bar: "Quantos foram reenviados",
    held: "O endpoint está retido, então vão um de cada vez até um ser aceito.",
    sent: (sent: number, total: number) =>
      counted(
        sent,
        `1 de ${number(total)} foi reenviado.`,
        `${number(sent)} de ${number(total)} foram reenviados.`
      )
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
      <ProgressBar
        done={total - waiting}
        all={total}
        label={bar}
        text={isDone ? all(total) : sent(total - waiting, total)}
      />
      {!isDone && diagnosis.data?.held === true && <p class="soft">{held}</p>}
      {failed > 0 && <p class="notice bad">{again(failed)}</p>}
    </div>
  )
}

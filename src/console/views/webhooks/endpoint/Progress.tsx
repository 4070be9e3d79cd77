import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../client/Api.ts"
import { counted, number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { ProgressBar } from "../../../parts/ProgressBar.tsx"
import { waitingOf } from "../model/EndpointSentence.ts"
import { sentAtLeast } from "../model/Recovery.ts"
import { endpointsChanged, endpointsKey, useDiagnosis } from "../standing/Reads.ts"
import { telling } from "../standing/Telling.ts"

const words = spoken(
  {
    again: (count: number) =>
      counted(
        count,
        "1 is given up: look at it to see why.",
        `${number(count)} are given up: look at one to see why.`
      ),
    all: (count: number) => counted(count, "It was sent again.", `All ${number(count)} were sent again.`),
    bar: "How many were sent",
    held: "The endpoint is held, so they go one at a time until one is accepted.",
    now: (waiting: string) => `Now ${waiting}, new ones included. You may close this: it goes on.`,
    sent: (sent: number, total: number) =>
      sent === 0
        ? counted(total, "1 goes out again.", `${number(total)} go out again, one after the other.`)
        : `At least ${number(sent)} of ${number(total)} were sent again.`
  },
  {
    again: (count: number) =>
      counted(
        count,
        "1 está abandonado: olhe-o para ver por quê.",
        `${number(count)} estão abandonados: olhe um para ver por quê.`
      ),
    all: (count: number) => counted(count, "Foi reenviado.", `Todos os ${number(count)} foram reenviados.`),
    bar: "Quantos foram reenviados",
    held: "O endpoint está retido, então vão um de cada vez até um ser aceito.",
    now: (waiting: string) => `Agora ${waiting}, contando os novos. Pode fechar isto: continua assim mesmo.`,
    sent: (sent: number, total: number) =>
      sent === 0
        ? counted(total, "1 sai de novo.", `${number(total)} saem de novo, um após o outro.`)
        : `Ao menos ${number(sent)} de ${number(total)} foram reenviados.`
  }
)

interface ProgressProps {
  readonly club: Membership
  readonly endpointId: string
  readonly since: string
  /** How many are sent again. */
  readonly total: number
}

/** How far a recovery is, as far as that is known: the endpoint's page reads again and again what waits. */
export const Progress = ({ club, endpointId, since, total }: ProgressProps) => {
  const { data: diagnosis } = useDiagnosis(club, endpointId)
  // What was known when it began says nothing of it.
  const before = useRef(diagnosis)
  const known = diagnosis === before.current ? undefined : diagnosis
  const most = useRef(0)
  // What was sent stays sent, whatever comes to wait after it.
  if (known !== undefined) most.current = Math.max(most.current, sentAtLeast(total, known))
  const sent = most.current
  const isDone = sent === total
  const left = useRead(isDone ? endpointsKey(club, endpointId, "left", since) : undefined, async (signal) => {
    const params = { clubId: club.organization_id, endpointId, since }
    const { data } = await turma.webhookDeliveries.previewRecovery(params, { signal })
    return data.failed
  })
  useEffect(() => {
    if (isDone) endpointsChanged(club)
  }, [isDone])
  const { again, all, bar, held, now, sent: sentWords } = said(words)
  const failed = left.data ?? 0
  return (
    <div class="stack">
      <ProgressBar
        done={sent}
        all={total}
        label={bar}
        text={isDone ? all(total) : sentWords(sent, total)}
      />
      {!isDone && known !== undefined && <p class="soft">{now(waitingOf(known, telling()))}</p>}
      {!isDone && known?.held === true && <p class="soft">{held}</p>}
      {failed > 0 && <p class="notice bad">{again(failed)}</p>}
    </div>
  )
}

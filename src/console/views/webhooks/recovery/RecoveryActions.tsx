import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { counted, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { ActionButton } from "../../../../browser/parts/ActionButton.tsx"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { doneOf, hasEnded, isUnderWay, type Recovery } from "../model/Recovery.ts"
import { endpointsChanged } from "../parts/Reads.ts"

const words = spoken(
  {
    another: "Choose again",
    cancel: "Cancel it",
    cancelText: (left: number) =>
      `${
        counted(
          left,
          "1 is not sent again yet and stays as it is",
          `${number(left)} are not sent again yet and stay as they are`
        )
      }; a few of them may be on their way. What was sent stays sent. This cannot be undone, but a new recovery finds what is left.`,
    cancelTitle: "Cancel this recovery?",
    canceled: "The recovery is canceled",
    continue: "Go on",
    drop: "Drop it",
    pause: "Pause",
    start: (count: number) => `Send ${number(count)} again`
  },
  {
    another: "Escolher de novo",
    cancel: "Cancelar a recuperação",
    cancelText: (left: number) =>
      `${
        counted(
          left,
          "1 ainda não foi reenviado e fica como está",
          `${number(left)} ainda não foram reenviados e ficam como estão`
        )
      }; alguns podem já estar a caminho. O que já foi enviado continua enviado. Não dá para desfazer, mas uma nova recuperação encontra o que falta.`,
    cancelTitle: "Cancelar esta recuperação?",
    canceled: "A recuperação foi cancelada",
    continue: "Continuar",
    drop: "Descartar",
    pause: "Pausar",
    start: (count: number) => `Reenviar ${number(count)}`
  }
)

interface RecoveryActionsProps {
  readonly club: Membership
  readonly of: Recovery
}

/** Starting, pausing, going on and canceling. */
export const RecoveryActions = ({ club, of }: RecoveryActionsProps) => {
  const isAsked = useSignal(false)
  const { another, cancel, canceled, cancelText, cancelTitle, continue: goOn, drop, pause, start } = said(words)
  const { endpoint_id: endpointId, id: recoveryId, preview, progress, status } = of
  const change = async (next: "canceled" | "paused" | "running") => {
    const params = { clubId: club.organization_id, endpointId, recoveryId }
    await turma.webhookRecoveries.update({ ...params, body: { status: next } })
    endpointsChanged(club)
  }
  const choose = <a class="button quiet" href={clubPage(club, "webhooks", endpointId, "recoveries")}>{another}</a>
  if (hasEnded(of)) return choose
  return (
    <>
      {status === "previewed" && preview.total > 0 && (
        <ActionButton work={() => change("running")}>{start(preview.total)}</ActionButton>
      )}
      {status === "paused" && <ActionButton work={() => change("running")}>{goOn}</ActionButton>}
      {status === "running" && <ActionButton isQuiet work={() => change("paused")}>{pause}</ActionButton>}
      {isUnderWay(of)
        ? <button type="button" class="quiet" onClick={() => (isAsked.value = true)}>{cancel}</button>
        : (
          <>
            {choose}
            <ActionButton isQuiet work={() => change("canceled")} done={canceled}>{drop}</ActionButton>
          </>
        )}
      {isAsked.value && (
        <Confirm
          title={cancelTitle}
          action={cancel}
          done={canceled}
          isDangerous
          work={() => change("canceled")}
          onClose={() => (isAsked.value = false)}
        >
          <p>{cancelText(preview.total - doneOf(progress))}</p>
        </Confirm>
      )}
    </>
  )
}

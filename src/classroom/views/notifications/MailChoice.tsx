import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { type NoticeSettings, noticesKey, useNoticeSettings } from "../../club/notices.ts"
import { ofClub } from "../../club/View.ts"

type Frequency = NoticeSettings["mail"]

const words = spoken(
  {
    at_once: "As soon as something happens",
    daily: "Once a day, in the morning",
    hint: "Mails to sign in and answers to your requests for help always come.",
    label: "Notify me by e-mail",
    never: "Never",
    saved: "Saved"
  },
  {
    at_once: "Assim que acontecer",
    daily: "Uma vez por dia, de manhã",
    hint: "E-mails de acesso e respostas aos seus pedidos de ajuda chegam sempre.",
    label: "Avisar por e-mail",
    never: "Nunca",
    saved: "Salvo"
  }
)

const frequencies: ReadonlyArray<Frequency> = ["at_once", "daily", "never"]

/** How often notifications come by mail. The choice counts at once. */
export const MailChoice = () => {
  const id = useId()
  const settings = useNoticeSettings()
  const chosen = useSignal<Frequency | undefined>(undefined)
  if (settings.data === undefined) return null
  const choose = async (mail: Frequency) => {
    chosen.value = mail
    const isDone = await attempt(async () => {
      await turma.classroomNotifications.updateSettings({ ...ofClub, body: { mail } })
      changed(`${noticesKey}/settings`)
    }, said(words).saved)
    if (!isDone) chosen.value = undefined
  }
  return (
    <div class="field mail-choice">
      <label for={id}>{said(words).label}</label>
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        value={chosen.value ?? settings.data.mail}
        onChange={({ currentTarget: { value } }) => {
          const mail = frequencies.find((one) => one === value)
          if (mail !== undefined) void choose(mail)
        }}
      >
        {frequencies.map((one) => <option key={one} value={one}>{said(words)[one]}</option>)}
      </select>
      <p class="hint" id={`${id}-hint`}>{said(words).hint}</p>
    </div>
  )
}

import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { place, query, setQuery } from "../../browser/client/Location.ts"
import { site } from "../../browser/client/Site.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { attempt } from "../../browser/parts/Toasts.tsx"
import { Greeting } from "./Enter.tsx"

const words = spoken(
  {
    home: "Go to the classroom",
    removal: "Ask the staff to delete your data",
    removalDone: "The staff has your request",
    removalDoneText:
      "They will delete your data and end your access. Until then you can still change your mind with them.",
    removalText:
      "The staff will delete your name, your e-mail and your texts. You lose your access, and nobody can undo that.",
    send: "Send the request",
    stop: "Stop these mails",
    stopped: "These mails have stopped",
    stoppedText: "You still see everything in the classroom. You can turn the mails on there again.",
    unsubscribe: "Stop the mails about notifications?",
    unsubscribeText: "Mails that answer you in support still come."
  },
  {
    home: "Ir para a sala de aula",
    removal: "Pedir a exclusão dos seus dados",
    removalDone: "A equipe recebeu o seu pedido",
    removalDoneText:
      "Ela vai excluir seus dados e encerrar o acesso. Até lá, ainda dá para desistir falando com a equipe.",
    removalText:
      "A equipe vai excluir seu nome, seu e-mail e seus textos. Você perde o acesso, e não dá para desfazer.",
    send: "Enviar o pedido",
    stop: "Parar de receber",
    stopped: "Você não recebe mais esses e-mails",
    stoppedText: "Tudo continua na sala de aula. Lá você pode ligar os e-mails de novo.",
    unsubscribe: "Parar os e-mails de avisos?",
    unsubscribeText: "As respostas do suporte continuam chegando por e-mail."
  }
)

interface Asked {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly done: string
  readonly doneText: string
  readonly work: (token: string) => Promise<unknown>
}

/** A page that a mail links to. Its button uses the link, since mail scanners follow links too. */
const MailedPage = ({ action, done, doneText, text, title, work }: Asked) => {
  const token = useSignal(query.peek().get("token") ?? "").peek()
  const isDone = useSignal(false)
  const isRunning = useSignal(false)
  // Nobody finds it in the address or the history afterwards.
  useEffect(() => setQuery({ token: undefined }), [])
  useEffect(() => {
    document.title = `${title} · ${site.name}`
  }, [title])
  const use = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    isDone.value = await attempt(() => work(token))
    isRunning.value = false
  }
  return (
    <main id="content" class="door">
      <div class="door-form stack">
        <Greeting />
        <h2>{isDone.value ? done : title}</h2>
        <p role="status">{isDone.value ? doneText : text}</p>
        <div class="actions">
          {isDone.value
            ? <a class="button" href={site.root}>{said(words).home}</a>
            : <button type="button" aria-busy={isRunning.value} onClick={() => void use()}>{action}</button>}
        </div>
      </div>
      <Choices />
    </main>
  )
}

const pages: Readonly<Record<string, () => JSX.Element>> = {
  [`${site.root}/unsubscribe`]: () => (
    <MailedPage
      title={said(words).unsubscribe}
      text={said(words).unsubscribeText}
      action={said(words).stop}
      done={said(words).stopped}
      doneText={said(words).stoppedText}
      work={(token) => turma.notificationMails.unsubscribe({ token })}
    />
  ),
  [`${site.root}/removal`]: () => (
    <MailedPage
      title={said(words).removal}
      text={said(words).removalText}
      action={said(words).send}
      done={said(words).removalDone}
      doneText={said(words).removalDoneText}
      work={(token) => turma.removalRequests.confirm({ body: { token } })}
    />
  )
}

/** The page of the address, if a mail links to it and it needs no session. */
export const mailedPage = (): (() => JSX.Element) | undefined => pages[place.value.path.replace(/\/$/, "")]

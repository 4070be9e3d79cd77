import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { currentMillis, timestampOf } from "../../../browser/client/Time.ts"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { ofClub } from "../../club/View.ts"
import { FileLink } from "./FileLink.tsx"
import { FilesField } from "./FilesField.tsx"
import { type BlockOf, type Lesson, touchedKeys } from "./lesson.ts"
import { useFiles } from "./useFiles.ts"

const words = spoken(
  {
    approved: "Approved",
    approvedText: "Your work was approved.",
    assignment: "Assignment",
    field: "Your work",
    hint: "Your text stays here until you send it.",
    pending: "Waiting for feedback",
    pendingText: "Your teacher reads it, and the answer appears here.",
    rejected: "Please send it again",
    rejectedText: "Your teacher asks for a change.",
    send: "Send",
    sent: "Sent",
    yours: "What you sent"
  },
  {
    approved: "Aprovada",
    approvedText: "Sua tarefa foi aprovada.",
    assignment: "Tarefa",
    field: "Sua resposta",
    hint: "O que você escrever fica guardado até o envio.",
    pending: "Aguardando correção",
    pendingText: "Quem ensina vai ler, e a resposta aparece aqui.",
    rejected: "Envie de novo",
    rejectedText: "Quem ensina pediu um ajuste.",
    send: "Enviar",
    sent: "Enviada",
    yours: "O que você enviou"
  }
)

type Assignment = BlockOf<"assignment">
type Submission = NonNullable<Assignment["last_submission"]>

const tones = { approved: "notice good", pending: "notice", rejected: "notice waiting" } as const

const Sent = ({ submission }: { readonly submission: Submission }) => {
  const { body, created_at, feedback, media, reviewed_at, status } = submission
  const text = said(words)[`${status}Text`]
  return (
    <>
      <div class={tones[status]} role="status">
        <strong>{said(words)[status]}</strong>
        {feedback === null ? <p>{text}</p> : <Markdown text={feedback} small />}
        <p class="soft small">
          <Moment at={reviewed_at ?? created_at} />
        </p>
      </div>
      <details class="sent-work">
        <summary>{said(words).yours}</summary>
        <div class="stack">
          <p class="as-written" dir="auto">{body}</p>
          {media.map((file) => <FileLink key={file.url} media={file} />)}
        </div>
      </details>
    </>
  )
}

/** The work on its way: as it will be once the answer has come. */
const pendingOf = (blockId: string, body: string, at: string): Submission => ({
  id: "",
  block_id: blockId,
  body,
  status: "pending",
  feedback: null,
  reviewed_at: null,
  created_at: at,
  media: []
})

/** An assignment: what to do, the student's work on it, and what the teacher says. */
export const AssignmentBlock = ({ block, lesson }: { readonly block: Assignment; readonly lesson: Lesson }) => {
  const id = useId()
  const key = `assignment/${block.id}`
  const draft = useDraft(key)
  const files = useFiles(key)
  const onWay = useSignal<Submission | undefined>(undefined)
  const last = onWay.value ?? block.last_submission
  const isOpen = last === null || last.status === "rejected"
  const send = async (event: Event) => {
    event.preventDefault()
    const body = draft.text.trim()
    if (body === "" || files.isBusy || onWay.peek() !== undefined) return
    const media_ids = files.files.map((file) => file.id)
    onWay.value = pendingOf(block.id, body, timestampOf(currentMillis()))
    const isSent = await attempt(async () => {
      const { data } = await turma.classroom.submit({ ...ofClub, blockId: block.id, body: { body, media_ids } })
      onWay.value = data
    })
    if (!isSent) {
      // The text and its files are still there.
      onWay.value = undefined
      return
    }
    draft.clear()
    files.clear()
    changed(...touchedKeys(lesson.public_id, lesson.course.public_id))
  }
  return (
    <section class="card stack assignment" aria-labelledby={id}>
      <header class="block-head">
        <h2 id={id} dir="auto">{block.title ?? said(words).assignment}</h2>
      </header>
      <Markdown text={block.body} images={block.images} />
      {last !== null && <Sent submission={last} />}
      {isOpen && (
        <form class="stack" onSubmit={send}>
          <div class="field">
            <label for={`${id}-text`}>{said(words).field}</label>
            <textarea
              id={`${id}-text`}
              rows={6}
              required
              maxLength={20_000}
              aria-describedby={`${id}-hint`}
              value={draft.text}
              onInput={({ currentTarget }) => draft.set(currentTarget.value)}
            />
            <p class="hint" id={`${id}-hint`}>{said(words).hint}</p>
          </div>
          <FilesField files={files} />
          <div class="actions">
            <button type="submit" disabled={draft.text.trim() === "" || files.isBusy}>{said(words).send}</button>
          </div>
        </form>
      )}
    </section>
  )
}

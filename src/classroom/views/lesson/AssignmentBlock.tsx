import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed } from "../../../browser/client/Reads.ts"
import { currentMillis, timestampOf } from "../../../browser/client/Time.ts"
import { AssignmentCard, WorkField } from "../../../browser/parts/lesson/AssignmentCard.tsx"
import { FileLink } from "../../../browser/parts/lesson/FileLink.tsx"
import type { BlockOf } from "../../../browser/parts/lesson/lessonBlock.ts"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { ofClub } from "../../club/View.ts"
import { FilesField } from "./FilesField.tsx"
import { type Lesson, touchedKeys } from "./lesson.ts"
import { useFiles } from "./useFiles.ts"

const words = spoken(
  {
    approved: "Approved",
    approvedText: "Your work was approved.",
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
  const key = `assignment/${block.id}`
  const draft = useDraft(key)
  const files = useFiles(key)
  const onWay = useSignal<Submission | undefined>(undefined)
  const isRead = onWay.value !== undefined && onWay.value.id === block.last_submission?.id
  const last = isRead ? block.last_submission : onWay.value ?? block.last_submission
  useEffect(() => {
    // From now on the lesson itself has it, with its review.
    if (isRead) onWay.value = undefined
  }, [isRead])
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
    <AssignmentCard block={block}>
      {last !== null && <Sent submission={last} />}
      {isOpen && (
        <form class="stack" onSubmit={send}>
          <WorkField text={draft.text} change={draft.set} />
          <FilesField files={files} />
          <div class="actions">
            <button type="submit" disabled={draft.text.trim() === "" || files.isBusy}>{said(words).send}</button>
          </div>
        </form>
      )}
    </AssignmentCard>
  )
}

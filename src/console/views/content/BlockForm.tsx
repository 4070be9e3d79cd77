import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { ConflictNotice } from "../../../browser/parts/ConflictNotice.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { only } from "../../../browser/parts/Draft.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm, useTracked } from "../../../browser/parts/Form.ts"
import { refuseStale } from "../../../browser/parts/refuseStale.ts"
import { useLibraryText } from "../../club/library/LibraryText.tsx"
import { MediaPicker } from "../../club/library/MediaPicker.tsx"
import type { Media } from "../../club/library/upload/uploads.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"
import { type Block, blockName } from "./blockWords.ts"
import { newQuestion, problemOf, type QuestionDraft } from "./quiz.ts"
import { QuizFields } from "./QuizFields.tsx"

const words = spoken(
  {
    assignment: "The students' task",
    change: "Choose another",
    choose: "Choose or upload",
    media: "Shown",
    nothing: "Nothing is chosen yet",
    no_correct: (place: string) => `Question ${place} needs an answer that is correct.`,
    no_questions: () => "A quiz needs a question.",
    no_words: (place: string) => `Question ${place} or one of its answers is empty.`,
    pass: "Correct answers to pass, in percent",
    questions: "Questions",
    save: "Save",
    saved: "Saved",
    text: "Text",
    title: "Title",
    titleHint: "Shown above it. Optional."
  },
  {
    assignment: "O que os alunos devem fazer",
    change: "Escolher outro",
    choose: "Escolher ou enviar",
    media: "O que mostra",
    nothing: "Nada foi escolhido ainda",
    no_correct: (place: string) => `A pergunta ${place} precisa de uma resposta certa.`,
    no_questions: () => "Um questionário precisa de uma pergunta.",
    no_words: (place: string) => `A pergunta ${place} ou uma de suas respostas está vazia.`,
    pass: "Acertos para passar, em %",
    questions: "Perguntas",
    save: "Salvar",
    saved: "Salvo",
    text: "Texto",
    title: "Título",
    titleHint: "Aparece acima. Opcional."
  }
)

interface BlockFormProps {
  readonly club: Membership
  readonly lessonId: string
  readonly kind: Block["kind"]
  /** The block that is changed. Undefined for a new one. */
  readonly block: Block | undefined
  readonly after: () => void
  readonly onClose: () => void
}

interface Draft {
  readonly title: string | null
  readonly body: string
  readonly media_id: string
  readonly pass_percent: number
  readonly questions: ReadonlyArray<QuestionDraft>
  /** The fields of these that were changed. */
  readonly isChanged: (field: string) => boolean
}

const fieldsOf = (kind: Block["kind"], { body, media_id, pass_percent, questions, title }: Draft) => {
  if (kind === "text" || kind === "assignment") return { kind, title, body }
  if (kind === "video" || kind === "file") return { kind, title, media_id }
  return {
    kind,
    title,
    pass_percent,
    questions: questions.map(({ options, ...question }) => ({ ...question, options: [...options] }))
  }
}

const textOf = (questions: ReadonlyArray<QuestionDraft>) => JSON.stringify(questions)

const sendBlock = async ({ after, block, club, kind, lessonId }: BlockFormProps, draft: Draft) => {
  const body = fieldsOf(kind, draft)
  if (block === undefined) return turma.lessons.createBlock({ ...ofClub(club), lessonId, body })
  if (draft.isChanged("questions")) {
    const { data: blocks } = await turma.lessons.listBlocks({ ...ofClub(club), lessonId })
    const now = blocks.find(({ id }) => id === block.id) ?? block
    refuseStale(textOf(block.questions ?? []), textOf(now.questions ?? []), after)
  }
  const { kind: _, ...patch } = body
  return turma.lessons.updateBlock({ ...ofClub(club), blockId: block.id, body: only(patch, draft.isChanged) })
}

/** The media of a video or file block. */
const Chosen = (
  { club, id, known, pick }: {
    readonly club: Membership
    readonly id: string
    readonly known: Media | undefined
    readonly pick: () => void
  }
) => {
  const media = useRead(
    id === "" || known !== undefined ? undefined : `${club.organization_id}/media/one/${id}`,
    (signal) => turma.media.get({ ...ofClub(club), mediaId: id }, { signal })
  )
  const title = known?.title ?? media.data?.data.title
  return (
    <div class="line">
      <p>
        <strong>{said(words).media}:</strong> <span dir="auto">{id === "" ? said(words).nothing : title ?? "…"}</span>
      </p>
      <button type="button" class="quiet" onClick={pick}>{id === "" ? said(words).choose : said(words).change}</button>
    </div>
  )
}

const sentenceOf = (questions: ReadonlyArray<QuestionDraft>) => {
  const found = problemOf(questions)
  return found === undefined ? undefined : said(words)[found.problem](number(found.place + 1))
}

const firstQuestions = [newQuestion]

/** A block, to be written. */
export const BlockForm = (props: BlockFormProps) => {
  const { after, block, club, kind, onClose } = props
  const media = useSignal<Media | undefined>(undefined)
  const isPicking = useSignal(false)
  const questions = useTracked<ReadonlyArray<QuestionDraft>>(block?.questions ?? firstQuestions, textOf)
  const isTried = useSignal(false)
  const mediaId = media.value?.id ?? block?.media_id ?? ""
  const isQuiz = kind === "quiz"
  const isPicked = media.value !== undefined && media.value.id !== block?.media_id
  const isShown = kind === "video" || kind === "file"
  const form = useForm({
    of: block,
    values: {
      title: block?.title ?? "",
      body: block?.body ?? "",
      pass_percent: String(block?.pass_percent ?? 70)
    },
    send: async (value) => {
      const title = value("title").trim()
      await sendBlock(props, {
        title: title === "" ? null : title,
        body: value("body"),
        media_id: mediaId,
        pass_percent: Number(value("pass_percent")),
        questions: questions.value,
        isChanged: (field) =>
          field === "questions" ? questions.isChanged : field === "media_id" ? isPicked : form.isTouched(field)
      })
      after()
      onClose()
    },
    done: said(words).saved
  })
  const text = useLibraryText({
    club,
    form,
    name: "body",
    label: kind === "text" ? said(words).text : said(words).assignment,
    rows: 12,
    maxLength: 100_000,
    required: true
  })
  const problem = isQuiz ? sentenceOf(questions.value) : isShown && mediaId === "" ? said(words).nothing : undefined
  const submit = (event: Event) => {
    event.preventDefault()
    isTried.value = true
    if (problem === undefined) void form.submit(event)
  }
  return (
    <Dialog title={blockName(kind)} onClose={onClose} wide>
      {isShown && <Chosen club={club} id={mediaId} known={media.value} pick={() => (isPicking.value = true)} />}
      <form class="stack" onSubmit={submit}>
        <TextField form={form} name="title" label={said(words).title} hint={said(words).titleHint} maxLength={200} />
        {(kind === "text" || kind === "assignment") && text.field}
        {isQuiz && (
          <>
            <TextField
              form={form}
              name="pass_percent"
              label={said(words).pass}
              type="number"
              min={1}
              max={100}
              required
            />
            <QuizFields questions={questions.value} change={questions.set} />
            {questions.isContested && (
              <ConflictNotice label={said(words).questions} take={questions.take}>
                {(block?.questions ?? []).map(({ text }) => text).join(" · ")}
              </ConflictNotice>
            )}
          </>
        )}
        {isTried.value && problem !== undefined && <p class="wrong" role="alert">{problem}</p>}
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).save}</button>
        </div>
      </form>
      {text.dialog}
      {isPicking.value && (
        <MediaPicker
          club={club}
          {...(kind === "video" ? { kind } : {})}
          onPick={(picked) => {
            media.value = picked
            isPicking.value = false
          }}
          onClose={() => (isPicking.value = false)}
        />
      )}
    </Dialog>
  )
}

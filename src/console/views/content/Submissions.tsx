import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { Badge, type Tone } from "../../../browser/parts/Badge.tsx"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { Feed } from "../../../browser/parts/Feed.tsx"
import { TextArea } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { SafeLink } from "../../../browser/parts/SafeLink.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { contentTabs, contentWords } from "./shared.ts"

const words = spoken(
  {
    all: "All",
    approve: "Approve",
    approved: "Approved",
    approveText: "The student gets the points of an approved assignment, once for each assignment.",
    empty: "Nothing here",
    emptyText: "Students' submissions appear here, to approve or reject.",
    feedback: "Feedback for the student",
    feedbackHint: "Optional.",
    lead: "Students' submissions, the newest first.",
    notYours: "Your role in this club does not allow you to read submissions: editors and administrators do.",
    pending: "Waiting",
    reject: "Reject",
    rejected: "Rejected",
    rejectText: "The student reads why, and can hand in again.",
    saved: "Saved",
    show: "Show",
    to: "for"
  },
  {
    all: "Todas",
    approve: "Aprovar",
    approved: "Aprovada",
    approveText: "O aluno ganha os pontos de uma tarefa aprovada, uma vez por tarefa.",
    empty: "Nada aqui",
    emptyText: "As tarefas que os alunos entregam aparecem aqui, para aprovar ou recusar.",
    feedback: "Comentário para o aluno",
    feedbackHint: "Opcional.",
    lead: "As tarefas que os alunos entregaram, da mais nova à mais antiga.",
    notYours: "Seu papel neste clube não permite ver as tarefas dos alunos: editores e administradores podem.",
    pending: "Aguardando",
    reject: "Recusar",
    rejected: "Recusada",
    rejectText: "O aluno lê o porquê e pode entregar de novo.",
    saved: "Avaliação salva",
    show: "Mostrar",
    to: "para"
  }
)

type Submission = Schemas["ReviewedSubmission"]

const states: ReadonlyArray<Submission["status"]> = ["pending", "approved", "rejected"]
const tones: Readonly<Record<Submission["status"], Tone>> = { pending: "waiting", approved: "good", rejected: "bad" }

interface DecideProps {
  readonly club: Membership
  readonly submission: Submission
  readonly decision: "approve" | "reject"
  readonly done: (submission: Submission) => void
  readonly onClose: () => void
}

const Decide = ({ club, decision, done, onClose, submission }: DecideProps) => {
  const isApproval = decision === "approve"
  const form = useForm({
    values: { feedback: "" },
    send: async (value) => {
      const feedback = value("feedback").trim()
      const params = { ...ofClub(club), submissionId: submission.id }
      const { data } = await (isApproval
        ? turma.submissions.approve({ ...params, body: feedback === "" ? {} : { feedback } })
        : turma.submissions.reject({ ...params, body: { feedback } }))
      done(data)
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={said(words)[decision]} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p>{isApproval ? said(words).approveText : said(words).rejectText}</p>
        <TextArea
          form={form}
          name="feedback"
          label={said(words).feedback}
          {...(isApproval ? { hint: said(words).feedbackHint } : {})}
          required={!isApproval}
          maxLength={5000}
        />
        <div class="actions">
          <button type="submit" class={isApproval ? "" : "danger"} aria-busy={form.isRunning}>
            {said(words)[decision]}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const Card = ({ club, done, submission }: Pick<DecideProps, "club" | "done" | "submission">) => {
  const isOpen = useSignal<DecideProps["decision"] | undefined>(undefined)
  const { block_title, body, feedback, lesson, media, status, student } = submission
  return (
    <>
      <div class="line">
        <p>
          <strong dir="auto">{student.name}</strong> {said(words).to}{" "}
          <a href={clubPage(club, "content", "lessons", lesson.id)} dir="auto">
            {block_title === null ? lesson.title : `${block_title}, ${lesson.title}`}
          </a>
        </p>
        <Badge tone={tones[status]}>{said(words)[status]}</Badge>
      </div>
      <p class="written" dir="auto">{body}</p>
      {media.length > 0 && (
        <ul>
          {media.map(({ title, url }) => (
            <li key={url}>
              <SafeLink to={url}>{title}</SafeLink>
            </li>
          ))}
        </ul>
      )}
      {feedback !== null && <p class="notice written" dir="auto">{feedback}</p>}
      <div class="line">
        <span class="soft small">
          <Moment at={submission.created_at} />
        </span>
        {status === "pending" && (
          <div class="actions">
            <button type="button" class="quiet" onClick={() => (isOpen.value = "approve")}>
              {said(words).approve}
            </button>
            <button type="button" class="quiet" onClick={() => (isOpen.value = "reject")}>{said(words).reject}</button>
          </div>
        )}
      </div>
      {isOpen.value !== undefined && (
        <Decide
          club={club}
          submission={submission}
          decision={isOpen.value}
          done={done}
          onClose={() => (isOpen.value = undefined)}
        />
      )}
    </>
  )
}

const List = ({ club }: { readonly club: Membership }) => {
  const status = states.find((one) => one === (query.value.get("status") ?? "pending"))
  const list = useList<Submission>(
    `${club.organization_id}/submissions?${status ?? "all"}`,
    ({ cursor, limit, signal }) => turma.submissions.list({ ...ofClub(club), status, cursor, limit }, { signal })
  )
  return (
    <>
      <div class="filters">
        <div class="field">
          <label for="status">{said(words).show}</label>
          <select
            id="status"
            value={status ?? "all"}
            onChange={({ currentTarget }) => setQuery({ status: currentTarget.value })}
          >
            {states.map((one) => <option key={one} value={one}>{said(words)[one]}</option>)}
            <option value="all">{said(words).all}</option>
          </select>
        </div>
      </div>
      <Feed
        label={said(contentWords).submissions}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty icon="write" title={said(words).empty}>{said(words).emptyText}</Empty>}
      >
        {(submission) => (
          <Card
            club={club}
            submission={submission}
            done={(decided) => list.replace(decided, ({ id }) => id === decided.id)}
          />
        )}
      </Feed>
    </>
  )
}

/** The submissions of students. */
export default function Submissions({ club }: ClubViewProps) {
  const isShown = may(club.role, "teach")
  return (
    <>
      <PageHead title={said(contentWords).submissions}>
        {isShown ? said(words).lead : said(words).notYours}
      </PageHead>
      <Tabs {...contentTabs(club)} />
      {isShown && <List club={club} />}
    </>
  )
}

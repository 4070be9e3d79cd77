import { useSignal } from "@preact/signals"
import type { Schemas } from "../../../sdk/index.ts"
import { turma } from "../../client/Api.ts"
import { said, spoken } from "../../client/Language.ts"
import { useList } from "../../client/Lists.ts"
import { query, setQuery } from "../../client/Location.ts"
import { may } from "../../client/Rights.ts"
import type { Membership } from "../../client/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../client/View.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Feed } from "../../parts/Feed.tsx"
import { TextArea } from "../../parts/Fields.tsx"
import { useForm } from "../../parts/Form.ts"
import { Moment } from "../../parts/Moment.tsx"
import { PageHead } from "../../parts/PageHead.tsx"
import { SafeLink } from "../../parts/SafeLink.tsx"
import { Empty } from "../../parts/States.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import { contentTabs, contentWords } from "./shared.ts"

const words = spoken(
  {
    all: "All",
    approve: "Approve",
    approved: "Approved",
    approveText: "The student is paid the points of an approved assignment, once for each assignment.",
    empty: "Nothing here",
    emptyText: "Students' submissions to the assignments of lessons appear here, to approve or reject.",
    feedback: "What the student reads",
    feedbackHint: "May be empty.",
    lead: "Students' submissions, the newest first.",
    notYours: "Your role in this club does not show what students hand in: editors and administrators read it.",
    pending: "Waiting",
    reject: "Reject",
    rejected: "Rejected",
    rejectText: "The student reads why, and may hand in again.",
    saved: "Decided",
    show: "Show",
    to: "for"
  },
  {
    all: "Todas",
    approve: "Aprovar",
    approved: "Aprovada",
    approveText: "O aluno ganha os pontos de uma tarefa aprovada, uma vez por tarefa.",
    empty: "Nada aqui",
    emptyText: "O que os alunos entregam nas tarefas das aulas fica aqui, para aprovar ou recusar.",
    feedback: "O que o aluno lê",
    feedbackHint: "Pode ficar vazio.",
    lead: "O que os alunos entregaram, o mais novo primeiro.",
    notYours: "Seu papel neste clube não mostra o que os alunos entregam: editores e administradores leem.",
    pending: "Aguardando",
    reject: "Recusar",
    rejected: "Recusada",
    rejectText: "O aluno lê o porquê e pode entregar de novo.",
    saved: "Decidido",
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
        empty={<Empty title={said(words).empty}>{said(words).emptyText}</Empty>}
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

import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { counted, dateTime, number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useList } from "../../../../browser/client/Lists.ts"
import { changed, useRead } from "../../../../browser/client/Reads.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { may } from "../../../club/Rights.ts"
import { type StudentProps, useMemberNames } from "./Reads.ts"

type Entry = Schemas["PointEntry"]

const actions = spoken<Record<Entry["action"], string>>(
  {
    adjustment: "Given or taken by the staff",
    assignment_approved: "Assignment approved",
    comment_posted: "Comment",
    course_completed: "Course finished",
    lesson_completed: "Lesson finished",
    live_attended: "Live attended",
    post_published: "Post",
    quiz_passed: "Quiz passed"
  },
  {
    adjustment: "Dados ou tirados pela equipe",
    assignment_approved: "Tarefa aprovada",
    comment_posted: "Comentário",
    course_completed: "Curso concluído",
    lesson_completed: "Aula concluída",
    live_attended: "Presença em live",
    post_published: "Post",
    quiz_passed: "Aprovação em quiz"
  }
)

const words = spoken(
  {
    action: "For",
    adjust: "Give or take points",
    adjustText: "Counts at once, in the ranking too. You cannot change it later, only balance it with another.",
    adjusted: "The points are changed",
    amount: "Points",
    amountHint: "Below 0 takes points.",
    level: (points: number, level: string) =>
      counted(points, `1 point in all: level ${level}.`, `${number(points)} points in all: level ${level}.`),
    none: "No points yet",
    noneText: "If gamification is on, lessons, quizzes, comments and posts earn points.",
    points: "Points",
    reason: "Why",
    when: "When"
  },
  {
    action: "Por",
    adjust: "Dar ou tirar pontos",
    adjustText: "Vale na hora, também no ranking. Depois não dá para mudar, só compensar com outro ajuste.",
    adjusted: "Os pontos foram ajustados",
    amount: "Pontos",
    amountHint: "Abaixo de 0 para tirar.",
    level: (points: number, level: string) =>
      counted(points, `1 ponto no total: nível ${level}.`, `${number(points)} pontos no total: nível ${level}.`),
    none: "Nenhum ponto ainda",
    noneText: "Com a gamificação ligada, aulas concluídas, quizzes, comentários e posts dão pontos.",
    points: "Pontos",
    reason: "Motivo",
    when: "Quando"
  }
)

const Adjust = ({ club, onClose, onDone, student }: StudentProps & {
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const form = useForm({
    values: { points: "", reason: "" },
    send: async (value) => {
      await turma.gamification.adjust({
        clubId: club.organization_id,
        studentId: student.id,
        body: { points: Number(value("points")), reason: value("reason") }
      })
      onDone()
      onClose()
    },
    done: said(words).adjusted
  })
  return (
    <Dialog title={said(words).adjust} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p class="soft">{said(words).adjustText}</p>
        <TextField
          form={form}
          name="points"
          label={said(words).amount}
          hint={said(words).amountHint}
          type="number"
          min={-1_000_000}
          max={1_000_000}
          required
        />
        <TextField form={form} name="reason" label={said(words).reason} required maxLength={500} autocomplete="off" />
        <div class="actions">
          <button type="submit" aria-busy={form.isRunning}>{said(words).adjust}</button>
        </div>
      </form>
    </Dialog>
  )
}

const Cause = ({ entry, names }: { readonly entry: Entry; readonly names: ReadonlyMap<string, string> }) => (
  <>
    {said(actions)[entry.action]}
    {entry.reason !== null && <bdi>: {entry.reason}</bdi>}
    {entry.actor_user_id !== null && names.has(entry.actor_user_id) && (
      <bdi class="soft">{" "}({names.get(entry.actor_user_id)})</bdi>
    )}
  </>
)

const columns = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<Entry>> => [
  { key: "action", head: said(words).action, cell: (entry) => <Cause entry={entry} names={names} /> },
  {
    key: "points",
    head: said(words).points,
    onCard: "state",
    width: "6rem",
    isNumber: true,
    cell: ({ points }) => number(points)
  },
  {
    key: "when",
    head: said(words).when,
    width: "14rem",
    onCard: "detail",
    cell: ({ created_at }) => dateTime(created_at)
  }
]

/** A student's points, level, and what made them. */
export const Points = ({ club, student }: StudentProps) => {
  const clubId = club.organization_id
  const isAdjusting = useSignal(false)
  const names = useMemberNames(club)
  const key = `${clubId}/students/${student.id}/points`
  const standing = useRead(key, async (signal) => {
    const { data } = await turma.gamification.statement({ clubId, studentId: student.id, limit: 1 }, { signal })
    return data
  })
  const list = useList(key, async ({ cursor, limit, signal }) => {
    const page = await turma.gamification.statement({ clubId, studentId: student.id, cursor, limit }, { signal })
    return { data: page.data.entries, next_cursor: page.next_cursor }
  })
  const reload = () => {
    changed(key)
  }
  return (
    <section class="stack" aria-labelledby="points">
      <div class="row between">
        <h2 id="points">{said(words).points}</h2>
        {may(club.role, "administer") && !student.anonymized && (
          <button type="button" onClick={() => (isAdjusting.value = true)}>{said(words).adjust}</button>
        )}
      </div>
      <Shown read={standing}>
        {({ level, total }) => <p dir="auto">{said(words).level(total, level.name)}</p>}
      </Shown>
      <Table
        label={said(words).points}
        columns={columns(names)}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title={said(words).none}>{said(words).noneText}</Empty>}
      />
      {isAdjusting.value && (
        <Adjust club={club} student={student} onDone={reload} onClose={() => (isAdjusting.value = false)} />
      )}
    </section>
  )
}

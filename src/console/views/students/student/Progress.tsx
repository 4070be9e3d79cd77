import { turma } from "../../../../browser/client/Api.ts"
import { date, number, percent } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { allOf } from "../../../../browser/client/Lists.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Badge } from "../../../../browser/parts/Badge.tsx"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import type { StudentProps } from "./Reads.ts"

const words = spoken(
  {
    finished: (day: string) => `Finished ${day}`,
    last: "last lesson",
    lessons: (done: number, total: number) => `${number(done)} of ${number(total)} lessons`,
    none: "No course yet",
    noneText: "Courses appear here as soon as an access opens one.",
    title: "Progress by course"
  },
  {
    finished: (day: string) => `Concluído em ${day}`,
    last: "última aula",
    lessons: (done: number, total: number) => `${number(done)} de ${number(total)} aulas`,
    none: "Nenhum curso ainda",
    noneText: "Os cursos aparecem aqui assim que o aluno tiver acesso a um.",
    title: "Progresso por curso"
  }
)

/** How far a student is in each course. */
export const Progress = ({ club, student }: StudentProps) => {
  const clubId = club.organization_id
  const read = useRead(
    `${clubId}/students/${student.id}/progress`,
    (signal) => allOf(turma.studentProgress.list({ clubId, studentId: student.id }, { signal }))
  )
  return (
    <section class="stack" aria-labelledby="progress">
      <h2 id="progress">{said(words).title}</h2>
      <Shown read={read}>
        {(courses) =>
          courses.length === 0 ?
            <Empty title={said(words).none}>{said(words).noneText}</Empty> :
            (
              <ul class="plain-list accesses">
                {courses.map(({ completed_at, course, last_completed_at, lessons_completed, lessons_total }) => (
                  <li key={course.id} class="access">
                    <div class="row">
                      <h3 dir="auto">{course.title}</h3>
                      {completed_at !== null && <Badge tone="good">{said(words).finished(date(completed_at))}</Badge>}
                    </div>
                    <progress max={Math.max(1, lessons_total)} value={lessons_completed} aria-label={course.title} />
                    <p class="soft small number">
                      {said(words).lessons(lessons_completed, lessons_total)}
                      {lessons_total > 0 && ` (${percent(lessons_completed / lessons_total)})`}
                      {last_completed_at !== null && (
                        <>
                          , {said(words).last} <Moment at={last_completed_at} />
                        </>
                      )}
                    </p>
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </section>
  )
}

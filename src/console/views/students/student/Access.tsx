import { useSignal } from "@preact/signals"
import { date, dateTime } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { clock } from "../../../../browser/parts/Moment.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { clubTime } from "../../../club/ClubZone.ts"
import { may } from "../../../club/Rights.ts"
import { type AccessAction, type AccessState, accessState, actionsOf } from "../model/AccessState.ts"
import { reasonWords, sourceWords, stateWords } from "../words.ts"
import { ChangeAccess } from "./ChangeAccess.tsx"
import { Grant } from "./Grant.tsx"
import { History } from "./History.tsx"
import type { Student, StudentProps } from "./Reads.ts"

const words = spoken(
  {
    access: "Access",
    begins: (moment: string) => `Begins ${moment}`,
    cohort: (name: string) => `cohort ${name}`,
    actions: { extend: "Extend", move: "Move", restore: "Give back", revoke: "Take away", shorten: "Shorten" },
    ended: (moment: string) => `ended ${moment}`,
    ends: (moment: string) => `ends ${moment}`,
    grant: "Give access",
    never: "without end",
    none: "No access yet",
    noneText: "Purchases give access by themselves. You can also give a delivery by hand.",
    revoked: (moment: string, why: string) => `Taken away ${moment}: ${why}`,
    since: (day: string) => `Since ${day}`
  },
  {
    access: "Acessos",
    begins: (moment: string) => `Começa em ${moment}`,
    cohort: (name: string) => `turma ${name}`,
    actions: {
      extend: "Estender",
      move: "Mudar de turma",
      restore: "Restaurar",
      revoke: "Retirar",
      shorten: "Antecipar o fim"
    },
    ended: (moment: string) => `terminou em ${moment}`,
    ends: (moment: string) => `termina em ${moment}`,
    grant: "Liberar acesso",
    never: "sem fim",
    none: "Nenhum acesso ainda",
    noneText: "As compras liberam o acesso sozinhas; você também pode liberar uma entrega manualmente.",
    revoked: (moment: string, why: string) => `Retirado em ${moment}: ${why}`,
    since: (day: string) => `Desde ${day}`
  }
)

type Enrollment = Student["enrollments"][number]

const tones: Readonly<Record<AccessState, Tone>> = { active: "good", coming: "waiting", over: "quiet", revoked: "bad" }

const endOf = ({ expires_at }: Enrollment, state: AccessState) => {
  if (expires_at === null) return said(words).never
  return state === "over" ? said(words).ended(clubTime(expires_at)) : said(words).ends(clubTime(expires_at))
}

/** How an access stands, in a sentence. */
const sentenceOf = (enrollment: Enrollment, state: AccessState) => {
  const { revoke_reason, revoked_at, starts_at } = enrollment
  if (revoked_at !== null) {
    return said(words).revoked(dateTime(revoked_at), said(reasonWords)[revoke_reason ?? "manual"])
  }
  const begin = state === "coming" ? said(words).begins(clubTime(starts_at)) : said(words).since(date(starts_at))
  return `${begin}, ${endOf(enrollment, state)}`
}

const One = (
  { canChange, change, enrollment }: {
    readonly enrollment: Enrollment
    readonly canChange: boolean
    readonly change: (action: AccessAction) => void
  }
) => {
  const state = accessState(enrollment, clock.value)
  return (
    <li class="access">
      <div class="row">
        <h3 dir="auto">{enrollment.delivery_name}</h3>
        <Badge tone={tones[state]}>{said(stateWords)[state]}</Badge>
      </div>
      <p>{sentenceOf(enrollment, state)}</p>
      <p class="soft small">
        {said(sourceWords)[enrollment.source]}
        {enrollment.cohort_name !== null && (
          <>
            , <bdi>{said(words).cohort(enrollment.cohort_name)}</bdi>
          </>
        )}
      </p>
      {canChange && (
        <div class="actions">
          {actionsOf(enrollment, clock.value).map((action) => (
            <button
              key={action}
              type="button"
              class="quiet"
              aria-label={`${said(words).actions[action]}: ${enrollment.delivery_name}`}
              onClick={() => change(action)}
            >
              {said(words).actions[action]}
            </button>
          ))}
        </div>
      )}
    </li>
  )
}

/** The accesses of a student, the actions on them, and their history. */
export const Access = ({ club, student }: StudentProps) => {
  const isGranting = useSignal(false)
  const changing = useSignal<{ readonly action: AccessAction; readonly id: string } | undefined>(undefined)
  const canChange = may(club.role, "support") && !student.anonymized
  const grant = canChange && (
    <button type="button" onClick={() => (isGranting.value = true)}>{said(words).grant}</button>
  )
  const changed = student.enrollments.find(({ id }) => id === changing.value?.id)
  return (
    <>
      <section class="stack" aria-labelledby="access">
        <div class="row between">
          <h2 id="access">{said(words).access}</h2>
          {student.enrollments.length > 0 && grant}
        </div>
        {student.enrollments.length === 0
          ? <Empty title={said(words).none} action={grant}>{said(words).noneText}</Empty>
          : (
            <ul class="plain-list accesses">
              {student.enrollments.map((enrollment) => (
                <One
                  key={enrollment.id}
                  enrollment={enrollment}
                  canChange={canChange}
                  change={(action) => (changing.value = { action, id: enrollment.id })}
                />
              ))}
            </ul>
          )}
      </section>
      <History club={club} student={student} />
      {isGranting.value && <Grant club={club} student={student} onClose={() => (isGranting.value = false)} />}
      {changing.value !== undefined && changed !== undefined && (
        <ChangeAccess
          club={club}
          student={student}
          enrollment={changed}
          action={changing.value.action}
          onClose={() => (changing.value = undefined)}
        />
      )}
    </>
  )
}

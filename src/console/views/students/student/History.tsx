import { dateTime } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { clubTime } from "../../../club/ClubZone.ts"
import { may } from "../../../club/Rights.ts"
import { clubPage } from "../../../club/View.ts"
import { kindWords } from "../words.ts"
import { type Student, type StudentProps, useMemberNames } from "./Reads.ts"

const words = spoken(
  {
    by: "by",
    former: "a former member",
    sale: "after an event from a sales platform",
    title: "History",
    until: (moment: string) => `until ${moment}`
  },
  {
    by: "por",
    former: "alguém que saiu da equipe",
    sale: "por um evento de uma plataforma de vendas",
    title: "Histórico",
    until: (moment: string) => `até ${moment}`
  }
)

type AccessEvent = Student["access_events"][number]

const tells = (kind: AccessEvent["kind"]) => kind !== "revoked" && kind !== "moved" && kind !== "expired"

const Cause = ({ club, event, names }: {
  readonly club: StudentProps["club"]
  readonly event: AccessEvent
  readonly names: ReadonlyMap<string, string>
}) => {
  const { actor_user_id, platform_event_id } = event
  if (actor_user_id !== null) {
    return (
      <span>
        {said(words).by} <bdi>{names.get(actor_user_id) ?? said(words).former}</bdi>
      </span>
    )
  }
  if (platform_event_id === null) return null
  return may(club.role, "administer")
    ? <a href={clubPage(club, "sales", "events", platform_event_id)}>{said(words).sale}</a>
    : <span>{said(words).sale}</span>
}

/** The access history of a student as a line of time, newest first. */
export const History = ({ club, student }: StudentProps) => {
  const names = useMemberNames(club)
  const deliveries = new Map(student.enrollments.map(({ delivery_name, id }) => [id, delivery_name]))
  if (student.access_events.length === 0) return null
  return (
    <section class="stack" aria-labelledby="history">
      <h2 id="history">{said(words).title}</h2>
      <ol class="timeline">
        {student.access_events.map((event) => (
          <li key={event.id} class={event.kind}>
            <p>
              <strong>{said(kindWords)[event.kind]}</strong> <bdi>{deliveries.get(event.enrollment_id)}</bdi>
              {event.effective_expires_at !== null && tells(event.kind) && (
                <span class="soft">, {said(words).until(clubTime(event.effective_expires_at))}</span>
              )}
            </p>
            {event.reason !== null && <p class="quote" dir="auto">{event.reason}</p>}
            <p class="soft small">
              <time dateTime={event.occurred_at}>{dateTime(event.occurred_at)}</time>{" "}
              <Cause club={club} event={event} names={names} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

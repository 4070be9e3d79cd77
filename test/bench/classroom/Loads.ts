import type { Load } from "../drive.ts"
import type { Request } from "../requests.ts"
import { deliveryOf, lessonsOfDelivery, publicIdOf, scale } from "./Scale.ts"
import type { Actor, Seeded } from "./Seed.ts"

/** The periods of a ranking. */
export const periods = ["all", "7d", "30d"] as const
export type Period = (typeof periods)[number]

type Club = Pick<Seeded, "organization_id">

interface Asking {
  readonly access_token: string
}

const requestIn = (
  { organization_id }: Club,
  { access_token }: Asking,
  method: "GET" | "PUT",
  path: string
): Request => ({
  method,
  path: `/v1/clubs/${organization_id}${path}`,
  headers: { authorization: `Bearer ${access_token}` }
})

/** The address of a lesson, by its place among the student's lessons. */
export const lessonOf = ({ number }: Actor, place: number): string =>
  publicIdOf(deliveryOf(number) * lessonsOfDelivery + place)

/** The ask state of the lesson. */
export const ask = (club: Club, asking: Asking, lesson: string): Request =>
  requestIn(club, asking, "GET", `/classroom/lessons/${lesson}/ask`)

/** The repositories of the student. */
export const repositories = (club: Club, asking: Asking): Request =>
  requestIn(club, asking, "GET", "/classroom/repositories")

/** Completes the lesson. */
export const completion = (club: Club, asking: Asking, lesson: string): Request =>
  requestIn(club, asking, "PUT", `/classroom/lessons/${lesson}/completion`)

/** The ranking for a student; `query` follows the period in the address. */
export const ranking = (club: Club, asking: Asking, period: Period, query = ""): Request =>
  requestIn(club, asking, "GET", `/classroom/ranking?period=${period}${query}`)

/** The ranking for the staff. */
export const staffRanking = (club: Club, asking: Asking, period: Period, query = ""): Request =>
  requestIn(club, asking, "GET", `/gamification/ranking?period=${period}${query}`)

/** The students of each connection. */
const byConnection = ({ students }: Seeded): ReadonlyArray<ReadonlyArray<Actor>> =>
  Array.from(
    { length: scale.connections },
    (_, connection) =>
      students.slice(connection * scale.studentsOfConnection, (connection + 1) * scale.studentsOfConnection)
  )

/** On every connection each of its students reads in turn. */
const reading = (name: string, seeded: Seeded, request: (actor: Actor) => Request): Load => {
  const requests = byConnection(seeded).map((own) => own.map(request))
  return { name, requests: () => requests }
}

/** Each student completes their lessons one by one: one completion in fifty finishes a course. */
const firstCompletions = (seeded: Seeded): Load => {
  const left = byConnection(seeded).map((own) =>
    own.flatMap((actor) =>
      Array.from(
        { length: lessonsOfDelivery - actor.completed },
        (_, place) => completion(seeded, actor, lessonOf(actor, actor.completed + place))
      )
    )
  )
  return {
    name: "PUT …/classroom/lessons/{publicId}/completion, the first time",
    once: true,
    requests: (each) => left.map((own) => own.splice(0, each))
  }
}

/** The ranking of each period for students, and the ranking of all time for the staff. */
export const rankingLoads = (seeded: Seeded): ReadonlyArray<Load> => [
  ...periods.map((period) =>
    reading(`GET …/classroom/ranking?period=${period}`, seeded, (actor) => ranking(seeded, actor, period))
  ),
  reading("GET …/gamification/ranking?period=all (staff)", seeded, () => staffRanking(seeded, seeded.staff, "all"))
]

/** The loads to measure besides the rankings. */
export const classroomLoads = (seeded: Seeded): ReadonlyArray<Load> => [
  reading("GET …/classroom/lessons/{publicId}/ask", seeded, (actor) => ask(seeded, actor, lessonOf(actor, 0))),
  reading("GET …/classroom/repositories", seeded, (actor) => repositories(seeded, actor)),
  firstCompletions(seeded),
  reading(
    "PUT …/classroom/lessons/{publicId}/completion, repeated",
    seeded,
    (actor) => completion(seeded, actor, lessonOf(actor, 0))
  )
]

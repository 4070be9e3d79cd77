import { Effect } from "effect"
import { again } from "../chaos/Pace.ts"
import type { School } from "../chaos/School.ts"
import type { Shop } from "../chaos/Shop.ts"
import { document } from "../harness/Document.ts"
import { isEndless } from "../harness/Endless.ts"
import { ask } from "../harness/Turma.ts"
import type { Dice } from "../simulation/Dice.ts"

/** Every page of a club whose path has no parameter except the club's id. */
const paths = Object.entries(document.paths)
  .filter(([path, { get }]) => get !== undefined && !isEndless(path) && /^\/v1\/clubs\/\{clubId\}[^{]*$/.test(path))
  .map(([path]) => path.replace("/v1/clubs/{clubId}", ""))

const ofClassroom = paths.filter((path) => path.startsWith("/classroom"))
const ofDashboard = paths.filter((path) => !path.startsWith("/classroom"))

interface Options {
  readonly api: string
  readonly clubs: readonly [Shop, School]
  readonly dice: Dice
}

/** Reads all lists of the dashboard and of the classroom, for as long as it runs. */
export const visits = ({ api, clubs, dice }: Options) => {
  const statuses = new Map<number, number>()
  const failed: Array<string> = []
  const read = (base: string, path: string, token: string) =>
    ask(`${api}${base}${path}`, { headers: { authorization: `Bearer ${token}` } }).pipe(
      Effect.timeout("10 seconds"),
      Effect.map(({ status, text }) => {
        if (status === 500) failed.push(`${path}: ${text}`)
        return status
      }),
      // No answer: the API runs, but PostgreSQL may be away.
      Effect.catchCause(() => Effect.succeed(0)),
      Effect.map((status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1))
    )
  const [, school] = clubs
  const administer = Effect.suspend(() => {
    const club = dice.pick(clubs)
    const path = dice.pick(ofDashboard)
    return club === undefined || path === undefined ? Effect.void : read(club.base, path, club.token)
  })
  const attend = Effect.suspend(() => {
    const student = dice.pick(school.students)
    const path = dice.pick(ofClassroom)
    return student === undefined || path === undefined ? Effect.void : read(school.base, path, student.token)
  })
  return {
    /** Number of answers by status; 0 stands for no answer. */
    statuses,
    /** Requests that were answered with 500. */
    failed,
    run: Effect.all([again(administer, dice, 50), again(attend, dice, 30)], { concurrency: "unbounded", discard: true })
  }
}

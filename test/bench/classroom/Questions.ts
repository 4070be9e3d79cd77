import type { Question } from "../sameAnswers.ts"
import { ask, completion, lessonOf, type Period, periods, ranking, repositories, staffRanking } from "./Loads.ts"
import { lessons, publicIdOf } from "./Scale.ts"
import type { Seeded } from "./Seed.ts"

/** Measured and refused requests, which both must answer alike. `cursors` point far down each period's ranking. */
export const questionsOf = (
  seeded: Seeded,
  cursors: ReadonlyArray<readonly [Period, string]>
): ReadonlyArray<Question> => {
  const [, , actor, other] = seeded.spare
  const unknown = { access_token: "A".repeat(43) }
  const foreign = { organization_id: seeded.other_organization_id }
  // A lesson of a course that the student does not have, a draft, and an unknown address.
  const notTheirs = [lessonOf({ ...actor, number: actor.number + 2 }, 0), publicIdOf(lessons), "none"]
  const lesson = lessonOf(actor, 0)
  return [
    ...[actor, other].flatMap((student) => [
      { request: ask(seeded, student, lesson), status: 200 },
      { request: ask(seeded, student, lessonOf(student, 1)), status: 200 },
      { request: repositories(seeded, student), status: 200 },
      { request: completion(seeded, student, lesson), status: 200 },
      ...periods.map((period) => ({ request: ranking(seeded, student, period), status: 200 }))
    ]),
    ...periods.map((period) => ({ request: staffRanking(seeded, seeded.staff, period), status: 200 })),
    ...cursors.flatMap(([period, cursor]) => [
      { request: ranking(seeded, actor, period, `&limit=100&cursor=${cursor}`), status: 200 },
      { request: staffRanking(seeded, seeded.staff, period, `&cursor=${cursor}`), status: 200 }
    ]),
    ...notTheirs.flatMap((lesson) => [
      { request: ask(seeded, actor, lesson), status: 404 },
      { request: completion(seeded, actor, lesson), status: 404 }
    ]),
    { request: ranking(seeded, actor, "all", "&cursor=none"), status: 400 },
    { request: ranking(seeded, actor, "all", "&limit=101"), status: 422 },
    { request: ask(seeded, unknown, lesson), status: 401 },
    { request: ask(seeded, seeded.staff, lesson), status: 401 },
    { request: staffRanking(seeded, actor, "all"), status: 401 },
    { request: ranking(foreign, actor, "all"), status: 403 },
    { request: staffRanking(foreign, seeded.staff, "all"), status: 403 },
    { request: completion(foreign, actor, lesson), status: 403 }
  ]
}

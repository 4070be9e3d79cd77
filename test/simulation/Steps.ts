import { Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../src/events/Events.ts"
import { EventId } from "../../src/events/EventType.ts"
import type { StudentId } from "../../src/identity/ids/StudentId.ts"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { DeliveryHistory } from "../../src/webhooks/history/delivery/DeliveryHistory.ts"
import { inboxEraser } from "../../src/webhooks/workbench/inbox/InboxEraser.ts"
import { enroll, type SimulatedClub, tell } from "./Facts.ts"
import { filteredName } from "./Filters.ts"
import { moods } from "./Network.ts"
import type { Scene } from "./Scene.ts"
import { bodyAge, messageAge } from "./Transitions.ts"
import { Broken } from "./World.ts"

// Steps that change students, and the reading of their events.

const recorded = ({ world }: Scene, ids: ReadonlyArray<EventId>): void => {
  for (const id of ids) {
    if (!world.checks.recorded.has(id)) throw new Broken(`Event ${id} was recorded and is nowhere`)
  }
}

const birth = Effect.fnUntraced(function*(scene: Scene, club: SimulatedClub) {
  scene.world.note("a student is born")
  const born = yield* scene.world.inApi(enroll(club))
  if (born === undefined || Exit.isFailure(born)) return
  club.students.push(born.value.student)
  recorded(scene, [born.value.event])
})

export const facts = Effect.fnUntraced(function*(scene: Scene) {
  const { dice } = scene.world.ground
  const club = scene.club()
  if (club.students.length === 0 || dice.chance(0.4)) return yield* birth(scene, club)
  const told = Array.from({ length: dice.chance(0.1) ? 12 : dice.between(1, 4) }, () => dice.pick(club.students))
    .flatMap((student) =>
      student === undefined
        ? []
        : [{
          student,
          type: dice.pick(["student.updated", "lesson.completed"]) ?? "student.updated",
          name: dice.chance(0.4) ? dice.pick(["Bia Lima", filteredName]) : undefined
        }]
    )
  scene.world.note(`${told.length} facts`)
  const ids = yield* scene.world.inApi(tell(club, told))
  if (ids !== undefined && Exit.isSuccess(ids)) recorded(scene, ids.value)
})

/** Students with a request about them under way. */
const spokenOf = ({ world: { checks, ground } }: Scene, { students }: SimulatedClub): ReadonlyArray<StudentId> => {
  const events = new Set(ground.network.open().map(({ headers }) => headers["webhook-id"]))
  const found =
    new Set([...checks.shadow.deliveries.values()].filter(({ event }) => events.has(event)).map(({ student }) =>
      student
    ))
  return students.filter((student) => found.has(student))
}

export const erase = Effect.fnUntraced(function*(scene: Scene) {
  const { dice } = scene.world.ground
  const club = scene.club()
  const student = dice.pick(dice.chance(0.6) ? spokenOf(scene, club) : club.students)
  if (student === undefined) return
  scene.world.note(`student ${student} is removed`)
  const twice = dice.chance(0.1) ? 2 : 1
  // The order of a real removal: inboxes come last.
  const removal = Effect.gen(function*() {
    const events = yield* Events
    const { erase } = yield* inboxEraser
    const { first } = yield* events.eraseStudent(club.id, student)
    if (first) yield* erase({ club_id: club.id, student_id: student, email: "" })
  })
  const inOne = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(removal))
  yield* scene.world.allInApi(Array.from({ length: twice }, () => inOne))
})

/** An answer to a person has no body that is erased or past its age. */
export const read = Effect.fnUntraced(function*(scene: Scene) {
  const { checks, ground: { dice, time } } = scene.world
  const delivery = dice.pick([...checks.shadow.deliveries.values()])
  const club = scene.clubs.find(({ id }) => id === checks.shadow.endpoints.get(delivery?.endpoint ?? "")?.club)
  if (delivery === undefined || club === undefined) return
  const isGone = (id: string) =>
    checks.shadow.deliveries.get(id)?.state.body_erased === true || delivery.created <= time.now() - bodyAge
  const before = isGone(delivery.id)
  const answer = yield* scene.world
    .inApi(Effect
      .option(Effect.flatMap(DeliveryHistory, (history) => history.event(club.id, EventId.make(delivery.event)))))
  if (answer === undefined || Exit.isFailure(answer) || Option.isNone(answer.value)) return
  const isEmpty = answer.value.value.payload === null
  const mayBeGone = timeOf(delivery.event).epochMilliseconds <= time.now() - messageAge
  if (isEmpty !== before && isEmpty !== isGone(delivery.id) && !(isEmpty && mayBeGone)) {
    throw new Broken(`Event ${delivery.event} is ${isEmpty ? "not" : "still"} readable`)
  }
})

/** Gives a receiver another behavior. */
export const changeMood = ({ world }: Scene): void => {
  const { dice, network } = world.ground
  const path = dice.pick([...network.moods.keys()])
  if (path === undefined) return
  const mood = dice.pick(moods) ?? "up"
  world.note(`${path} is ${mood}`)
  network.moods.set(path, mood)
}

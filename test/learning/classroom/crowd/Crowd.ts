import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Answers } from "../../../../src/assistant/ask/answers/Answers.ts"
import { MaterialIndex } from "../../../../src/assistant/material/MaterialIndex.ts"
import { PointBoards } from "../../../../src/learning/gamification/PointBoards.ts"
import { MediaCleanup } from "../../../../src/learning/media/MediaCleanup.ts"
import { FreeDeliveries } from "../../../../src/membership/access/FreeDeliveries.ts"
import { ImportQueue } from "../../../../src/membership/students/import/ImportQueue.ts"
import { asStaff } from "./StaffActions.ts"
import { asStudent } from "./StudentActions.ts"
import type { Crowd } from "./World.ts"

const each = <A, E, R>(tick: Effect.Effect<A, E, R>) => Effect.as(tick, { status: 200 })

/** The work of workers. Any number of them may run at once. */
const work = {
  answers: Effect.gen(function*() {
    const answers = yield* Answers
    yield* Effect.forEach(yield* answers.claim(4), answers.generate, { concurrency: "unbounded", discard: true })
  }),
  boards: Effect.flatMap(PointBoards, ({ tick }) => tick),
  // Takes a few lessons. It stops once a look finds no lesson.
  material: Effect.flatMap(
    MaterialIndex,
    ({ tick }) => Effect.repeat(tick, { while: (took) => took > 0, times: 7 })
  ),
  imports: Effect.flatMap(ImportQueue, ({ tick }) => tick),
  free: Effect.flatMap(FreeDeliveries, ({ tick }) => tick),
  media: Effect.flatMap(
    MediaCleanup,
    ({ deleteFiles, expire, sweepUnused }) => Effect.andThen(expire, Effect.andThen(sweepUnused, deleteFiles))
  )
}

/** A random action of a student, of the staff or of a worker. */
export const happen = (world: Crowd) =>
  world.dice.weighted([
    [8, { name: "complete", deed: asStudent.complete(world) }],
    [2, { name: "undo", deed: asStudent.undo(world) }],
    [4, { name: "attempt", deed: asStudent.attempt(world) }],
    [4, { name: "submit", deed: asStudent.submit(world) }],
    [8, { name: "comment", deed: asStudent.comment(world) }],
    [4, { name: "comment on a post", deed: asStudent.commentPost(world) }],
    [3, { name: "post", deed: asStudent.post(world) }],
    [8, { name: "mark", deed: asStudent.mark(world) }],
    [6, { name: "ask", deed: asStudent.ask(world) }],
    [3, { name: "cancel", deed: asStudent.cancel(world) }],
    [3, { name: "join", deed: asStudent.join(world) }],
    [2, { name: "begin an upload", deed: asStudent.begin(world) }],
    [4, { name: "look", deed: asStudent.look(world) }],
    [4, { name: "review", deed: asStaff.review(world) }],
    [8, { name: "moderate", deed: asStaff.moderate(world) }],
    [8, { name: "have a comment answered", deed: asStaff.answer(world) }],
    [4, { name: "have a comment answered again", deed: asStaff.answerAgain(world) }],
    [2, { name: "moderate a post", deed: asStaff.moderatePost(world) }],
    [3, { name: "adjust", deed: asStaff.adjust(world) }],
    [2, { name: "remove", deed: asStaff.remove(world) }],
    [2, { name: "move", deed: asStaff.move(world) }],
    [1, { name: "live", deed: asStaff.live(world) }],
    [1, { name: "budget", deed: asStaff.budget(world) }],
    [2, { name: "grant", deed: asStaff.grant(world) }],
    [2, { name: "import", deed: asStaff.import(world) }],
    [3, { name: "course", deed: asStaff.course(world) }],
    [3, { name: "imports", deed: each(work.imports) }],
    [1, { name: "free", deed: asStaff.free(world) }],
    [5, { name: "lesson", deed: asStaff.lesson(world) }],
    [5, { name: "block", deed: asStaff.block(world) }],
    [3, { name: "media", deed: asStaff.media(world) }],
    [4, { name: "answers", deed: each(work.answers) }],
    [3, { name: "boards", deed: each(work.boards) }],
    [3, { name: "material", deed: each(work.material) }],
    [1, { name: "free deliveries", deed: each(work.free) }],
    [2, { name: "media cleanup", deed: each(work.media) }]
  ])

/** Makes all waiting work due and finishes it. */
export const settle = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update messages set leased_until = null where status = 'generating'`
  yield* sql`update material_queue set due_at = ${new Date(0)}`
  for (let round = 0; round < 200; round++) {
    const left = [yield* work.material, yield* work.boards, yield* work.free, yield* work.imports]
    if (left.every((count) => count === 0)) break
  }
  for (let round = 0; round < 20; round++) yield* work.answers
  yield* work.media
})

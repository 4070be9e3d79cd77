import { Effect } from "effect"
import { Events } from "../../src/events/Events.ts"
import { foundClub } from "./Clubs.ts"
import { type Stand, startReadyWorker } from "./Stand.ts"
import type { Post, Target } from "./Target.ts"

/** Ends with the first POST to a path, after so many earlier ones. */
const nextPost = (target: Target, path: string, after = 0) => {
  const find = (): Post | undefined => target.posts.filter((post) => post.path === path)[after]
  return Effect.sync(find).pipe(
    Effect.delay("10 millis"),
    Effect.repeat({ until: (post) => post !== undefined }),
    Effect.flatMap((post) => post === undefined ? Effect.die(new Error("No POST")) : Effect.succeed(post))
  )
}

/**
 * Milliseconds from the kill of a worker with a slow attempt to the lane's next attempt, by another worker. `api` is the
 * address of the API.
 */
export const recovery = Effect.fn("recovery")(function*(stand: Stand, api: string) {
  const { target } = stand
  const events = yield* Events
  const club = yield* foundClub({ stand, api }, "recovery")
  const path = "/recovery/1"
  let slow = true
  yield* target.accept(() => slow ? 60_000 : 0)
  const holder = yield* startReadyWorker(stand, { WEBHOOK_ATTEMPT_TIMEOUT: "1 minute" })
  yield* events.record(club.id, { type: "student.created", student_id: club.student_id, origin: "registration_link" })
  yield* nextPost(target, path)
  // The second worker runs before the kill, but cannot lease the lane.
  yield* startReadyWorker(stand)
  slow = false
  const killedAt = Date.now()
  yield* holder.kill("SIGKILL")
  const { receivedAt } = yield* nextPost(target, path, 1)
  return receivedAt - killedAt
}, Effect.scoped)

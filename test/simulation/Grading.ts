import { Effect, Exit } from "effect"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { inboxScheme } from "../../src/webhooks/model/InboxId.ts"
import { Gradings } from "../../src/webhooks/workbench/grader/Gradings.ts"
import { pathOf } from "./Network.ts"
import type { Chosen, Scene } from "./Scene.ts"
import type { Worker } from "./Workers.ts"
import type { World } from "./World.ts"

const begin = Effect.fnUntraced(function*({ world }: Scene, { club, endpoint, id }: Chosen) {
  world.note(`${pathOf(endpoint.url)} is graded`)
  const organization_id = club.organization_id
  const begun = yield* world
    .inApi(Effect.flatMap(Gradings, (gradings) => gradings.begin({ id: club.id, organization_id }, id)))
  const isBegun = begun !== undefined && Exit.isSuccess(begun)
  if (isBegun) world.checks.saw("grading begun")
  return isBegun
})

/** A person has a receiver graded, while workers die. */
export const grade = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some !== undefined && !some.endpoint.url.startsWith(inboxScheme)) yield* begin(scene, some)
})

/** An enabled endpoint whose receiver is not an inbox of our own; undefined without one. */
const someReceiver = (scene: Scene): Chosen | undefined => {
  const receivers = scene.open().filter(({ status, url }) => status === "enabled" && !url.startsWith(inboxScheme))
  const endpoint = scene.world.ground.dice.pick(receivers)
  const club = scene.clubs.find(({ id }) => id === endpoint?.club)
  return endpoint && club && { club, endpoint, id: EndpointId.make(endpoint.id) }
}

const start = (world: World): Effect.Effect<void> =>
  Effect.suspend(() => {
    world.startWorker()
    return world.settle()
  })

const mostStops = 60

/**
 * Lets time pass until a worker has a probe to this path under way; undefined once no grading is open. If no worker is
 * able to work, it starts one: otherwise nothing would happen next.
 */
const nextProber = Effect.fnUntraced(function*({ world }: Scene, path: string) {
  for (let stops = 0; stops < mostStops; stops++) {
    const prober = world.workers.all.find(({ process }) => world.ground.network.isProbing(process, path))
    if (prober !== undefined || world.checks.grades.due().length === 0) return prober
    if (world.workers.able().length === 0) yield* start(world)
    yield* world.goTo(world.next())
  }
  return undefined
})

const replace = ({ world }: Scene, worker: Worker): Effect.Effect<void> =>
  Effect.andThen(world.kill(worker), start(world))

/**
 * A person has a receiver graded, and this many workers die during it, one after the other. After the third death the
 * service gives the grading up. True if all of them died.
 */
export const gradeAmongDeaths = Effect.fnUntraced(function*(scene: Scene, deaths: number) {
  const some = someReceiver(scene)
  if (some === undefined || !(yield* begin(scene, some))) return false
  for (let left = deaths; left > 0; left--) {
    const prober = yield* nextProber(scene, pathOf(some.endpoint.url))
    if (prober === undefined) return false
    yield* replace(scene, prober)
  }
  return true
})

import { DateTime, Effect, Exit } from "effect"
import type { EventType } from "../../src/events/EventType.ts"
import { UserId } from "../../src/identity/ids/UserId.ts"
import { Endpoints } from "../../src/webhooks/endpoint/Endpoints.ts"
import { Recoveries } from "../../src/webhooks/history/recovery/Recoveries.ts"
import { type PatchRecovery, RecoveryId } from "../../src/webhooks/history/recovery/Recovery.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import { isRecoverable } from "./Jobs.ts"
import { pathOf } from "./Network.ts"
import type { Chosen, Scene } from "./Scene.ts"
import type { Endpoint, Recovery } from "./Shadow.ts"
import { bodyAge } from "./Transitions.ts"

// Recoveries as jobs: made, paused, continued, canceled, while processes die.

/** The person that makes the recoveries. Nothing looks this id up. */
const person = UserId.make("01926a60-0000-7000-8000-000000000001")

const rates = [1, 2, 5, 50, null]
const sometypes: ReadonlyArray<EventType> = ["student.created", "lesson.completed"]

const chosen = ({ clubs }: Scene, endpoint: Endpoint | undefined): Chosen | undefined => {
  const club = clubs.find(({ id }) => id === endpoint?.club)
  return endpoint && club && { club, endpoint, id: EndpointId.make(endpoint.id) }
}

/** An endpoint with something to recover, if there is any. */
const someFailed = (scene: Scene): Chosen | undefined => {
  const { checks, ground: { dice } } = scene.world
  const failed =
    new Set([...checks.shadow.deliveries.values()].filter((one) => isRecoverable(one, scene.world.now())).map((one) =>
      one.endpoint
    ))
  return chosen(scene, dice.pick(scene.open().filter(({ id }) => failed.has(id)))) ?? scene.some()
}

const openJobs = ({ world: { checks } }: Scene): ReadonlyArray<Recovery> =>
  [...checks.shadow.recoveries.values()].filter(({ status }) => status !== "completed" && status !== "canceled")

const patchOf = (scene: Scene, { status }: Recovery): typeof PatchRecovery.Type => {
  const { dice } = scene.world.ground
  if (dice.chance(0.2)) return { rate: dice.pick(rates) ?? null }
  if (dice.chance(0.2)) return { status: "canceled" }
  return { status: status === "running" ? "paused" : "running" }
}

const patchJob = Effect.fnUntraced(function*(scene: Scene, job: Recovery, patch: typeof PatchRecovery.Type) {
  const some = chosen(scene, scene.world.checks.shadow.endpoints.get(job.endpoint))
  if (some === undefined) return
  scene.world.note(`${pathOf(some.endpoint.url)}: recovery ${job.id} ${JSON.stringify(patch)}`)
  yield* scene.world
    .inApi(Effect.flatMap(
      Recoveries,
      (recoveries) => recoveries.patch(some.club.id, some.id, RecoveryId.make(job.id), patch)
    ))
})

const set = (scene: Scene, { club, endpoint, id }: Chosen, status: "disabled" | "enabled") => {
  scene.world.note(`${pathOf(endpoint.url)} is set to ${status}, for a recovery`)
  return scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) => endpoints.patch(club.id, id, { status })))
}

/** The endpoint with the most pending deliveries: disabled for a moment, it has something to recover. */
const someWaiting = (scene: Scene): Chosen | undefined => {
  const depth = new Map<string, number>()
  for (const { endpoint, state } of scene.world.checks.shadow.deliveries.values()) {
    if (state.status === "pending") depth.set(endpoint, (depth.get(endpoint) ?? 0) + 1)
  }
  const of = ({ id }: Endpoint) => depth.get(id) ?? 0
  const [deepest] = scene.open().toSorted((one, other) => of(other) - of(one))
  return deepest !== undefined && of(deepest) > 2 ? chosen(scene, deepest) : undefined
}

const createJob = Effect.fnUntraced(function*(scene: Scene, some: Chosen) {
  const { dice } = scene.world.ground
  const now = scene.world.now()
  const since = now - dice.between(bodyAge / 30, bodyAge - 1000)
  const until = dice.chance(0.2) ? DateTime.makeUnsafe(dice.between(since, now)) : null
  const asked = {
    since: DateTime.makeUnsafe(since),
    until,
    event_types: dice.chance(0.2) ? sometypes : null,
    order: dice.pick(["oldest", "newest"] as const) ?? "oldest",
    rate: dice.pick(rates) ?? null,
    start: dice.chance(0.8)
  }
  scene.world.note(`${pathOf(some.endpoint.url)}: recovery ${JSON.stringify(asked)}`)
  const made = yield* scene.world.inApi(Effect.flatMap(Recoveries, (recoveries) =>
    recoveries.create(
      { user: { id: person }, club: { id: some.club.id, time_zone: "UTC" } },
      some.id,
      asked
    )))
  if (made !== undefined && Exit.isSuccess(made)) {
    scene.world.checks.saw("recovery made")
    if (made.value.preview.total > 3) scene.world.checks.saw("recovery made of many")
  }
})

/** A person makes or changes a recovery, and now and then a process dies during it. */
export const recoverAsJob = Effect.fnUntraced(function*(scene: Scene) {
  const { ground: { dice }, workers } = scene.world
  if (dice.chance(0.3)) {
    dice.pick(workers.able())?.process.doom(dice.pick(["dead", "frozen"]) ?? "dead", dice.between(1, 12))
  }
  const job = dice.pick(openJobs(scene))
  if (job !== undefined && dice.chance(0.7)) return yield* patchJob(scene, job, patchOf(scene, job))
  const waiting = dice.chance(0.6) ? someWaiting(scene) : undefined
  if (waiting !== undefined) yield* set(scene, waiting, "disabled")
  const some = waiting ?? someFailed(scene)
  if (some === undefined) return
  if ((some.endpoint.status !== "enabled" && dice.chance(0.8)) || waiting) yield* set(scene, some, "enabled")
  yield* createJob(scene, some)
})

/** Continues all paused recoveries, even if the API dies meanwhile. */
export const continueAll = Effect.fnUntraced(function*(scene: Scene) {
  const living = () => new Set(scene.open().map(({ id }) => id))
  const paused = () => openJobs(scene).find(({ endpoint, status }) => status === "paused" && living().has(endpoint))
  for (let job = paused(); job !== undefined; job = paused()) yield* patchJob(scene, job, { status: "running" })
})

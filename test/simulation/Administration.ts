import { DateTime, Effect, Exit, Option, Redacted } from "effect"
import type { EventType } from "../../src/events/EventType.ts"
import { overlapLimit } from "../../src/webhooks/endpoint/Endpoint.ts"
import { Endpoints } from "../../src/webhooks/endpoint/Endpoints.ts"
import { Deliveries } from "../../src/webhooks/history/delivery/Deliveries.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import type { InboxId } from "../../src/webhooks/model/InboxId.ts"
import { WebhookDeliveryId } from "../../src/webhooks/model/WebhookDeliveryId.ts"
import type { Dice } from "./Dice.ts"
import type { SimulatedClub } from "./Facts.ts"
import { moods, pathOf } from "./Network.ts"
import type { Chosen, Scene } from "./Scene.ts"
import { merged, redacted, someFilter, someHeaders, someLimits, someSettings, someSigning } from "./Settings.ts"
import { bodyAge } from "./Transitions.ts"
import { Broken } from "./World.ts"

// The actions of administrators.

export const types: ReadonlyArray<EventType> = [
  "student.created",
  "student.updated",
  "student.removed",
  "lesson.completed"
]

/** The address of a new endpoint, as the request has it. */
type Target = { readonly url: string } | { readonly inbox_id: InboxId }

/** Creates an endpoint with this address. Undefined if the API refuses it or dies. */
export const createAt = Effect.fnUntraced(function*(
  scene: Scene,
  club: SimulatedClub,
  target: Target,
  event_types: ReadonlyArray<EventType>
) {
  const { checks, ground: { dice } } = scene.world
  const status = dice.chance(0.9) ? "enabled" as const : "paused" as const
  const settings = someSettings(dice)
  const headers = dice.chance(0.3) ? someHeaders(dice) : {}
  scene.world
    .note(`create ${JSON.stringify(target)}, ${status}, ${event_types.join(" ")}, ${JSON.stringify(settings)}`)
  const made = yield* scene.world.inApi(Effect.flatMap(
    Endpoints,
    (endpoints) =>
      endpoints.create(club.id, {
        ...target,
        event_types,
        status,
        description: "",
        ...settings,
        headers: redacted(headers)
      })
  ))
  if (made === undefined || Exit.isFailure(made)) return undefined
  checks.secrets.set(made.value.id, [Redacted.value(made.value.secret)])
  checks.headers.set(made.value.id, [merged({}, headers)])
  return made.value.id
})

export const create = Effect.fnUntraced(function*(scene: Scene) {
  const { dice, network } = scene.world.ground
  const path = scene.newPath()
  network.moods.set(path, dice.pick(moods) ?? "up")
  const event_types = dice.chance(0.7) ? types : dice.some(types, 0.6)
  yield* createAt(scene, scene.club(), { url: `https://1.1.1.1${path}` }, event_types)
})

export const status = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  const status = scene.world.ground.dice.weighted([[3, "enabled"], [2, "paused"], [2, "disabled"]])
  const drains = status === "enabled" && some.endpoint.status === "paused" && scene.world.ground.dice.chance(0.5)
  scene.world.note(`${pathOf(some.endpoint.url)} is set to ${status}${drains ? ", and drained" : ""}`)
  const patch = drains ? { status, drain_rate: 2 } : { status }
  yield* scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) => endpoints.patch(some.club.id, some.id, patch)))
})

/** A random change of an endpoint's settings, except its headers. */
const someChange = (dice: Dice, url: string) =>
  dice.weighted<() => object>([
    [4, () => ({ url: `https://1.1.1.1${pathOf(url)}?v=${dice.between(1, 1000)}` })],
    [3, () => someLimits(dice)],
    [2, () => ({ signing: someSigning(dice) })],
    [2, () => ({ filter: someFilter(dice) })],
    [3, () => ({ event_types: [...new Set([...dice.some(types, 0.6), "student.created"])] })]
  ])()

export const change = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  const { dice } = scene.world.ground
  if (dice.chance(0.2)) return yield* changeHeaders(scene, some)
  const patch = someChange(dice, some.endpoint.url)
  scene.world.note(`${pathOf(some.endpoint.url)} is changed: ${JSON.stringify(patch)}`)
  yield* scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) => endpoints.patch(some.club.id, some.id, patch)))
})

const changeHeaders = Effect.fnUntraced(function*(scene: Scene, { club, endpoint, id }: Chosen) {
  const { checks, ground: { dice } } = scene.world
  const changes = someHeaders(dice)
  const before = checks.headers.get(id)
  const after = before?.map((one) => merged(one, changes))
  // Until the API answers, requests may have the old or the new headers. Without an answer both stay possible.
  if (before !== undefined && after !== undefined) checks.headers.set(id, [...before, ...after])
  scene.world.note(`${pathOf(endpoint.url)} gets the headers ${JSON.stringify(changes)}`)
  const made = yield* scene.world
    .inApi(Effect.flatMap(Endpoints, (endpoints) => endpoints.patch(club.id, id, { headers: redacted(changes) })))
  const known = made === undefined ? undefined : Exit.isSuccess(made) ? after : before
  if (known !== undefined) checks.headers.set(id, known)
})

/** Number of previous secrets of the endpoint that still sign. */
const overlapping = ({ world: { checks, ground } }: Scene, id: string): number =>
  [...checks.shadow.previousSecrets.values()]
    .filter(({ endpoint, expires }) => endpoint === id && expires > ground.time.now()).length

export const rotate = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  const { checks, ground: { dice } } = scene.world
  for (let left = dice.weighted([[3, 1], [1, 7]]); left > 0; left--) {
    const known = checks.secrets.get(some.id)
    const signing = overlapping(scene, some.id)
    checks.secrets.set(some.id, null)
    scene.world.note(`${pathOf(some.endpoint.url)} gets a new secret`)
    const made = yield* scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) =>
      endpoints.rotateSecret(some.club.id, some.id)))
    if (made === undefined) return
    const isRefused = Exit.isFailure(made) &&
      Option.exists(Exit.findErrorOption(made), ({ _tag }) => _tag === "RotationLimitReached")
    if (isRefused) checks.saw("rotation refused")
    if (isRefused ? signing < overlapLimit : overlapping(scene, some.id) > overlapLimit) {
      throw new Broken(`A rotation was ${isRefused ? "" : "not "}refused while ${signing} previous secrets sign`)
    }
    if (known === null || known === undefined) continue
    checks.secrets.set(some.id, Exit.isSuccess(made) ? [Redacted.value(made.value.secret), ...known] : known)
  }
})

export const remove = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  scene.world.note(`${pathOf(some.endpoint.url)} is deleted`)
  yield* scene.world.inApi(Effect.flatMap(Endpoints, (endpoints) => endpoints.remove(some.club.id, some.id)))
})

export const test = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  scene.world.note(`${pathOf(some.endpoint.url)} is tested`)
  yield* scene.world.inApi(Effect.flatMap(Deliveries, (deliveries) => deliveries.sendTest(some.club, some.id)))
})

export const resend = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  const { checks, ground: { dice } } = scene.world
  const chosen = dice.some(checks.of(some.id), 0.3).slice(0, 3)
  scene.world.note(`${pathOf(some.endpoint.url)}: resend ${chosen.map(({ id }) => id).join(" ")}`)
  for (const { id } of chosen) checks.resent.add(id)
  yield* scene.world
    .allInApi(chosen.map(({ id }) =>
      Effect.flatMap(Deliveries, (deliveries) => deliveries.resend(some.club.id, some.id, WebhookDeliveryId.make(id)))
    ))
  checks.resent.clear()
})

export const recover = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined) return
  const { checks, ground: { dice, time } } = scene.world
  const since = time.now() - dice.between(0, bodyAge) * (dice.chance(0.5) ? 1 : 0.9)
  scene.world.note(`${pathOf(some.endpoint.url)}: recover since ${new Date(since).toISOString()}`)
  checks.recovered.set(some.id, since)
  yield* scene.world.allInApi(Array.from(
    { length: dice.between(1, 2) },
    () =>
      Effect.flatMap(
        Deliveries,
        (deliveries) => deliveries.recover({ id: some.club.id, time_zone: "UTC" }, some.id, DateTime.makeUnsafe(since))
      )
  ))
  checks.recovered.clear()
})

const closed = (scene: Scene) => scene.open().find(({ status }) => status !== "enabled")

/** Enables all paused and disabled endpoints, even if the API dies meanwhile. */
export const enableAll = Effect.fnUntraced(function*(scene: Scene) {
  for (let endpoint = closed(scene); endpoint !== undefined; endpoint = closed(scene)) {
    const { club, id } = endpoint
    const found = scene.clubs.find((one) => one.id === club) ?? scene.club()
    yield* scene.world.inApi(Effect.flatMap(
      Endpoints,
      (endpoints) => endpoints.patch(found.id, EndpointId.make(id), { status: "enabled" })
    ))
  }
})

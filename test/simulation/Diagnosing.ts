import { DateTime, Effect, Exit, Option } from "effect"
import { Diagnoses } from "../../src/webhooks/endpoint/Diagnoses.ts"
import type { WebhookDiagnosis } from "../../src/webhooks/endpoint/Diagnosis.ts"
import { EndpointId } from "../../src/webhooks/model/EndpointId.ts"
import type { Condition } from "./Conditions.ts"
import type { SimulatedClub } from "./Facts.ts"
import { pathOf } from "./Network.ts"
import type { Scene } from "./Scene.ts"
import { disableAfter } from "./Tellings.ts"
import { Broken } from "./World.ts"

// Requests for the diagnoses of endpoints.

/** The parts of a diagnosis that the shadow knows for sure. */
const shownOf = (shown: WebhookDiagnosis) => ({
  status: shown.status,
  reason: shown.disabled_reason,
  isHeld: shown.held,
  holdUntil: shown.hold_until && DateTime.toEpochMillis(shown.hold_until),
  failures: shown.consecutive_failures,
  failingSince: shown.failing_since && DateTime.toEpochMillis(shown.failing_since),
  disableAt: shown.projected_disable_at && DateTime.toEpochMillis(shown.projected_disable_at)
})

const knownOf = ({ endpoint: { reason, status }, lane: { failingSince, failures, holdUntil, holds } }: Condition) => ({
  status,
  reason,
  isHeld: holds > 0,
  holdUntil,
  failures,
  failingSince,
  disableAt: status === "enabled" && failingSince !== null ? failingSince + disableAfter : null
})

const isGone = ({ endpoint }: Condition) => endpoint.deletedAt !== null

/** `conditions` has every state of the endpoint from the question to the answer. */
const judgeShown = (id: string, shown: WebhookDiagnosis, conditions: ReadonlyArray<Condition>): void => {
  const said = JSON.stringify(shownOf(shown))
  const known = conditions.filter((one) => !isGone(one)).map((one) => JSON.stringify(knownOf(one)))
  if (!known.includes(said)) throw new Broken(`Endpoint ${id} is diagnosed as ${said}, and was ${known.join(" or ")}`)
  if (shown.summary.trim() === "") throw new Broken(`The diagnosis of endpoint ${id} says nothing`)
  if (shown.status !== "enabled" && shown.next_attempt_at !== null) {
    throw new Broken(`Endpoint ${id} is ${shown.status}, and has a next attempt`)
  }
}

/** A deleted endpoint, or one of another club, has no diagnosis. */
const diagnoseOne = Effect.fnUntraced(function*({ clubs, world }: Scene) {
  const { checks, ground: { dice } } = world
  const endpoint = dice.pick([...checks.shadow.endpoints.values()])
  const owner = clubs.find(({ id }) => id === endpoint?.club)
  const club = dice.chance(0.1) ? dice.pick(clubs) : owner
  if (endpoint === undefined || club === undefined) return
  world.note(`${pathOf(endpoint.url)} is diagnosed${club === owner ? "" : " by another club"}`)
  const watched = checks.conditions.watch(checks.shadow)
  const answer = yield* world
    .inApi(Effect.option(Effect.flatMap(Diagnoses, (diagnoses) => diagnoses.of(club.id, EndpointId.make(endpoint.id)))))
  if (answer === undefined) return
  if (Exit.isFailure(answer)) throw new Broken(`Nothing is diagnosed: ${String(answer.cause)}`)
  const conditions = club === owner ? watched().get(endpoint.id) ?? [] : []
  if (Option.isSome(answer.value)) judgeShown(endpoint.id, answer.value.value, conditions)
  else if (!conditions.some(isGone) && club === owner) throw new Broken(`Endpoint ${endpoint.id} is not found`)
  checks.saw(Option.isSome(answer.value) ? "diagnosed" : "diagnosed, not found")
})

const diagnoseAll = Effect.fnUntraced(function*({ world }: Scene, club: SimulatedClub) {
  const { checks } = world
  world.note("all endpoints of a club are diagnosed")
  const before = new Set(checks.shadow.endpoints.keys())
  const watched = checks.conditions.watch(checks.shadow)
  const answer = yield* world.inApi(Effect.flatMap(Diagnoses, (diagnoses) => diagnoses.all(club.id)))
  if (answer === undefined) return
  if (Exit.isFailure(answer)) throw new Broken(`Nothing is diagnosed: ${String(answer.cause)}`)
  const conditions = watched()
  const shown = answer.value.map(({ endpoint_id }) => `${endpoint_id}`)
  if (shown.join() !== [...new Set(shown)].toSorted().join()) {
    throw new Broken(`Diagnoses are of [${shown.join()}], not each once and oldest first`)
  }
  const own = [...conditions].filter(([, all]) => all.some(({ endpoint }) => endpoint.club === club.id))
  // An endpoint created during the request may be missing.
  const missing = own.filter(([id, all]) => before.has(id) && !shown.includes(id) && !all.some(isGone))
  if (missing.length > 0) throw new Broken(`There is no diagnosis of ${missing.map(([id]) => id).join()}`)
  for (const { diagnosis, endpoint_id } of answer.value) {
    judgeShown(endpoint_id, diagnosis, own.find(([id]) => id === endpoint_id)?.[1] ?? [])
  }
  checks.saw("all diagnosed")
})

/** A person asks for the diagnosis of one endpoint, or of all endpoints of a club. */
export const diagnose = (scene: Scene): Effect.Effect<void> =>
  Effect.suspend(() => scene.world.ground.dice.chance(0.6) ? diagnoseOne(scene) : diagnoseAll(scene, scene.club()))

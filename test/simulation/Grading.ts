import { Effect, Exit } from "effect"
import { Gradings } from "../../src/webhooks/grader/Gradings.ts"
import { pathOf } from "./Network.ts"
import type { Scene } from "./Scene.ts"
import { playPrefix } from "./Worker.ts"

/** Somebody has a receiver graded, while workers die. */
export const grade = Effect.fnUntraced(function*(scene: Scene) {
  const some = scene.some()
  if (some === undefined || some.endpoint.url.startsWith(playPrefix)) return
  const { club, endpoint, id } = some
  scene.world.note(`${pathOf(endpoint.url)} is graded`)
  const organization_id = club.organization_id
  const begun = yield* scene.world.inApi(
    Effect.flatMap(Gradings, (gradings) => gradings.begin({ id: club.id, organization_id }, id))
  )
  if (begun !== undefined && Exit.isSuccess(begun)) scene.world.checks.saw("grading begun")
})

import { Effect } from "effect"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater } from "../access/Enrollment.ts"

/** Why somebody who is new cannot be granted something. */
export const grantRefusals = [AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater] as const
export type GrantRefused = InstanceType<typeof grantRefusals[number]>

/** The refusal of what is at this path, which its message then names. That the student is not there is a defect. */
export const refusalOf =
  (path: string) => (refused: GrantRefused | NotFound | StudentRemoved): Effect.Effect<never, GrantRefused> => {
    const said = { error: { message: `${path}.${refused.message}` } }
    switch (refused._tag) {
      case "AlreadyEnrolled":
        return Effect.fail(new AlreadyEnrolled(said))
      case "CohortOfOtherDelivery":
        return Effect.fail(new CohortOfOtherDelivery(said))
      case "DeliveryUnknown":
        return Effect.fail(new DeliveryUnknown(said))
      case "ExpiresAtNotLater":
        return Effect.fail(new ExpiresAtNotLater(said))
      default:
        return Effect.die(refused)
    }
  }

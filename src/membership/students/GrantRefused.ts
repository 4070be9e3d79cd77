import { Effect } from "effect"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater } from "../access/Enrollment.ts"

/** Why a grant to a new student is refused. */
export const grantRefusals = [AlreadyEnrolled, CohortOfOtherDelivery, DeliveryUnknown, ExpiresAtNotLater] as const
/** One of `grantRefusals`. */
export type GrantRefused = InstanceType<typeof grantRefusals[number]>

/** The refusal of the grant at this path of the body, which the message names. A missing student is a defect. */
export const refusedAt =
  (path: string) => (error: GrantRefused | NotFound | StudentRemoved): Effect.Effect<never, GrantRefused> => {
    const { portuguese } = error.error
    const message = {
      error: { message: `${path}.${error.message}`, ...(portuguese === undefined ? {} : { portuguese }) }
    }
    switch (error._tag) {
      case "AlreadyEnrolled":
        return Effect.fail(new AlreadyEnrolled(message))
      case "CohortOfOtherDelivery":
        return Effect.fail(new CohortOfOtherDelivery(message))
      case "DeliveryUnknown":
        return Effect.fail(new DeliveryUnknown(message))
      case "ExpiresAtNotLater":
        return Effect.fail(new ExpiresAtNotLater(message))
      default:
        return Effect.die(error)
    }
  }

import { Schema } from "effect"
import { StudentId } from "../identity/ids/StudentId.ts"
import { Uuid } from "../platform/schema/brandedId.ts"
import { EventTimestamp, PreviousCohort, StudentChange, StudentOrigin } from "./EventData.ts"
import type { EventType } from "./EventType.ts"

const fact = <const Type extends EventType, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), student_id: StudentId, ...fields })

const access = { enrollment_id: Uuid }
const period = { ...access, previous_expires_at: Schema.NullOr(EventTimestamp) }

/**
 * The recorded fields of each type: ids, and values that cannot be read later. The assembly of the body reads
 * everything else. `webhook.test` has no fact.
 */
export const facts = {
  "student.created": fact("student.created", { origin: StudentOrigin }),
  "student.updated": fact("student.updated", { changed: Schema.Array(StudentChange) }),
  "student.removed": fact("student.removed", {}),
  "access.granted": fact("access.granted", access),
  "access.revoked": fact("access.revoked", access),
  "access.extended": fact("access.extended", period),
  "access.shortened": fact("access.shortened", period),
  "access.restored": fact("access.restored", access),
  "access.moved": fact("access.moved", { ...access, previous_cohort: Schema.NullOr(PreviousCohort) }),
  "purchase.paid": fact("purchase.paid", { purchase_id: Uuid }),
  "purchase.refunded": fact("purchase.refunded", { purchase_id: Uuid }),
  "subscription.past_due": fact("subscription.past_due", { subscription_id: Uuid }),
  "subscription.canceled": fact("subscription.canceled", { subscription_id: Uuid }),
  "lesson.completed": fact("lesson.completed", { lesson_id: Uuid, completed_at: EventTimestamp }),
  "course.completed": fact("course.completed", { course_id: Uuid, completed_at: EventTimestamp })
} as const satisfies Record<Exclude<EventType, "webhook.test">, Schema.Constraint>

/** The types of events that have a fact. */
export type FactType = keyof typeof facts

/** A fact of this type. */
export type FactOf<Type extends FactType> = (typeof facts)[Type]["Type"]

/** The facts that any feature may record. Only `Events.eraseStudent` records the removal of a student. */
export type Fact = { readonly [Type in FactType]: FactOf<Type> }[Exclude<FactType, "student.removed">]

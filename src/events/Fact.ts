import { Schema } from "effect"
import { StudentId } from "../identity/ids/StudentId.ts"
import { Cohort, StudentChange, StudentOrigin, Timestamp } from "./Data.ts"
import type { EventType } from "./EventType.ts"

const Uuid = Schema.String.check(Schema.isUUID())

const fact = <const Type extends EventType, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), student_id: StudentId, ...fields })

const access = { enrollment_id: Uuid }
const period = { ...access, previous_expires_at: Schema.NullOr(Timestamp) }

/**
 * What is recorded of each type: ids, and what only that moment knew. Everything else is read when the body is
 * assembled. `webhook.test` tells of no fact.
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
  "access.moved": fact("access.moved", { ...access, previous_cohort: Schema.NullOr(Cohort) }),
  "purchase.paid": fact("purchase.paid", { purchase_id: Uuid }),
  "purchase.refunded": fact("purchase.refunded", { purchase_id: Uuid }),
  "subscription.past_due": fact("subscription.past_due", { subscription_id: Uuid }),
  "subscription.canceled": fact("subscription.canceled", { subscription_id: Uuid }),
  "lesson.completed": fact("lesson.completed", { lesson_id: Uuid, completed_at: Timestamp }),
  "course.completed": fact("course.completed", { course_id: Uuid, completed_at: Timestamp })
} as const satisfies Record<Exclude<EventType, "webhook.test">, Schema.Constraint>

/** The types that tell of a fact. */
export type FactType = keyof typeof facts

/** A fact of this type. */
export type FactOf<Type extends FactType> = (typeof facts)[Type]["Type"]

/** What any part of the service may record. The removal of a student is recorded by `Events.eraseStudent` alone. */
export type Fact = { readonly [Type in FactType]: FactOf<Type> }[Exclude<FactType, "student.removed">]

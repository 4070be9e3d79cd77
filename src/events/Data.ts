import { Schema } from "effect"
import { StudentId } from "../identity/ids/StudentId.ts"
import type { EventType } from "./EventType.ts"

// Contract, Events. What is nullable is null where there is none; no field is ever left out.

const Uuid = Schema.String.check(Schema.isUUID())

/** A point in time in a body: ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromString)
)

const Moment = Schema.NullOr(Timestamp)
const Text = Schema.NullOr(Schema.String)

/** Without the tax document, which no event ever holds. */
export const Student = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Timestamp
})

/** A course as events name it. */
export const Course = Schema.Struct({ id: Uuid, title: Schema.String })

/** A module of a course. */
export const Module = Schema.Struct({ id: Uuid, title: Schema.String })

/** A lesson; `public_id` is what the classroom's address shows. */
export const Lesson = Schema.Struct({ id: Uuid, public_id: Schema.String, title: Schema.String })

/** Access of one student to one delivery. */
export const Enrollment = Schema.Struct({
  id: Uuid,
  delivery_id: Uuid,
  delivery_name: Schema.String,
  cohort_id: Schema.NullOr(Uuid),
  cohort_name: Text,
  source: Schema.Literals(["purchase", "subscription", "grant", "invitation", "import", "registration_link", "free"]),
  status: Schema.Literals(["active", "scheduled", "expired", "revoked"]),
  starts_at: Timestamp,
  expires_at: Moment,
  created_at: Timestamp,
  revoked_at: Moment,
  revoke_reason: Schema.NullOr(
    Schema.Literals(["refund", "chargeback", "subscription_canceled", "manual", "student_removed"])
  )
})

const Product = Schema.Struct({ external_id: Schema.String, name: Text })

/** One charge on a sales platform; charges of one subscription share `subscription_id`. */
export const Purchase = Schema.Struct({
  id: Uuid,
  platform: Schema.String,
  external_id: Schema.String,
  status: Schema.Literals(["paid", "refunded", "chargeback"]),
  product: Product,
  offer_external_id: Text,
  amount_cents: Schema.NullOr(Schema.Int),
  currency: Text,
  payment_method: Text,
  recurrence: Schema.NullOr(Schema.Int),
  subscription_id: Schema.NullOr(Uuid),
  paid_at: Moment,
  refunded_at: Moment
})

/** A recurring sale on a sales platform. */
export const Subscription = Schema.Struct({
  id: Uuid,
  platform: Schema.String,
  external_id: Schema.String,
  status: Schema.Literals(["active", "past_due", "canceled"]),
  plan_name: Text,
  product: Product,
  current_period_end: Moment,
  past_due_since: Moment,
  canceled_at: Moment
})

/** How a student came into the club. */
export const StudentOrigin = Schema.Literals(["sign_up", "purchase", "invitation", "import", "registration_link"])

/** What of a student an administrator corrected. */
export const StudentChange = Schema.Literals(["name", "email"])

/** A cohort as it was called before a move. */
export const Cohort = Schema.Struct({ id: Uuid, name: Schema.String })

const Access = Schema.Struct({ student: Student, enrollment: Enrollment })
const AccessPeriod = Schema.Struct({ ...Access.fields, previous_expires_at: Moment })
const Sale = Schema.Struct({ student: Student, purchase: Purchase, enrollments: Schema.Array(Enrollment) })
const SubscriptionChange = Schema.Struct({ student: Student, subscription: Subscription })

/** `data` of every type, keyed by resource. */
export const eventData = {
  "student.created": Schema.Struct({ student: Student, origin: StudentOrigin }),
  "student.updated": Schema.Struct({ student: Student, changed: Schema.Array(StudentChange) }),
  "student.removed": Schema.Struct({ student: Schema.Struct({ id: StudentId }) }),
  "access.granted": Access,
  "access.revoked": Access,
  "access.extended": AccessPeriod,
  "access.shortened": AccessPeriod,
  "access.restored": Access,
  "access.moved": Schema.Struct({ ...Access.fields, previous_cohort: Schema.NullOr(Cohort) }),
  "purchase.paid": Sale,
  "purchase.refunded": Sale,
  "subscription.past_due": SubscriptionChange,
  "subscription.canceled": SubscriptionChange,
  "lesson.completed": Schema.Struct({
    student: Student,
    lesson: Lesson,
    module: Module,
    course: Course,
    completed_at: Timestamp
  }),
  "course.completed": Schema.Struct({ student: Student, course: Course, completed_at: Timestamp }),
  "webhook.test": Schema.Struct({ message: Schema.String, endpoint_id: Uuid })
} as const satisfies Record<EventType, Schema.Constraint>

/** `data` of events of this type. */
export type EventData<Type extends EventType> = (typeof eventData)[Type]["Type"]

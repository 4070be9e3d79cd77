import { Schema } from "effect"
import { StudentId } from "../identity/ids/StudentId.ts"
import type { EventType } from "./EventType.ts"

// Contract, Events. A field without a value is null; no field is ever left out.

const Uuid = Schema.String.check(Schema.isUUID())

/** A point in time in a body: ISO 8601 in UTC with milliseconds. */
export const EventTimestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(Schema.DateTimeUtcFromString)
)

const Moment = Schema.NullOr(EventTimestamp)
const Text = Schema.NullOr(Schema.String)

/** Without the tax document, which no event ever holds. */
const Student = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: EventTimestamp
})

/** A course as events name it. */
const Course = Schema.Struct({ id: Uuid, title: Schema.String })

/** A module of a course. */
const Module = Schema.Struct({ id: Uuid, title: Schema.String })

/** A lesson; `public_id` is what the classroom's address shows. */
const Lesson = Schema.Struct({ id: Uuid, public_id: Schema.String, title: Schema.String })

/** Access of one student to one delivery. */
const Enrollment = Schema.Struct({
  id: Uuid,
  delivery_id: Uuid,
  delivery_name: Schema.String,
  cohort_id: Schema.NullOr(Uuid),
  cohort_name: Text,
  source: Schema.Literals(["purchase", "subscription", "grant", "invitation", "import", "registration_link", "free"]),
  status: Schema.Literals(["active", "scheduled", "expired", "revoked"]),
  starts_at: EventTimestamp,
  expires_at: Moment,
  created_at: EventTimestamp,
  revoked_at: Moment,
  revoke_reason: Schema.NullOr(
    Schema.Literals(["refund", "chargeback", "subscription_canceled", "manual", "student_removed"])
  )
})

const Product = Schema.Struct({ external_id: Schema.String, name: Text })

/** One charge on a sales platform; charges of one subscription share `subscription_id`. */
const Purchase = Schema.Struct({
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
const Subscription = Schema.Struct({
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

/** The field of a student that an administrator corrected. */
export const StudentChange = Schema.Literals(["name", "email"])

/** A cohort as it was called before a move. */
export const PreviousCohort = Schema.Struct({ id: Uuid, name: Schema.String })

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
  "access.moved": Schema.Struct({ ...Access.fields, previous_cohort: Schema.NullOr(PreviousCohort) }),
  "purchase.paid": Sale,
  "purchase.refunded": Sale,
  "subscription.past_due": SubscriptionChange,
  "subscription.canceled": SubscriptionChange,
  "lesson.completed": Schema.Struct({
    student: Student,
    lesson: Lesson,
    module: Module,
    course: Course,
    completed_at: EventTimestamp
  }),
  "course.completed": Schema.Struct({ student: Student, course: Course, completed_at: EventTimestamp }),
  "webhook.test": Schema.Struct({ message: Schema.String, endpoint_id: Uuid })
} as const satisfies Record<EventType, Schema.Constraint>

/** `data` of events of this type. */
export type EventData<Type extends EventType> = (typeof eventData)[Type]["Type"]

import { Schema } from "effect"
import { StudentId } from "../identity/ids/StudentId.ts"
import { field } from "../platform/http/Field.ts"
import { Uuid } from "../platform/schema/brandedId.ts"
import type { EventType } from "./EventType.ts"

// Contract, Events. A field without a value is null; no field is ever left out.

const Email = Schema.String.annotate({ format: "email" })

/** A time in a body: ISO 8601 in UTC with milliseconds. */
export const EventTimestamp = Schema.String.annotate({ format: "date-time" })
  .pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

const Moment = Schema.NullOr(EventTimestamp)
const Text = Schema.NullOr(Schema.String)

/** Without the tax document, which no event ever holds. */
const Student = Schema.Struct({
  id: StudentId.pipe(field("Names the student in this club. The same person in another club has another id")),
  name: Schema.String.pipe(field("The student's name, as it is when the body is assembled", "Noel Rosa")),
  email: Email
    .pipe(field(
      "The address that the student signs in with, in lower case. It may be unconfirmed",
      "noel@example.com"
    )),
  verified: Schema.Boolean.pipe(field("True once the student has confirmed the e-mail address")),
  created_at: EventTimestamp.pipe(field("When the student's account was created"))
})
const aboutStudent = field<typeof Student>("The student that the event is about, as they are some seconds after it")

/** A course as events name it. */
const Course = Schema.Struct({
  id: Uuid.pipe(field("Names the course")),
  title: Schema.String.pipe(field("The title that students see", "Primeiro sopro"))
})

/** A module of a course. */
const Module = Schema.Struct({
  id: Uuid.pipe(field("Names the module")),
  title: Schema.String.pipe(field("The title that students see", "Semana 1"))
})

/** A lesson. The classroom's addresses show its `public_id`. */
const Lesson = Schema.Struct({
  id: Uuid.pipe(field("Names the lesson")),
  public_id: Schema.String.pipe(field("The short name of the lesson in addresses of the classroom", "k3v9x2")),
  title: Schema.String.pipe(field("The title that students see", "A nota si"))
})

/** Access of one student to one delivery. */
const Enrollment = Schema.Struct({
  id: Uuid.pipe(field("Names the access. It stays the same when the access is extended, moved, revoked or restored")),
  delivery_id: Uuid.pipe(field("The delivery that the access is to")),
  delivery_name: Schema.String.pipe(field("The delivery's name in the club", "Flauta do zero")),
  cohort_id: Schema.NullOr(Uuid).pipe(field("The student's cohort in the delivery; null: no cohort")),
  cohort_name: Text.pipe(field("The name of the cohort; null without a cohort", "Turma de março")),
  source: Schema.Literals(["purchase", "subscription", "grant", "invitation", "import", "registration_link", "free"])
    .pipe(field("How the student came by the access")),
  status: Schema.Literals(["active", "scheduled", "expired", "revoked"])
    .pipe(field("The state of the access when the body is assembled: scheduled begins later, expired is past its end")),
  starts_at: EventTimestamp.pipe(field("When the access begins or began")),
  expires_at: Moment.pipe(field("When the access ends or ended; null: it has no end")),
  created_at: EventTimestamp.pipe(field("When the access was granted")),
  revoked_at: Moment.pipe(field("When the access was revoked; null while it is not")),
  revoke_reason: Schema
    .NullOr(Schema.Literals(["refund", "chargeback", "subscription_canceled", "manual", "student_removed"]))
    .pipe(field("Why the access was revoked; null while it is not"))
})
const access = field<typeof Enrollment>("The access, as it is some seconds after the event")

const Product = Schema.Struct({
  external_id: Schema.String.pipe(field("The platform's id of the product", "788921")),
  name: Text
    .pipe(field("The product's name on the platform; null where the platform did not tell it", "Flauta do zero"))
})

const Platform = Schema.String.pipe(field("The key of the sales platform, one of `GET …/sales-platforms`", "hotmart"))
const product = field<typeof Product>("The product that was sold; of several products the main one")

/** One charge on a sales platform; charges of one subscription share `subscription_id`. */
const Purchase = Schema.Struct({
  id: Uuid.pipe(field("Names the purchase. Each charge of a subscription is one of its own")),
  platform: Platform,
  external_id: Schema.String.pipe(field("The platform's id of the charge", "HP16015479281022")),
  status: Schema.Literals(["paid", "refunded", "chargeback"])
    .pipe(field("The state of the charge by now. After a refund and a chargeback it is `chargeback`")),
  product: Product.pipe(product),
  offer_external_id: Text.pipe(field("The platform's id of the offer; null without an offer", "launch")),
  amount_cents: Schema.NullOr(Schema.Int).pipe(field(
    "The amount charged, in the currency's minor unit: 14950 in BRL is R$ 149.50; null where the platform did not tell it",
    14_950
  )),
  currency: Text.pipe(field("The currency's ISO 4217 code; null where the platform did not tell it", "BRL")),
  payment_method: Text
    .pipe(field("How it was paid, in the platform's own word; null where the platform did not tell it", "credit_card")),
  recurrence: Schema.NullOr(Schema.Int)
    .pipe(field(
      "Its number among its subscription's charges, from 1 on; null without a subscription, or if unknown",
      1
    )),
  subscription_id: Schema.NullOr(Uuid).pipe(field("The subscription of the charge; null without one")),
  paid_at: Moment.pipe(field("When it was paid, as the platform says; null while no payment is known")),
  refunded_at: Moment.pipe(field("When it was refunded or charged back, as `status` says; null while it is paid"))
})
const aboutPurchase = field<typeof Purchase>("The purchase, as it is some seconds after the event")

/** A recurring sale on a sales platform. */
const Subscription = Schema.Struct({
  id: Uuid.pipe(field("Names the subscription")),
  platform: Platform,
  external_id: Schema.String.pipe(field("The platform's id of the subscription", "I9OT62C3")),
  status: Schema.Literals(["active", "past_due", "canceled"])
    .pipe(field("The state of the subscription by now: past_due while a charge is late")),
  plan_name: Text.pipe(field("The name of the plan on the platform; null where it did not tell it", "Mensal")),
  product: Product.pipe(product),
  current_period_end: Moment
    .pipe(field("Until when the period that was paid lasts, and access with it; null where it is not known")),
  past_due_since: Moment.pipe(field("When the late charge became late; null while no charge is late")),
  canceled_at: Moment.pipe(field("When the subscription was canceled; null while it is not"))
})
const aboutSubscription = field<typeof Subscription>("The subscription, as it is some seconds after the event")

/** How a student came into the club. */
export const StudentOrigin = Schema.Literals(["sign_up", "purchase", "invitation", "import", "registration_link"])

/** The field of a student that an administrator corrected. */
export const StudentChange = Schema.Literals(["name", "email"])

/** A cohort as it was called before a move. */
export const PreviousCohort = Schema.Struct({
  id: Uuid.pipe(field("Names the cohort")),
  name: Schema.String.pipe(field("The cohort's name at the move", "Turma de fevereiro"))
})

const Access = Schema.Struct({ student: Student.pipe(aboutStudent), enrollment: Enrollment.pipe(access) })
const AccessPeriod = Schema.Struct({
  ...Access.fields,
  previous_expires_at: Moment.pipe(field("When the access would have ended before the change; null: it had no end"))
})
const Sale = Schema.Struct({
  student: Student.pipe(aboutStudent),
  purchase: Purchase.pipe(aboutPurchase),
  enrollments: Schema.Array(Enrollment)
    .pipe(field("The accesses that the purchase, or its subscription, has given, oldest first; may be empty"))
})
const SubscriptionChange = Schema.Struct({
  student: Student.pipe(aboutStudent),
  subscription: Subscription.pipe(aboutSubscription)
})

/** `data` of every type, keyed by resource. */
export const eventData = {
  "student.created": Schema.Struct({
    student: Student.pipe(aboutStudent),
    origin: StudentOrigin.pipe(field("How the student came into the club"))
  }),
  "student.updated": Schema.Struct({
    student: Student.pipe(aboutStudent),
    changed: Schema.Array(StudentChange).pipe(field("Which fields of the student were corrected"))
  }),
  "student.removed": Schema.Struct({
    student: Schema.Struct({
      id: StudentId.pipe(field("The id that the student had. Nothing else of them is kept"))
    }).pipe(field("Who was removed"))
  }),
  "access.granted": Access,
  "access.revoked": Access,
  "access.extended": AccessPeriod,
  "access.shortened": AccessPeriod,
  "access.restored": Access,
  "access.moved": Schema.Struct({
    ...Access.fields,
    previous_cohort: Schema.NullOr(PreviousCohort)
      .pipe(field("The cohort that the student was in before; null: no cohort"))
  }),
  "purchase.paid": Sale,
  "purchase.refunded": Sale,
  "subscription.past_due": SubscriptionChange,
  "subscription.canceled": SubscriptionChange,
  "lesson.completed": Schema.Struct({
    student: Student.pipe(aboutStudent),
    lesson: Lesson.pipe(field("The lesson that was completed")),
    module: Module.pipe(field("The module that the lesson is in")),
    course: Course.pipe(field("The course that the module is in")),
    completed_at: EventTimestamp.pipe(field("When the student completed the lesson for the first time"))
  }),
  "course.completed": Schema.Struct({
    student: Student.pipe(aboutStudent),
    course: Course.pipe(field("The course that was completed")),
    completed_at: EventTimestamp.pipe(field("When the student finished the course for the first time"))
  }),
  "webhook.test": Schema.Struct({
    message: Schema.String
      .pipe(field("Says in one sentence that this is a test", "This is a test. It tells of nothing that happened.")),
    endpoint_id: Uuid.pipe(field("The endpoint whose test button was pressed"))
  })
} as const satisfies Record<EventType, Schema.Constraint>

/** `data` of events of this type. */
export type EventData<Type extends EventType> = (typeof eventData)[Type]["Type"]

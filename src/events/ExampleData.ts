import type { eventData } from "./EventData.ts"
import type { EventType } from "./EventType.ts"
import { exampleEvent } from "./ExampleEvent.ts"

// Made-up people and things, the same in every example.

const { student } = exampleEvent.data

const enrollment = {
  id: "01993f2a-7d21-7b32-9d5f-6c2e3a4b5d6e",
  delivery_id: "01990011-2233-7445-8667-8899aabbccdd",
  delivery_name: "Flauta do zero",
  cohort_id: "01990011-3344-7556-9778-99aabbccddee",
  cohort_name: "Turma de março",
  source: "purchase",
  status: "active",
  starts_at: "2026-03-02T13:05:41.120Z",
  expires_at: "2027-03-02T13:05:41.120Z",
  created_at: "2026-03-02T13:05:41.120Z",
  revoked_at: null,
  revoke_reason: null
} as const

const purchase = {
  id: "01993f2a-7e32-7c43-8e60-7d3f4b5c6e7f",
  platform: "hotmart",
  external_id: "HP16015479281022",
  status: "paid",
  product: { external_id: "788921", name: "Flauta do zero" },
  offer_external_id: "launch",
  amount_cents: 14_950,
  currency: "BRL",
  payment_method: "credit_card",
  recurrence: 1,
  subscription_id: "01993f2a-7f43-7d54-9f71-8e4a5c6d7f80",
  paid_at: "2026-03-02T13:05:38.000Z",
  refunded_at: null
} as const

const subscription = {
  id: "01993f2a-7f43-7d54-9f71-8e4a5c6d7f80",
  platform: "hotmart",
  external_id: "I9OT62C3",
  status: "past_due",
  plan_name: "Mensal",
  product: { external_id: "788921", name: "Flauta do zero" },
  current_period_end: "2026-05-02T13:05:38.000Z",
  past_due_since: "2026-05-02T14:00:00.000Z",
  canceled_at: null
} as const

const course = { id: "01990011-4455-7667-8889-aabbccddeeff", title: "Primeiro sopro" }
const lesson = { id: "01990011-5566-7778-999a-bbccddeeff00", public_id: "k3v9x2", title: "A nota si" }
const module = { id: "01990011-6677-7889-8aab-ccddeeff0011", title: "Semana 1" }

const completed_at = "2026-04-01T09:30:00.000Z"
const revoked = { ...enrollment, status: "revoked", revoked_at: "2026-04-01T09:30:00.000Z" } as const
const previous_cohort = { id: "01990011-7788-799a-9bbc-ddeeff001122", name: "Turma de fevereiro" }

/** `data` as it is sent, one example of each type. */
export const exampleData: { readonly [Type in EventType]: (typeof eventData)[Type]["Encoded"] } = {
  "student.created": exampleEvent.data,
  "student.updated": { student, changed: ["name"] },
  "student.removed": { student: { id: student.id } },
  "access.granted": { student, enrollment },
  "access.revoked": { student, enrollment: { ...revoked, revoke_reason: "manual" } },
  "access.extended": { student, enrollment, previous_expires_at: "2026-09-02T13:05:41.120Z" },
  "access.shortened": { student, enrollment, previous_expires_at: null },
  "access.restored": { student, enrollment },
  "access.moved": { student, enrollment, previous_cohort },
  "purchase.paid": { student, purchase, enrollments: [enrollment] },
  "purchase.refunded": {
    student,
    purchase: { ...purchase, status: "refunded", refunded_at: "2026-04-01T09:29:57.000Z" },
    enrollments: [{ ...revoked, revoke_reason: "refund" }]
  },
  "subscription.past_due": { student, subscription },
  "subscription.canceled": {
    student,
    subscription: {
      ...subscription,
      status: "canceled",
      past_due_since: null,
      canceled_at: "2026-04-20T18:12:03.000Z"
    }
  },
  "lesson.completed": { student, lesson, module, course, completed_at },
  "course.completed": { student, course, completed_at },
  "webhook.test": {
    message: "This is a test. It tells of nothing that happened.",
    endpoint_id: "01990011-8899-7aab-8ccd-eeff00112233"
  }
}

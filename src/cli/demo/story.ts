import { Effect, Result } from "effect"
import { ownText } from "../../platform/text/Utf8.ts"
import type { WebhookDelivery } from "../../webhooks/history/delivery/Delivery.ts"
import { verifySignature } from "../../webhooks/send/Signature.ts"
import { verdictOf } from "../webhooks/Verdict.ts"
import { DemoError } from "./DemoError.ts"
import {
  deliveries,
  type Endpoint,
  failures,
  pressTestButton,
  printAttempts,
  printDiagnosis,
  register
} from "./Endpoint.ts"
import { completeLesson, teach } from "./Lesson.ts"
import { chapter, say } from "./Narrator.ts"
import { foundClub, signUpStudent } from "./People.ts"
import { type Arrival, Receiver } from "./Receiver.ts"
import { arrivals, buyer, openShop, postHotmartEvent, removeStudent, studentOf, subscribeToAll } from "./Sale.ts"
import { Turma } from "./Turma.ts"

const text = (body: Uint8Array) => ownText(body)

const registered = Effect.gen(function*() {
  const turma = yield* Turma
  const receiver = yield* Receiver
  yield* chapter("1. A club and a receiver")
  yield* say("turma", "starts with an empty database of its own, which takes some seconds")
  yield* turma.ready
  yield* say("turma", `is ready at ${turma.url}`)
  const club = yield* foundClub
  yield* say("receiver", `listens at ${receiver.url}, over TLS`)
  return yield* register(club)
})

const tamperWith = ({ received }: Arrival) => {
  const body = new TextEncoder().encode(text(received.body).replace("webhook.test", "purchase.paid"))
  const verdict = verifySignature({ ...received, body })
  return Result.isFailure(verdict)
    ? say("receiver", `had one word of it been changed on the way: ${verdictOf(verdict)}`)
    : Effect.fail(new DemoError({ message: "A changed body was verified" }))
}

const signedTest = Effect.fnUntraced(function*(endpoint: Endpoint) {
  const receiver = yield* Receiver
  yield* chapter("2. The test button, and how a receiver knows who writes")
  const delivery = yield* pressTestButton(endpoint)
  const arrival = yield* receiver.next
  const { body, id, signature, timestamp } = arrival.received
  yield* say("receiver", `  webhook-id         ${id}`)
  yield* say("receiver", `  webhook-timestamp  ${timestamp}`)
  yield* say("receiver", `  webhook-signature  ${signature}`)
  yield* say("receiver", `  ${text(body)}`)
  yield* tamperWith(arrival)
  yield* printAttempts(endpoint, delivery)
})

const outage = Effect.fnUntraced(function*(endpoint: Endpoint) {
  const receiver = yield* Receiver
  yield* chapter("3. The receiver breaks: retries, then a hold")
  yield* receiver.answerWith(500)
  yield* say("receiver", "answers 500 to everything from now on")
  yield* printAttempts(endpoint, yield* pressTestButton(endpoint))
  yield* printDiagnosis(endpoint)
  yield* signUpStudent(endpoint, "Bia")
  yield* deliveries(endpoint, (all) => all.length === 3)
  yield* printDiagnosis(endpoint)
  yield* failures(endpoint, 6)
  yield* say("turma", "that was a probe; each one that fails makes the hold twice as long")
})

const studentCreated = Receiver.use(({ next }) =>
  Effect.repeat(next, { until: ({ status, type }) => type === "student.created" && status === 204 })
)

const haveSucceeded = (all: ReadonlyArray<WebhookDelivery>) => all.every(({ status }) => status === "succeeded")

const recovery = Effect.fnUntraced(function*(endpoint: Endpoint) {
  const receiver = yield* Receiver
  yield* chapter("4. The receiver works again: nothing was lost")
  yield* receiver.answerWith(204)
  yield* say("receiver", "works again; nobody has to tell Turma, whose next probe finds out")
  yield* studentCreated
  yield* deliveries(endpoint, haveSucceeded)
  yield* say("turma", "the hold is over, and what had waited was delivered")
  yield* printDiagnosis(endpoint)
})

const birth = Effect.fnUntraced(function*(endpoint: Endpoint) {
  yield* chapter("5. A student signs up")
  yield* signUpStudent(endpoint, "Caio")
  const { received } = yield* studentCreated
  yield* say("receiver", `  ${text(received.body)}`)
  const all = yield* deliveries(endpoint, haveSucceeded)
  const attempts = all.reduce((sum, { attempts_count }) => sum + attempts_count, 0)
  yield* say("turma", `${all.length} webhooks, ${attempts} attempts, everything delivered`)
})

const sale = Effect.fnUntraced(function*(endpoint: Endpoint) {
  yield* chapter("6. A sale on Hotmart, a lesson, a refund, and a student who wants to be forgotten")
  yield* subscribeToAll(endpoint)
  const course = yield* teach(endpoint)
  const shop = yield* openShop(endpoint, course)
  yield* postHotmartEvent(shop, "PURCHASE_APPROVED")
  const student = yield* studentOf(yield* arrivals("student.created", "purchase.paid", "access.granted"))
  yield* completeLesson(endpoint, course, buyer.email)
  yield* arrivals("lesson.completed", "course.completed")
  yield* postHotmartEvent(shop, "PURCHASE_REFUNDED")
  yield* arrivals("purchase.refunded", "access.revoked")
  yield* removeStudent(endpoint, student)
})

const next = [
  "npm start                     the service itself, at http://127.0.0.1:3000, with its documentation at /docs",
  "npx turma webhooks --help     receive, verify and sign webhooks while you write a receiver",
  "src/guides/receivers.md       a receiver in Node and in Python, and what it has to keep in mind"
]

/** All of it, on a service that is starting. */
export const story = Effect.gen(function*() {
  const endpoint = yield* registered
  yield* signedTest(endpoint)
  yield* outage(endpoint)
  yield* recovery(endpoint)
  yield* birth(endpoint)
  yield* sale(endpoint)
  yield* chapter("What to try next")
  for (const line of next) yield* say("demo", line)
})

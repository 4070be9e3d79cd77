import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, Schema } from "effect"
import { SalesWorkersLayer } from "../../src/commerce/sales/SalesWorkers.ts"
import { eventData } from "../../src/events/EventData.ts"
import type { FactType } from "../../src/events/Fact.ts"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import { SessionStore } from "../../src/identity/sessions/SessionStore.ts"
import { ImportWorkerLayer } from "../../src/membership/students/import/ImportWorker.ts"
import { WebhookWorkersLayer } from "../../src/webhooks/WebhookWorkers.ts"
import { appLayer, at, configLayer, foundClub, send } from "../harness/App.ts"
import { Mailbox } from "../harness/Mailbox.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { caFile, testCa } from "../harness/Tls.ts"
import { confirm, newAddress, signUp, studentsOf } from "../membership/accounts/People.ts"

// Contract, Catalog of types: each fact happens through the API, and its body arrives at a receiver over TLS.

const ca = testCa()

// In real time, as in a process with ROLE=all.
const TestLayer = Layer.unwrap(Effect.map(caFile(ca), (file) => {
  const variables = {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_EXTRA_CA_FILE: file,
    WEBHOOK_ASSEMBLE_DELAY: "10 millis"
  }
  return Layer.mergeAll(WebhookWorkersLayer, SalesWorkersLayer, ImportWorkerLayer).pipe(
    Layer.provideMerge(appLayer(variables)),
    Layer.provide(configLayer(variables)),
    Layer.provide(Logger.layer([]))
  )
}))

/** The tax document of every person here. It must occur in no body. */
const document = "529.982.247-25"
const hottok = "the account's token"

const types = Object.keys(eventData).filter((type): type is FactType => type !== "webhook.test")

/** A club with a receiver of all events, a delivery in two cohorts, and its sales at Hotmart. */
const openClub = Effect.gen(function*() {
  const receiver = yield* startReceiver({ ca })
  const club = yield* foundClub()
  const { token } = club
  const post = Effect.fnUntraced(function*(path: string, body: unknown) {
    const answer = yield* send("POST", `${club.path}${path}`, { token, body })
    assert.include([200, 201, 202], answer.status, `${path}: ${answer.text}`)
    return answer.json
  })
  const made = (path: string, body: unknown) => Effect.map(post(path, body), (json) => String(at(json, "data", "id")))
  yield* post("/webhook-endpoints", { url: receiver.url, event_types: types })
  const delivery_id = yield* made("/deliveries", { name: "Violão do zero" })
  const cohort_id = yield* made(`/deliveries/${delivery_id}/cohorts`, { name: "Turma de março" })
  yield* post("/product-mappings", { platform: "hotmart", external_product_id: "788921", delivery_id })
  const hook = yield* post("/inbound-webhooks", { platform: "hotmart", secret: hottok })
  const hookPath = new URL(String(at(hook, "data", "url"))).pathname

  const email = yield* newAddress
  const student = made("/students", { name: "Bia Lima", email, document })
  const enrolled = Effect.gen(function*() {
    const student_id = yield* student
    const id = yield* made(`/students/${student_id}/grants`, { delivery_id, expires_at: "2999-01-01T00:00:00.000Z" })
    return { student_id, change: (what: string, body: unknown = {}) => post(`/enrollments/${id}/${what}`, body) }
  })

  const hotmart = (event: string, data: Record<string, unknown>) =>
    send("POST", hookPath, {
      headers: { "x-hotmart-hottok": hottok },
      body: { id: crypto.randomUUID(), creation_date: Date.now(), event, version: "2.0.0", data }
    })
  const product = { id: 788_921, name: "Violão do zero" }
  const sale = (subscribed: boolean) => ({
    product,
    buyer: { email, name: "Bia Lima", document, document_type: "CPF" },
    purchase: {
      approved_date: Date.now() - 60_000,
      transaction: "HP16015479281022",
      price: { value: 149.5, currency_value: "BRL" },
      payment: { type: "CREDIT_CARD" },
      offer: { code: "launch" },
      ...(subscribed ? { recurrence_number: 1 } : {})
    },
    ...(subscribed ? { subscription: { plan: { name: "Mensal" }, subscriber: { code: "I9OT62C3" } } } : {})
  })
  const late = {
    ...sale(true),
    purchase: { transaction: "HP16015479281023", recurrence_number: 2, price: { value: 149.5, currency_value: "BRL" } }
  }
  const cancellation = {
    date_next_charge: Date.now() + 86_400_000,
    cancellation_date: Date.now(),
    product,
    subscriber: { code: "I9OT62C3", name: "Bia Lima", email }
  }

  /** The first body of this type. Earlier bodies describe other facts. */
  const received = (type: FactType) =>
    Effect.repeat(
      Effect.map(receiver.next, ({ body }): unknown => JSON.parse(`${body}`)),
      { until: (body) => at(body, "type") === type }
    )
  return {
    club,
    token,
    post,
    email,
    delivery_id,
    cohort_id,
    student,
    enrolled,
    hotmart,
    sale,
    late,
    cancellation,
    made,
    received,
    receiver
  }
})
type Opened = Effect.Success<typeof openClub>

const remove = Effect.fnUntraced(function*({ club, token }: Opened, student_id: string) {
  assert.strictEqual((yield* send("DELETE", `${club.path}/students/${student_id}`, { token })).status, 204)
})

const signedUp = Effect.fnUntraced(function*({ club, email }: Opened, registration_code?: string) {
  const side = studentsOf(club)
  yield* signUp(side, { email, ...(registration_code === undefined ? {} : { registration_code }) })
  const mailbox = yield* Mailbox
  assert.strictEqual((yield* confirm(side, yield* mailbox.secret(email))).status, 200)
})

/** A student who has a course with one live lesson, and their work in it. */
const taught = Effect.fnUntraced(function*({ club, delivery_id, enrolled, made, token }: Opened) {
  const course = { id: yield* made("/courses", { title: "Violão" }), title: "Violão" }
  const module = { id: yield* made(`/courses/${course.id}/modules`, { title: "Acordes" }), title: "Acordes" }
  const shown = { title: "O primeiro acorde", public_id: "acorde-1" }
  const lesson = { id: yield* made(`/modules/${module.id}/lessons`, shown), ...shown }
  const staff = (method: "PATCH" | "PUT", path: string, body: unknown) =>
    send(method, `${club.path}${path}`, { token, body })
  yield* staff("PUT", `/lessons/${lesson.id}/publication`, { published_at: "2020-01-01T00:00:00Z" })
  yield* staff("PATCH", `/deliveries/${delivery_id}`, { items: [{ kind: "course", id: course.id }] })
  const student_id = StudentId.make((yield* enrolled).student_id)
  const sessions = yield* SessionStore
  const { access_token } = yield* sessions.issue({ kind: "student", club_id: club.id, student_id })
  const completion = (method: "DELETE" | "PUT") =>
    send(method, `${club.path}/classroom/lessons/${lesson.public_id}/completion`, {
      token: Redacted.value(access_token)
    })
  return { course, lesson, module, student_id, complete: completion("PUT"), undo: completion("DELETE") }
})

type Happening = Effect.Effect<
  unknown,
  unknown,
  Effect.Services<ReturnType<typeof signedUp> | ReturnType<typeof taught>>
>

const born: Record<string, (opened: Opened) => Happening> = {
  sign_up: (opened) => signedUp(opened),
  purchase: ({ hotmart, sale }) => hotmart("PURCHASE_APPROVED", sale(false)),
  invitation: ({ student }) => student,
  import: ({ email, post }) => post("/students/imports", { rows: [{ name: "Bia Lima", email, document }] }),
  registration_link: (opened) =>
    Effect.flatMap(
      opened.post("/registration-links", { delivery_id: opened.delivery_id }),
      (link) => signedUp(opened, String(at(link, "data", "code")))
    )
}

const facts: Record<string, {
  readonly type: FactType
  readonly happens: (opened: Opened) => Happening
  /** A value in `data` that the fact decides, with its path. */
  readonly says: readonly [path: ReadonlyArray<string | number>, value: unknown]
}> = {
  ...Object.fromEntries(Object.entries(born).map(([origin, happens]) => [`a student born by ${origin}`, {
    type: "student.created",
    happens,
    says: [["origin"], origin]
  }])),
  "a corrected name": {
    type: "student.updated",
    happens: (opened) =>
      Effect.flatMap(
        opened.student,
        (id) =>
          send("PATCH", `${opened.club.path}/students/${id}`, { token: opened.token, body: { name: "Beatriz Lima" } })
      ),
    says: [["changed"], ["name"]]
  },
  "a removed student": {
    type: "student.removed",
    happens: (opened) => Effect.flatMap(opened.student, (id) => remove(opened, id)),
    says: [["student", "name"], undefined]
  },
  "a grant": {
    type: "access.granted",
    happens: ({ enrolled }) => enrolled,
    says: [["enrollment", "source"], "grant"]
  },
  "a grant by an import": {
    type: "access.granted",
    happens: ({ delivery_id, email, post }) =>
      post("/students/imports", { rows: [{ name: "Bia Lima", email, delivery: delivery_id }] }),
    says: [["enrollment", "source"], "import"]
  },
  "a grant with an invitation": {
    type: "access.granted",
    happens: ({ delivery_id, email, post }) => post("/students", { name: "Bia", email, grants: [{ delivery_id }] }),
    says: [["enrollment", "source"], "invitation"]
  },
  "a grant by a registration link": {
    type: "access.granted",
    happens: (opened) => born["registration_link"]?.(opened) ?? Effect.void,
    says: [["enrollment", "source"], "registration_link"]
  },
  "a free delivery": {
    type: "access.granted",
    happens: ({ post, student }) => Effect.andThen(post("/deliveries", { name: "Aula aberta", free: true }), student),
    says: [["enrollment", "source"], "free"]
  },
  "a purchase that gives access": {
    type: "access.granted",
    happens: ({ hotmart, sale }) => hotmart("PURCHASE_APPROVED", sale(false)),
    says: [["enrollment", "source"], "purchase"]
  },
  "a subscription that gives access": {
    type: "access.granted",
    happens: ({ hotmart, sale }) => hotmart("PURCHASE_APPROVED", sale(true)),
    says: [["enrollment", "source"], "subscription"]
  },
  "a revocation": {
    type: "access.revoked",
    happens: ({ enrolled }) => Effect.flatMap(enrolled, ({ change }) => change("revoke")),
    says: [["enrollment", "status"], "revoked"]
  },
  "a restoration": {
    type: "access.restored",
    happens: ({ enrolled }) =>
      Effect.flatMap(enrolled, ({ change }) => Effect.andThen(change("revoke"), change("restore"))),
    says: [["enrollment", "status"], "active"]
  },
  "an extension": {
    type: "access.extended",
    happens: ({ enrolled }) => Effect.flatMap(enrolled, ({ change }) => change("extend", { expires_at: null })),
    says: [["enrollment", "expires_at"], null]
  },
  "a shortening": {
    type: "access.shortened",
    happens: ({ enrolled }) =>
      Effect.flatMap(enrolled, ({ change }) => change("shorten", { expires_at: "2998-01-01T00:00:00.000Z" })),
    says: [["enrollment", "expires_at"], "2998-01-01T00:00:00.000Z"]
  },
  "a move": {
    type: "access.moved",
    happens: ({ cohort_id, enrolled }) => Effect.flatMap(enrolled, ({ change }) => change("move", { cohort_id })),
    says: [["enrollment", "cohort_name"], "Turma de março"]
  },
  "an approved purchase": {
    type: "purchase.paid",
    happens: ({ hotmart, sale }) => hotmart("PURCHASE_APPROVED", sale(false)),
    says: [["purchase", "amount_cents"], 14_950]
  },
  "a refund": {
    type: "purchase.refunded",
    happens: ({ hotmart, sale }) =>
      Effect.andThen(hotmart("PURCHASE_APPROVED", sale(false)), hotmart("PURCHASE_REFUNDED", sale(false))),
    says: [["purchase", "status"], "refunded"]
  },
  "a chargeback": {
    type: "purchase.refunded",
    happens: ({ hotmart, sale }) =>
      Effect.andThen(hotmart("PURCHASE_APPROVED", sale(false)), hotmart("PURCHASE_CHARGEBACK", sale(false))),
    says: [["purchase", "status"], "chargeback"]
  },
  "a late charge": {
    type: "subscription.past_due",
    happens: ({ hotmart, late, sale }) =>
      Effect.andThen(hotmart("PURCHASE_APPROVED", sale(true)), hotmart("PURCHASE_DELAYED", late)),
    says: [["subscription", "status"], "past_due"]
  },
  "a cancellation": {
    type: "subscription.canceled",
    happens: ({ cancellation, hotmart, sale }) =>
      Effect.andThen(hotmart("PURCHASE_APPROVED", sale(true)), hotmart("SUBSCRIPTION_CANCELLATION", cancellation)),
    says: [["subscription", "status"], "canceled"]
  },
  "a completed lesson": {
    type: "lesson.completed",
    happens: (opened) => Effect.flatMap(taught(opened), ({ complete }) => complete),
    says: [["lesson", "public_id"], "acorde-1"]
  },
  "a finished course": {
    type: "course.completed",
    happens: (opened) => Effect.flatMap(taught(opened), ({ complete }) => complete),
    says: [["course", "title"], "Violão"]
  }
}

/** Refuses an unknown field and a missing one. */
const decode = (type: FactType, data: unknown) =>
  Schema.decodeUnknownEffect(Schema.Struct({ data: eventData[type] }))({ data }, { onExcessProperty: "error" })

layer(TestLayer, { excludeTestServices: true })("A receiver hears of", (it) => {
  it("all types, at least once", () => {
    assert.sameMembers([...new Set(Object.values(facts).map(({ type }) => type))], types)
    assert.lengthOf(types, 15)
  })

  it.effect.each(Object.entries(facts))("%s", ([, { happens, says: [path, value], type }]) =>
    Effect.gen(function*() {
      const opened = yield* openClub
      yield* happens(opened)
      const body = yield* opened.received(type)
      assert.deepStrictEqual(Object.keys(Object(body)), ["id", "type", "occurred_at", "club_id", "data"])
      assert.strictEqual(at(body, "club_id"), opened.club.organization_id)
      yield* decode(type, at(body, "data"))
      assert.deepStrictEqual(at(body, "data", ...path), value)
      for (const { body } of opened.receiver.requests) {
        assert.notInclude(`${body}`, "document")
        assert.notInclude(`${body}`, document)
        assert.notInclude(`${body}`, document.replaceAll(/\D/g, ""))
      }
    }))

  it.effect("a lesson and a course once, with nothing but the fields of http-surface", () =>
    Effect.gen(function*() {
      const opened = yield* openClub
      const { club, email, receiver, received, token } = opened
      const { complete, course, lesson, module, student_id, undo } = yield* taught(opened)
      const completed_at = at((yield* complete).json, "data", "completed_at")
      for (const again of [complete, undo, complete, undo]) yield* again
      const told = (type: FactType) =>
        receiver.requests.map(({ body }): unknown => JSON.parse(`${body}`)).filter((body) => at(body, "type") === type)
      const isTold = () => told("lesson.completed").length > 0 && told("course.completed").length > 0
      yield* Effect.repeat(receiver.next, { until: isTold })
      const student = at(told("lesson.completed"), 0, "data", "student")
      assert.deepStrictEqual(Object.keys(Object(student)), ["id", "name", "email", "verified", "created_at"])
      assert.deepStrictEqual([at(student, "id"), at(student, "email")], [student_id, email])
      // A later event arrives after all of these.
      yield* send("PATCH", `${club.path}/students/${student_id}`, { token, body: { name: "Beatriz Lima" } })
      yield* received("student.updated")
      const all = [...told("lesson.completed"), ...told("course.completed")]
      assert.deepStrictEqual(all.map((body) => at(body, "data")), [
        { student, lesson, module, course, completed_at },
        { student, course, completed_at }
      ])
    }))
})

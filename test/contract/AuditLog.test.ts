import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { FakeStripe, stripeLayer, subscribedClub, tellAll } from "../commerce/billing/stripe/World.ts"
import { at, foundClub, send } from "../harness/App.ts"
import { bodySchema, isObject, isWrite, type Listed, operations, pathWith } from "../harness/Document.ts"
import { SpansLayer, textsOf, traced } from "../harness/Statements.ts"
import { localFolder } from "../platform/storage/local/LocalFolder.ts"
import { delivered, deliveringLayer } from "./Delivered.ts"
import { askedWith, everything, inOrder } from "./EveryOperation.ts"
import { exampleBody } from "./ExampleBodies.ts"

// Driven by the contract: the audit log has a row for each write of an administrator in a club, in any operation.

const { folder } = localFolder()
const day = "2026-04-01T09:30:00.000Z"

const Row = Schema.Struct({
  id: Schema.String,
  operation: Schema.String,
  outcome: Schema.String,
  created_id: Schema.NullOr(Schema.String),
  user_id: Schema.String,
  targets: Schema.Record(Schema.String, Schema.String)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The log's rows of all clubs after this many. */
const rowsAfter = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.flatMap(
    sql`select id, operation, outcome, created_id, user_id, targets from audit_log order by id offset ${count}`,
    decodeRows
  )
})

/** The audited writes of administrators outside the paths of a club. */
const outside = new Set(["account.createClub", "account.acceptInvitation", "devices.redeem", "ownKey.revoke"])

/** Operations that the local billing does not have. */
const onlyWithStripe = ["billing.checkout", "billing.confirm", "billing.portal"]

/** Operations that change nothing here, such as completing a complete file. A statement of its own writes their row. */
const changesNothing = [
  "assistantReplies.reply",
  "media.complete",
  "media.resume",
  "mentorshipFiles.complete",
  "mentorshipFiles.resume",
  "webhookFilters.test",
  "webhookListeners.record",
  "webhookOutages.simulate"
]

/** The statements that only write a row of the log. */
const apart = (run: ReadonlyArray<string>) => run.filter((text) => text.startsWith("insert into audit_log"))

const isAudited = (operation: Listed) =>
  isWrite(operation) && (outside.has(operation.operationId) ||
    (operation.schemes.includes("userSession") && `${operation.path}/`.startsWith("/v1/clubs/{clubId}/")))

/** The first `id` in an answer, at any depth. */
const idIn = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined
  const own = at(value, "id")
  return typeof own === "string" ? own : Object.values(value).map(idIn).find((id) => id !== undefined)
}

const unknown = "018f0000-0000-7000-8000-000000000009"
const broken = { body: { nobody_knows_this: [null] } }

layer(deliveringLayer({ DATA_DIR: folder }).pipe(Layer.provideMerge(SpansLayer)))(
  "The audit log",
  (it) => {
    it.effect("has one row for each write of an administrator that succeeds, once more too, and none for anything else", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(DateTime.makeUnsafe(day).epochMilliseconds)
        const world = yield* everything
        const more = yield* delivered(world)
        const { club } = world

        const faults: Array<string> = []
        const recorded: Array<string> = []
        const writtenApart: Array<string> = []
        let known = (yield* rowsAfter(0)).length
        const since = Effect.tap(Effect.suspend(() => rowsAfter(known)), (rows) =>
          Effect.sync(() => {
            known += rows.length
          }))

        for (const operation of inOrder(operations)) {
          const { method, name, operationId } = operation
          const { path, tokens } = askedWith(operation, world, more)
          const body = exampleBody(operation, world)
          const nowhere = pathWith(operation, { clubId: club.organization_id }, unknown)
          if (isAudited(operation) && nowhere !== path && path.includes(club.organization_id)) {
            const { status, text } = yield* send(method, nowhere, {
              token: club.token,
              ...(body === undefined ? {} : { body })
            })
            const rows = yield* since
            if (rows.length !== (status < 400 ? 1 : 0)) {
              faults.push(`${name} of nothing: ${status} ${text.slice(0, 80)} left ${JSON.stringify(rows)}`)
            }
          }
          for (const token of tokens) {
            const by = token === undefined ? {} : { token }
            if (bodySchema(operation) !== undefined && !operation.path.startsWith("/webhooks/")) {
              const refused = yield* send(method, path, { ...by, ...broken })
              const rows = yield* since
              if (refused.status < 400 || rows.length > 0) {
                faults.push(`${name}: ${refused.status}, ${rows.length} rows`)
              }
            }
            const [{ json, status, text }, run] =
              yield* traced(send(method, path, body === undefined ? by : { ...by, body }))
            const rows = yield* since
            if (token !== tokens[0] || !isAudited(operation) || status >= 300) {
              if (rows.length > 0) faults.push(`${name}: ${status} ${text.slice(0, 80)} left ${JSON.stringify(rows)}`)
              if (status < 300) break
              continue
            }
            recorded.push(operationId)
            if (apart(textsOf(run)).length > 0) writtenApart.push(operationId)
            const [row] = rows
            if (row === undefined || rows.length > 1) {
              faults.push(`${name}: ${rows.length} rows`)
              break
            }
            const asked = path.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
            const targets = asked.filter((id) => id !== club.organization_id)
            if (row.operation !== operationId || row.outcome !== "done") faults.push(`${name}: ${JSON.stringify(row)}`)
            if (targets.some((id) => !Object.values(row.targets).includes(id))) {
              faults.push(`${name}: ${JSON.stringify(row.targets)} of ${path}`)
            }
            const made = status === 201 || operationId === "devices.redeem" ? idIn(json) ?? null : null
            if (row.created_id !== made) faults.push(`${name}: made ${made}, row says ${row.created_id}`)
            const again = yield* send(method, path, body === undefined ? by : { ...by, body })
            const rowsAgain = yield* since
            if (rowsAgain.length !== (again.status < 400 ? 1 : 0)) {
              faults.push(`${name} again: ${again.status} ${again.text.slice(0, 80)} left ${JSON.stringify(rowsAgain)}`)
            }
            break
          }
        }
        assert.deepStrictEqual(faults, [])
        assert.deepStrictEqual(
          operations.filter(isAudited).map((one) => one.operationId).filter((one) => !recorded.includes(one))
            .toSorted(),
          onlyWithStripe.toSorted()
        )
        assert.deepStrictEqual(writtenApart.toSorted(), changesNothing)
      }))
  }
)

layer(stripeLayer)("The audit log of a club that pays at Stripe", (it) => {
  it.effect("has one row for each write that Stripe has a part in", () =>
    Effect.gen(function*() {
      const { state } = yield* FakeStripe
      const buyer = yield* subscribedClub()
      const other = yield* foundClub()
      const { organization_id } = other
      state.checkout(state.subscribe(["price_starter"], { organization_id }), organization_id)
      yield* tellAll
      const { json } = yield* send("GET", `${other.path}/billing/subscriptions`, other)
      const claim = String(at(json, "data", 0, "id"))
      const asked = [
        ["billing.portal", buyer, "POST", "/portal", undefined],
        ["billing.contract", buyer, "POST", "/addons", { key: "pack" }],
        ["billing.remove", buyer, "DELETE", "/addons/pack", undefined],
        ["billing.checkout", other, "POST", "/checkout", { plan: "growth" }],
        ["billing.confirm", other, "POST", `/subscriptions/${claim}/confirm`, undefined]
      ] as const
      for (const [operation, club, method, path, body] of asked) {
        const known = yield* rowsAfter(0)
        const { token } = club
        const answer = yield* send(method, `${club.path}/billing${path}`, { token, ...(body && { body }) })
        assert.isBelow(answer.status, 300, `${operation}: ${answer.text}`)
        assert.deepStrictEqual(
          (yield* rowsAfter(known.length)).map((row) => [row.operation, row.outcome, row.user_id]),
          [[operation, "done", club.owner.id]]
        )
      }
      const recorded = new Set<string>(asked.map(([operation]) => operation))
      assert.deepStrictEqual(onlyWithStripe.filter((one) => !recorded.has(one)), [])
    }))
})

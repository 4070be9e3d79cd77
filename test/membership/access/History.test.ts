import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccessEvent, EnrollmentId } from "../../../src/membership/access/Enrollment.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { makeCohort, makeStudent } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { AccessLayer, historyIn, inDays, kindsOf, openCatalog, storedIn } from "./AccessLayer.ts"

type Club = Parameters<typeof storedIn>[0]

/** The end and the revocation of an enrollment by its history. */
const foldOf = (history: ReadonlyArray<AccessEvent>) =>
  history.reduce(
    ({ revoked }, { effective_expires_at, kind }) => ({
      expires_at: effective_expires_at,
      revoked: kind === "revoked" || (kind !== "restored" && revoked)
    }),
    { expires_at: history[0]?.effective_expires_at ?? null, revoked: false }
  )

const named = (kind: string, enrollment_id: unknown) => `${kind} ${String(enrollment_id)}`

/** Asserts that every enrollment agrees with its history, and that each line has one event. */
const isConsistent = Effect.fnUntraced(function*(club: Club) {
  const history = yield* historyIn(club)
  for (const { expires_at, id, revoked_at } of yield* storedIn(club)) {
    const lines = history.filter(({ enrollment_id }) => enrollment_id === id)
    assert.strictEqual(lines[0]?.kind, "granted")
    assert.deepStrictEqual(foldOf(lines), { expires_at, revoked: revoked_at !== null })
    const turns = kindsOf(lines).filter((kind) => kind === "revoked" || kind === "restored")
    assert.deepStrictEqual(turns, turns.map((_, n) => n % 2 === 0 ? "revoked" : "restored"))
  }
  const facts = yield* outboxOf(club)
  assert.deepStrictEqual(
    facts.map(({ subject, type }) => named(type, Object(subject).enrollment_id)),
    history.map(({ enrollment_id, kind }) => named(`access.${kind}`, enrollment_id))
  )
  return history
})

const Days = Schema.Literals([-5, 5, 10, 15])
const AnyChange = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["grant", "revoke", "restore"]) }),
  Schema.Struct({ do: Schema.Literal("extend"), days: Schema.NullOr(Days) }),
  Schema.Struct({ do: Schema.Literal("shorten"), days: Days }),
  Schema.Struct({ do: Schema.Literal("move"), out: Schema.Boolean })
])

const openGranted = Effect.fn("openGranted")(function*() {
  const { club, delivery, student } = yield* openCatalog()
  const enrollments = yield* Enrollments
  const cohort = yield* makeCohort(club, delivery)
  const place = { student_id: student.id, delivery_id: delivery.id, cohort_id: null, source: "grant" as const }
  const grant = Effect.flatMap(inDays(-10), (starts_at) => enrollments.grant(club.id, { ...place, starts_at }, {}))
  return { club, cohort, enrollments, grant, student, delivery, id: (yield* grant).id }
})

type Opened = Effect.Success<ReturnType<typeof openGranted>>

const doing = Effect.fnUntraced(function*(
  { club, cohort, enrollments, grant }: Opened,
  id: EnrollmentId,
  change: typeof AnyChange.Type
) {
  switch (change.do) {
    case "grant":
      return yield* grant
    case "revoke":
      return yield* enrollments.revoke(club.id, id, {})
    case "restore":
      return yield* enrollments.restore(club.id, id, {})
    case "extend":
      return yield* enrollments.extend(club.id, id, change.days === null ? null : yield* inDays(change.days), {})
    case "shorten":
      return yield* enrollments.shorten(club.id, id, yield* inDays(change.days), {})
    case "move":
      return yield* enrollments.move(club.id, id, change.out ? null : cohort.id, {})
  }
})

layer(AccessLayer)("The history", (it) => {
  it.effect.prop(
    "tells what each enrollment is, whatever members do at once",
    { changes: Schema.Array(AnyChange).check(Schema.isMinLength(8), Schema.isMaxLength(16)) },
    Effect.fnUntraced(function*({ changes }) {
      yield* warmPool
      const opened = yield* openGranted()
      const work = changes.map((change) => Effect.exit(doing(opened, opened.id, change)))
      const exits = yield* Effect.all(work, { concurrency: "unbounded" })
      assert.isEmpty(exits.filter((exit) => Exit.hasDies(exit)))
      yield* isConsistent(opened.club)
    }),
    { arbitrary: { runs: 40 } }
  )

  it.effect("is right after twenty grants and revocations at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, enrollments, grant, id } = yield* openGranted()
      yield* enrollments.revoke(club.id, id, {})
      const pair = Effect.flatMap(grant, (granted) => enrollments.revoke(club.id, granted.id, {}))
      const exits = yield* Effect.all(Array.from({ length: 20 }, () => Effect.exit(pair)), { concurrency: "unbounded" })
      assert.isEmpty(exits.filter((exit) => Exit.hasDies(exit)))
      assert.isNotEmpty(exits.filter(Exit.isSuccess))
      // The student has it at most once at a time, so a revocation comes before each new grant.
      const kinds = kindsOf(yield* isConsistent(club))
      assert.deepStrictEqual(kinds, kinds.map((_, n) => n % 2 === 0 ? "granted" : "revoked"))
    }))

  it.effect("has one grant where twenty come at once", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, enrollments, grant, id } = yield* openGranted()
      yield* enrollments.revoke(club.id, id, {})
      const exits = yield* Effect.all(Array.from({ length: 20 }, () => Effect.exit(grant)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      assert.deepStrictEqual(kindsOf(yield* isConsistent(club)), ["granted", "revoked", "granted"])
    }))

  it.effect("waits for whoever has the student, and then sees what they did", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, enrollments, id, student } = yield* openGranted()
      const removing = sql`update students set removed_at = ${new Date(0)} where id = ${student.id}`
      const late = yield* whileHeld(
        removing,
        Effect.tap(Effect.forkChild(Effect.flip(enrollments.revoke(club.id, id, {}))), () => untilBlocked())
      )
      assert.strictEqual((yield* Fiber.join(late))._tag, "StudentRemoved")
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["granted"])
    }))

  it.effect("of one student waits for nobody else's", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, enrollments, student } = yield* openGranted()
      const other = yield* makeStudent(club)
      const held = sql`select 1 from students where id = ${student.id} for update`
      const place = { student_id: other.id, delivery_id: delivery.id, cohort_id: null, source: "grant" as const }
      const granted = yield* whileHeld(held, enrollments.grant(club.id, place, {}))
      assert.isTrue(granted.active)
      assert.deepStrictEqual(granted.starts_at, yield* DateTime.now)
    }))

  it.effect("has no grant of what is deleted at this moment", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, student } = yield* openCatalog()
      const enrollments = yield* Enrollments
      const cohort = yield* makeCohort(club, delivery)
      const place = { student_id: student.id, delivery_id: delivery.id, source: "grant" as const }
      const late = yield* whileHeld(
        sql`delete from cohorts where id = ${cohort.id}`,
        Effect.tap(
          Effect.forkChild(Effect.flip(enrollments.grant(club.id, { ...place, cohort_id: cohort.id }, {}))),
          () => untilBlocked()
        )
      )
      assert.strictEqual((yield* Fiber.join(late))._tag, "CohortOfOtherDelivery")
      assert.deepStrictEqual(yield* historyIn(club), [])
    }))
})

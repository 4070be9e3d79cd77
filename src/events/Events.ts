import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { audited } from "../identity/audit/AuditFragment.ts"
import type { ClubId } from "../identity/ids/ClubId.ts"
import type { StudentId } from "../identity/ids/StudentId.ts"
import { NotFound } from "../platform/http/errors.ts"
import { longestQueued, newIdOf, type QueuedWork } from "../platform/jobs/QueuedWork.ts"
import { instants, texts, uuids } from "../platform/sql/Arrays.ts"
import { PooledRandomLayer } from "../platform/sql/PooledRandom.ts"
import { faultsDie } from "../platform/sql/Rows.ts"
import { keptTrace } from "../platform/tracing/KeptTrace.ts"
import { messagingAttributes } from "../platform/tracing/messagingAttributes.ts"
import { type ErasedMessages, EventErasure } from "./EventErasure.ts"
import { bodyRetention, eventSettings } from "./EventSettings.ts"
import { EventSources } from "./EventSources.ts"
import { EventId, EventType } from "./EventType.ts"
import { type Fact, type FactOf, facts } from "./Fact.ts"

/** The rows that an erasure removed. All counts are 0 if the student had been erased before. */
export interface StudentErasure extends ErasedMessages {
  /** True if the student had not been erased before. */
  readonly first: boolean
  /** Facts that were never assembled. */
  readonly facts: number
}

const nothing: StudentErasure = { first: false, facts: 0, bodies: 0, responses: 0, canceled: 0 }

type Recordable = Fact | FactOf<"student.removed">

/** The origin of a fact. */
export interface FactOrigin {
  /** The time it happened (contract, Envelope), if that is not now. */
  readonly occurred_at?: DateTime.Utc | undefined
  /** The queued work that the fact follows from, if it is not the work of the fiber. */
  readonly work?: QueuedWork | undefined
}

/** Facts of one work that are recorded at once are assembled in this order. */
const rankOf = new Map(EventType.literals.map((type, rank) => [type, rank]))

const encode = Schema.encodeEffect(Schema.Union(Object.values(facts)))

/**
 * The only way to an outgoing event. Everything here joins the caller's transaction, so a fact and its event are committed
 * together. A fact must be about a student who has a row; anything else is a defect.
 */
export class Events extends Context.Service<Events, {
  /**
   * Answers the id that every receiver will see. Dies if the type has no source. `occurred_at` is the time the fact
   * happened (contract, Envelope), if that is not now.
   */
  record(club_id: ClubId, fact: Fact, occurred_at?: DateTime.Utc): Effect.Effect<EventId>
  /** Records many facts in one statement, each with its origin. Answers their ids in the same order. */
  recordAll(
    club_id: ClubId,
    facts: ReadonlyArray<Fact>,
    origins?: ReadonlyArray<FactOrigin>
  ): Effect.Effect<ReadonlyArray<EventId>>
  /**
   * Records facts of now by an `insert` for the `with` of the caller's statement. It records nothing if the condition
   * does not hold.
   */
  recording(
    club_id: ClubId,
    facts: ReadonlyArray<Fact>,
    condition: Statement.Fragment
  ): Effect.Effect<Statement.Fragment>
  /**
   * Contract, Delivery behavior 9: erases all messages and facts about the student and records `student.removed`. Facts
   * that other transactions record meanwhile are deleted too, or never assembled. `NotFound`: no such student in this club.
   */
  eraseStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<StudentErasure, NotFound>
}>()("turma/events/Events") {
  static readonly layerNoDeps = Layer.effect(
    Events,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const sources = yield* EventSources
      const messages = yield* EventErasure
      const delay = yield* eventSettings.WEBHOOK_ASSEMBLE_DELAY.read
      // A body past its retention is not sent any more, so no new event may have an id nearly that old.
      const longest = Duration.min(longestQueued, Duration.times(yield* bodyRetention.read, 1 / 2))

      const rowOf = Effect.fnUntraced(function*(fact: Recordable, { occurred_at, work }: FactOrigin) {
        yield* sources.find(fact.type)
        const { student_id, type, ...rest } = yield* encode(fact)
        const subject = JSON.stringify(rest)
        // Other values of the subject may depend on the time at which the work runs.
        const about = Object.entries(rest).filter(([key]) => key.endsWith("_id")).map(([, id]) => id)
        const name = [student_id, ...about, ...occurred_at === undefined ? [] : [DateTime.formatIso(occurred_at)]]
          .join(" ")
        const id = yield* newIdOf(random, { kind: type, name, rank: rankOf.get(type) ?? 0, work, longest })
        return { id: EventId.make(id), type, student_id, subject, occurred_at }
      })

      const insertion = Effect.fnUntraced(function*(
        club_id: ClubId,
        recorded: ReadonlyArray<Recordable>,
        origins: ReadonlyArray<FactOrigin>,
        condition: Statement.Fragment
      ) {
        const rows = yield* Effect.forEach(recorded, (fact, n) => rowOf(fact, origins[n] ?? {}))
        const ids = rows.map(({ id }) => id)
        const now = yield* DateTime.now
        const due = DateTime.addDuration(now, delay)
        const trace = yield* keptTrace
        if (trace !== null) yield* Effect.annotateCurrentSpan(messagingAttributes("create", ids))
        const statement = sql`
          insert into event_outbox (club_id, id, type, student_id, subject, occurred_at, due_at, trace)
          select ${club_id}::uuid, id, type, student_id, subject::jsonb, occurred_at,
            ${DateTime.toDateUtc(due)}::timestamptz, ${trace}::bytea
          from unnest(
            ${uuids(ids)}, ${texts(rows.map(({ type }) => type))},
            ${uuids(rows.map(({ student_id }) => student_id))}, ${texts(rows.map(({ subject }) => subject))},
            ${instants(rows.map(({ occurred_at }) => occurred_at ?? now))}
          ) as fact (id, type, student_id, subject, occurred_at)
          where ${condition}`
        return { ids, statement }
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function*(
        club_id: ClubId,
        recorded: ReadonlyArray<Recordable>,
        origins: ReadonlyArray<FactOrigin> = []
      ) {
        if (recorded.length === 0) return []
        const { ids, statement } = yield* insertion(club_id, recorded, origins, sql`true`)
        yield* statement
        return ids
      }, Effect.orDie)

      const record = Effect.fn("Events.record", { kind: "producer" })(function*(
        club_id: ClubId,
        fact: Fact,
        occurred_at?: DateTime.Utc
      ) {
        const [id] = yield* insert(club_id, [fact], [{ occurred_at }])
        return id ?? (yield* Effect.die(new Error("A fact was not recorded")))
      })

      // A transaction that records a fact locks the student's row for key share. If it commits before this lock, the
      // erasure deletes its fact. If it waits for this lock, the assembly later finds that the student is erased.
      const lockStudent = (club_id: ClubId, student_id: StudentId) =>
        sql`select 1 from students where club_id = ${club_id} and id = ${student_id} for update`

      const markErased = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId) {
        const erased_at = DateTime.toDateUtc(yield* DateTime.now)
        const marked = yield* audited((audit) =>
          sql`
            ${audit.with}
            insert into erased_students ${sql.insert({ club_id, student_id, erased_at })}
            on conflict do nothing returning 1`
        )
        return marked.length > 0
      })

      // Waits for facts that an assembly has locked: what it makes of them is then found among the messages.
      const forgetFacts = (club_id: ClubId, student_id: StudentId) =>
        Effect.map(
          sql`delete from event_outbox where club_id = ${club_id} and student_id = ${student_id} returning 1`,
          (deleted) => deleted.length
        )

      const eraseStudent = Effect.fn("Events.eraseStudent")(
        function*(club_id: ClubId, student_id: StudentId) {
          const locked = yield* lockStudent(club_id, student_id)
          if (locked.length === 0) return yield* new NotFound()
          if (!(yield* markErased(club_id, student_id))) return nothing
          const facts = yield* forgetFacts(club_id, student_id)
          const erased = yield* messages.eraseStudent(club_id, student_id)
          yield* insert(club_id, [{ type: "student.removed", student_id }])
          return { first: true, facts, ...erased }
        },
        sql.withTransaction,
        faultsDie
      )

      return Events.of({
        record,
        recordAll: Effect.fn("Events.recordAll", { kind: "producer" })((club_id, recorded, origins) =>
          insert(club_id, recorded, origins)
        ),
        recording: (club_id, recorded, condition) =>
          Effect.map(insertion(club_id, recorded, [], condition), ({ statement }) => statement),
        eraseStudent
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}

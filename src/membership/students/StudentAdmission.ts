import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { StudentOrigin } from "../../events/EventData.ts"
import { Events } from "../../events/Events.ts"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { concerns, creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { newIdOf, type QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { blobs, texts, uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { Enrollments } from "../access/Enrollments.ts"
import { type Given, GivenDeliveries, nothingGiven } from "../access/GivenDeliveries.ts"
import { type MailCapReached, MailCaps } from "../caps/MailCaps.ts"
import type { Club } from "../clubs/Club.ts"
import { Clubs } from "../clubs/Clubs.ts"
import { sealDocument } from "./Document.ts"
import { nameOrAddress } from "./nameOrAddress.ts"
import { studentInvitation } from "./StudentInvitationMail.ts"

/** How long the link of an invitation works. */
const invitationLifetime = Duration.days(7)

const StudentAddress = Schema.Struct({ id: StudentId, email: Schema.String })
const decodeStudents = rows(StudentAddress)
const Addressee = Schema.Struct({ id: StudentId, name: Schema.String, email: Schema.String })
type Addressee = typeof Addressee.Type

/** An invitation, and when it leaves. */
interface Mailed {
  readonly student: Addressee
  readonly at: DateTime.Utc
}

const decodeInvited = rows(Addressee)

/** A person who becomes a student without signing up. */
export interface StudentToAdmit {
  readonly name: string
  /** In lower case, at most 320 characters. */
  readonly email: string
  /** The tax document, which is stored sealed. That of an existing student stays. */
  readonly document?: Redacted.Redacted | undefined
  /** The queued work that makes them a student, if it is not the work of the current fiber. */
  readonly work?: QueuedWork | undefined
}

/** The student with the address of a `StudentToAdmit`. */
export interface AdmittedStudent {
  readonly student_id: StudentId
  /** True if this call created the student, and recorded `student.created`. */
  readonly created: boolean
  /** As in `StudentToAdmit`. */
  readonly work?: QueuedWork | undefined
}

/** Creates students who do not sign up themselves: for invitations, imports and purchases. */
export class StudentAdmission extends Context.Service<StudentAdmission, {
  /**
   * The student with each of these addresses, created if missing, in the same order. The same address twice is one
   * student. Runs in the caller's transaction and locks the rows (`for no key update`) until it ends. The order of
   * locks is always the same, so two calls do not deadlock. Existing students stay as they are. A few statements for
   * any number of people.
   */
  admit(
    club_id: ClubId,
    people: ReadonlyArray<StudentToAdmit>,
    origin: Exclude<typeof StudentOrigin.Type, "sign_up" | "registration_link">
  ): Effect.Effect<ReadonlyArray<AdmittedStudent>>
  /**
   * Grants the club's free deliveries to the created ones, in the transaction that admitted them. Call it after other
   * grants: such a grant may name a free delivery, with a cohort and an end of its own.
   */
  giveFree(club_id: ClubId, admitted: ReadonlyArray<AdmittedStudent>): Effect.Effect<void>
  /**
   * Mails a link that signs the student in, once, within 7 days, and names their deliveries. It leads on to the course if
   * they have one. The caller's transaction has to fail with the error.
   */
  invite(club_id: ClubId, student_id: StudentId): Effect.Effect<void, MailCapReached>
  /**
   * The same for different buyers, who cannot be refused. Above the caps a mail leaves later, or not at all if that is
   * more than three days away. Then the buyer can ask for a code.
   */
  inviteBuyers(club_id: ClubId, student_ids: ReadonlyArray<StudentId>): Effect.Effect<void>
}>()("turma/membership/students/StudentAdmission") {
  static readonly layer = Layer.effect(
    StudentAdmission,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const sealing = yield* Sealing
      const events = yield* Events
      const enrollments = yield* Enrollments
      const clubs = yield* Clubs
      const tokens = yield* OneTimeTokens
      const links = yield* Links
      const mailer = yield* Mailer
      const caps = yield* MailCaps
      const givenDeliveries = yield* GivenDeliveries

      const rowOf = Effect.fnUntraced(function*({ document, email, name, work }: StudentToAdmit) {
        const id = StudentId.make(yield* newIdOf(random, { kind: "student", name: "", work }))
        const sealed = document === undefined ? null : yield* sealDocument(sealing, id, document)
        return { id, email, name: nameOrAddress(name, email), document: sealed }
      })

      // In the order of the addresses, so that two transactions with the same addresses do not deadlock.
      const insertMissing = Effect.fnUntraced(function*(club_id: ClubId, people: ReadonlyArray<StudentToAdmit>) {
        const rows = yield* Effect.forEach(people, rowOf)
        const [only, ...others] = rows
        if (only !== undefined && others.length === 0) {
          yield* Effect.andThen(creates(only.id), concerns(only.id))
        }
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        return yield* audited((audit) =>
          sql`
            ${audit.with}
            insert into students (club_id, id, email, name, document, created_at)
            select ${club_id}::uuid, id, email, name, document, ${created_at}::timestamptz
            from unnest(
              ${uuids(rows.map(({ id }) => id))}, ${texts(rows.map(({ email }) => email))},
              ${texts(rows.map(({ name }) => name))}, ${blobs(rows.map(({ document }) => document))}
            ) as person (id, email, name, document)
            order by email
            on conflict (club_id, email) do nothing
            returning id, email`
        ).pipe(decodeStudents)
      })

      const lock = (club_id: ClubId, emails: ReadonlyArray<string>) =>
        sql`
          select id, email from students where club_id = ${club_id} and email = any(${texts(emails)})
          order by id for no key update`.pipe(decodeStudents)

      // Locks existing students before it inserts new ones. So a transaction that has inserted an address waits for no
      // student. One that has locked a student, such as a change of address, may wait for it. Others may insert, change
      // or remove a student between the two statements, so a further round looks for the missing ones.
      const findOrCreate = Effect.fnUntraced(function*(club_id: ClubId, people: ReadonlyArray<StudentToAdmit>) {
        const found = new Map<string, StudentId>()
        const created = new Map<StudentId, QueuedWork | undefined>()
        const workOf = new Map(people.map(({ email, work }) => [email, work]))
        const missing = () => people.filter(({ email }) => !found.has(email))
        while (missing().length > 0) {
          for (const { email, id } of yield* lock(club_id, missing().map(({ email }) => email))) found.set(email, id)
          if (missing().length === 0) break
          for (const { email, id } of yield* insertMissing(club_id, missing())) {
            found.set(email, id)
            created.set(id, workOf.get(email))
          }
        }
        return { found, created }
      })

      const admit = Effect.fn("StudentAdmission.admit")(
        function*(
          club_id: ClubId,
          people: ReadonlyArray<StudentToAdmit>,
          origin: Exclude<typeof StudentOrigin.Type, "sign_up" | "registration_link">
        ) {
          // The first of several people with the same address counts.
          const byEmail = new Map(people.toReversed().map((person) => [person.email, person]))
          const { created, found } = yield* findOrCreate(club_id, [...byEmail.values()])
          yield* events.recordAll(
            club_id,
            [...created.keys()].map((student_id) => ({ type: "student.created", student_id, origin })),
            [...created.values()].map((work) => ({ work }))
          )
          return people.flatMap(({ email }) => {
            const student_id = found.get(email)
            if (student_id === undefined) return []
            const work = created.get(student_id)
            return [{ student_id, created: created.has(student_id), ...(work !== undefined && { work }) }]
          })
        },
        Effect.orDie
      )

      const giveFree = Effect.fn("StudentAdmission.giveFree")(function*(
        club_id: ClubId,
        admitted: ReadonlyArray<AdmittedStudent>
      ) {
        const created = new Map(admitted.filter(({ created }) => created).map((one) => [one.student_id, one]))
        if (created.size > 0) yield* enrollments.grantFree(club_id, [...created.values()])
      })

      const addressees = (club_id: ClubId, student_ids: ReadonlyArray<StudentId>) =>
        sql`
          select id, name, email from students where club_id = ${club_id} and id = any(${uuids(student_ids)})
          order by id`.pipe(decodeInvited)

      const invitationOf = Effect.fnUntraced(function*(
        club_id: ClubId,
        club: Club,
        { at: leaves_at, student }: Mailed,
        given: Given
      ) {
        const { email, id: student_id, name } = student
        const holder = { kind: "student", club_id, student_id } as const
        const delay = DateTime.distance(yield* DateTime.now, leaves_at)
        const token = yield* tokens.forHolder("access", holder, Duration.sum(invitationLifetime, delay))
        const scope = { kind: "student", organization_id: club.organization_id } as const
        const link = links.access(scope, token, given.page)
        const mail = studentInvitation(club.locale, {
          recipient: email,
          name,
          club_name: club.name,
          link,
          deliveries: given.names,
          is_course: Option.isSome(given.page)
        })
        return { mail, about: student_id, leaves_at }
      })

      const enqueue = Effect.fnUntraced(function*(club_id: ClubId, mailed: ReadonlyArray<Mailed>) {
        const club = yield* clubs.get(club_id)
        const given = yield* givenDeliveries.of(club_id, mailed.map(({ student }) => student.id))
        yield* mailer
          .enqueueAll(yield* Effect.forEach(
            mailed,
            (one) => invitationOf(club_id, club, one, given.get(one.student.id) ?? nothingGiven)
          ))
      })

      const invite = Effect.fn("StudentAdmission.invite")(function*(club_id: ClubId, student_id: StudentId) {
        const invited = yield* addressees(club_id, [student_id])
        yield* caps.take(club_id, "student_invitation", invited.map(({ email }) => email))
        const now = yield* DateTime.now
        yield* enqueue(club_id, invited.map((student) => ({ student, at: now })))
      })

      const inviteBuyers = Effect.fn("StudentAdmission.inviteBuyers")(function*(
        club_id: ClubId,
        student_ids: ReadonlyArray<StudentId>
      ) {
        if (student_ids.length === 0) return
        const invited = yield* addressees(club_id, student_ids)
        const times = yield* caps.takeLater(club_id, "student_invitation", invited.map(({ email }) => email))
        const mailed = invited.flatMap((student, n) =>
          Option.match(times[n] ?? Option.none(), { onNone: () => [], onSome: (at) => [{ student, at }] })
        )
        if (mailed.length < invited.length) {
          const count = invited.length - mailed.length
          yield* Effect.logWarning("Buyers were not mailed: too many mails", { club_id, count })
        }
        if (mailed.length > 0) yield* enqueue(club_id, mailed)
      })

      return StudentAdmission.of({ admit, giveFree, invite, inviteBuyers })
    })
  ).pipe(Layer.provide([
    Clubs.layer,
    GivenDeliveries.layer,
    Links.layer,
    MailCaps.layer,
    OneTimeTokens.layer,
    NodeCrypto.layerSecureRandom
  ]))
}

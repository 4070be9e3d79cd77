import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { StudentOrigin } from "../../events/Data.ts"
import { Events } from "../../events/Events.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { blobs, texts, uuids } from "../../platform/sql/Arrays.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { Enrollments } from "../access/Enrollments.ts"
import { type MailCapReached, MailCaps } from "../caps/MailCaps.ts"
import { Clubs } from "../clubs/Clubs.ts"
import { sealDocument } from "./Document.ts"
import { studentInvitation } from "./InvitationMail.ts"
import { personName } from "./PersonText.ts"

/** How long the link of an invitation lets in. */
const invitationLifetime = Duration.days(7)

const Found = Schema.Struct({ id: StudentId, email: Schema.String })
const decodeFound = Schema.decodeUnknownEffect(Schema.Array(Found))
const Addressee = Schema.Struct({ name: Schema.String, email: Schema.String })
type Addressee = typeof Addressee.Type
const decodeInvited = Schema.decodeUnknownEffect(Schema.Tuple([Addressee]))

/** Somebody who comes to a club without signing up. */
export interface Arrival {
  readonly name: string
  /** In lower case, at most 320 characters. */
  readonly email: string
  /** The tax document; sealed as it is stored. An existing student's stays. */
  readonly document?: Redacted.Redacted | undefined
}

/** The student that an arrival is. */
export interface Admitted {
  readonly student_id: StudentId
  /** Whether this made the student, and recorded `student.created`. */
  readonly born: boolean
}

/** How students come to be when it is not they who sign up: invitations, imports, purchases. */
export class Admission extends Context.Service<Admission, {
  /**
   * The student with each of these addresses, born if there is none, in the same order; the same address twice is one
   * student. Joins the caller's transaction, and locks the rows (`for no key update`) until it ends, in one order, so that
   * nobody waits for each other. Existing students stay as they are. A few statements, however many they are.
   */
  admit(
    club_id: ClubId,
    arrivals: ReadonlyArray<Arrival>,
    origin: Exclude<typeof StudentOrigin.Type, "sign_up" | "registration_link">
  ): Effect.Effect<ReadonlyArray<Admitted>>
  /**
   * Gives the club's free deliveries to those who were born, in the transaction that admitted them: after what they are
   * given by name, which may be one of these, with a cohort and an end of its own.
   */
  giveFree(club_id: ClubId, admitted: ReadonlyArray<Admitted>): Effect.Effect<void>
  /** Mails a link that lets the student in, once, within 7 days. In the caller's transaction, which has to fail with this. */
  invite(club_id: ClubId, student_id: StudentId): Effect.Effect<void, MailCapReached>
  /**
   * The same where nobody can be refused: a mail too many leaves later, after three days not at all, and they ask for a code.
   */
  inviteBuyer(club_id: ClubId, student_id: StudentId): Effect.Effect<void>
}>()("turma/students/Admission") {
  static readonly layerNoDeps = Layer.effect(
    Admission,
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

      const rowOf = Effect.fnUntraced(function*({ document, email, name }: Arrival) {
        const id = StudentId.make(yield* random.uuidV7())
        const sealed = document === undefined ? null : yield* sealDocument(sealing, id, document)
        return { id, email, name: personName(name, email), document: sealed }
      })

      // In the order of the addresses: two that bring the same ones wait for each other at the first of them.
      const insertMissing = Effect.fnUntraced(function*(club_id: ClubId, arrivals: ReadonlyArray<Arrival>) {
        const rows = yield* Effect.forEach(arrivals, rowOf)
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql`
          insert into students (club_id, id, email, name, document, created_at)
          select ${club_id}::uuid, id, email, name, document, ${created_at}::timestamptz
          from unnest(
            ${uuids(rows.map(({ id }) => id))}, ${texts(rows.map(({ email }) => email))},
            ${texts(rows.map(({ name }) => name))}, ${blobs(rows.map(({ document }) => document))}
          ) as arrival (id, email, name, document)
          order by email
          on conflict (club_id, email) do nothing
          returning id, email`.pipe(Effect.flatMap(decodeFound))
      })

      const lock = (club_id: ClubId, emails: ReadonlyArray<string>) =>
        sql`
          select id, email from students where club_id = ${club_id} and email = any(${texts(emails)})
          order by id for no key update`.pipe(Effect.flatMap(decodeFound))

      // Who is there is held before anybody is made: whoever holds a new address waits for no student any more, and so may
      // be waited for by who holds a student, as a change of address does. Somebody else may make a student, change an
      // address or remove its student between the two statements: then it is looked for again.
      const findOrCreate = Effect.fnUntraced(function*(club_id: ClubId, arrivals: ReadonlyArray<Arrival>) {
        const found = new Map<string, StudentId>()
        const born = new Set<StudentId>()
        const missing = () => arrivals.filter(({ email }) => !found.has(email))
        while (missing().length > 0) {
          for (const { email, id } of yield* lock(club_id, missing().map(({ email }) => email))) found.set(email, id)
          if (missing().length === 0) break
          for (const { email, id } of yield* insertMissing(club_id, missing())) {
            found.set(email, id)
            born.add(id)
          }
        }
        return { found, born }
      })

      const admit = Effect.fn("Admission.admit")(
        function*(
          club_id: ClubId,
          arrivals: ReadonlyArray<Arrival>,
          origin: Exclude<typeof StudentOrigin.Type, "sign_up" | "registration_link">
        ) {
          // The first of an address counts.
          const byEmail = new Map(arrivals.toReversed().map((arrival) => [arrival.email, arrival]))
          const { born, found } = yield* findOrCreate(club_id, [...byEmail.values()])
          yield* events.recordAll(
            club_id,
            [...born].map((student_id) => ({ type: "student.created", student_id, origin }))
          )
          return arrivals.flatMap(({ email }) => {
            const student_id = found.get(email)
            return student_id === undefined ? [] : [{ student_id, born: born.has(student_id) }]
          })
        },
        Effect.orDie
      )

      const giveFree = Effect.fn("Admission.giveFree")(
        function*(club_id: ClubId, admitted: ReadonlyArray<Admitted>) {
          const born = new Set(admitted.filter(({ born }) => born).map(({ student_id }) => student_id))
          if (born.size > 0) yield* enrollments.grantFree(club_id, [...born])
        }
      )

      const addressee = (club_id: ClubId, student_id: StudentId) =>
        sql`select name, email from students where club_id = ${club_id} and id = ${student_id}`.pipe(
          Effect.flatMap(decodeInvited),
          Effect.map(([found]) => found),
          Effect.orDie
        )

      const write = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, { email, name }: Addressee, leaves_at: DateTime.Utc) {
          const club = yield* clubs.get(club_id)
          const holder = { kind: "student", club_id, student_id } as const
          const waits = DateTime.distance(yield* DateTime.now, leaves_at)
          const token = yield* tokens.forHolder("access", holder, Duration.sum(invitationLifetime, waits))
          const realm = { kind: "student", organization_id: club.organization_id } as const
          const link = links.access(realm, token)
          yield* mailer.enqueue(
            studentInvitation(club.locale, { recipient: email, name, club_name: club.name, link }),
            { about: student_id, leaves_at }
          )
        }
      )

      const invite = Effect.fn("Admission.invite")(function*(club_id: ClubId, student_id: StudentId) {
        const invited = yield* addressee(club_id, student_id)
        yield* caps.take(club_id, "student_invitation", [invited.email])
        yield* write(club_id, student_id, invited, yield* DateTime.now)
      })

      const inviteBuyer = Effect.fn("Admission.inviteBuyer")(function*(club_id: ClubId, student_id: StudentId) {
        const invited = yield* addressee(club_id, student_id)
        const leaves_at = yield* caps.takeLater(club_id, "student_invitation", invited.email)
        if (Option.isSome(leaves_at)) return yield* write(club_id, student_id, invited, leaves_at.value)
        yield* Effect.logWarning("A buyer was not mailed: too many mails", { club_id, student_id })
      })

      return Admission.of({ admit, giveFree, invite, inviteBuyer })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([Clubs.layer, Links.layer, MailCaps.layer, OneTimeTokens.layer, NodeCrypto.layerSecureRandom])
  )
}

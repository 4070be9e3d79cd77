import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { StudentChange } from "../../events/EventData.ts"
import { Events } from "../../events/Events.ts"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { seesDocuments } from "../../identity/authentication/Authentication.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { MemberIdentity } from "../../identity/people/Identity.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { OneTimeTokens } from "../../identity/tokens/OneTimeTokens.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf } from "../../platform/http/Page.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import { Sealing } from "../../platform/sql/Sealing.ts"
import { Enrollments } from "../access/Enrollments.ts"
import { type MailCapReached, MailCaps } from "../caps/MailCaps.ts"
import { Administrators } from "../clubs/Administrators.ts"
import { makeAddressChange } from "./AddressChange.ts"
import { openDocument, sealDocument } from "./Document.ts"
import { type GrantRefused, refusedAt } from "./GrantRefused.ts"
import { StudentAdmission } from "./StudentAdmission.ts"
import { retryConflicts } from "./StudentConflicts.ts"
import {
  type CreateStudent,
  EmailInUse,
  StudentDetail,
  StudentExists,
  type StudentPatch,
  StudentSummary
} from "./StudentDetail.ts"
import { type StudentQuery, StudentsRepo } from "./StudentsRepo.ts"

type Patch = typeof StudentPatch.Type

const Row = Schema.Struct({ ...StudentSummary.fields, document: Schema.NullOr(Schema.Uint8Array) })
const decodeRows = rows(Row)

const Locked = Schema.Struct({ name: Schema.String, email: Schema.String, removed: Schema.Boolean })
const decodeLocked = rows(Locked)

/** The fields that a patch changes to another value. */
const changesOf = (student: typeof Locked.Type, { email, name }: Patch): ReadonlyArray<typeof StudentChange.Type> => [
  ...(name === undefined || name === student.name ? [] : ["name" as const]),
  ...(email === undefined || email === student.email ? [] : ["email" as const])
]

/**
 * The students of a club as its members see and edit them. Only owner and admin, in person, see the
 * tax document. `NotFound`: this club has no such student.
 */
export class Students extends Context.Service<Students, {
  /** Newest first. A page of a filter may be short, even empty, and have a next one. */
  list(club_id: ClubId, query: StudentQuery): Effect.Effect<PageAnswer<StudentSummary>, InvalidCursor>
  get(member: MemberIdentity, id: StudentId): Effect.Effect<StudentDetail, NotFound>
  /** With all of its grants, or not at all. */
  create(
    member: MemberIdentity,
    student: typeof CreateStudent.Type
  ): Effect.Effect<StudentDetail, GrantRefused | MailCapReached | StudentExists>
  patch(
    member: MemberIdentity,
    id: StudentId,
    patch: Patch
  ): Effect.Effect<StudentDetail, EmailInUse | MailCapReached | NotFound | StudentRemoved>
}>()("turma/membership/students/Students") {
  static readonly layer = Layer.effect(
    Students,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* StudentsRepo
      const admission = yield* StudentAdmission
      const enrollments = yield* Enrollments
      const events = yield* Events
      const sealing = yield* Sealing
      const addresses = yield* makeAddressChange

      const list = Effect.fn("Students.list")(function*(club_id: ClubId, query: StudentQuery) {
        const { read_to, students } = yield* repo.list(club_id, query, yield* afterCursor(query.cursor))
        return pageOf(students, query.limit, read_to)
      })

      const find = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId) {
        const rows = yield* sql`
          select id, name, email, verified_at is not null as verified, password_hash is not null as has_password,
            removed_at is not null as anonymized, created_at, document
          from students where club_id = ${club_id} and id = ${id}`.pipe(decodeRows)
        return rows[0]
      })

      const get = Effect.fn("Students.get")(function*(member: MemberIdentity, id: StudentId) {
        const { club } = member
        const [row, access] = yield* Effect.all([find(club.id, id), enrollments.ofStudent(club.id, id)], {
          concurrency: "unbounded"
        })
        if (row === undefined) return yield* new NotFound()
        const visible = seesDocuments(member) ? row.document : null
        const document = visible === null ? null : yield* openDocument(sealing, id, visible)
        return new StudentDetail({ ...row, ...access, document })
      })

      /** The student that this transaction has written. */
      const getWritten = (member: MemberIdentity, id: StudentId) =>
        Effect.catchTag(get(member, id), "NotFound", Effect.die)

      const grant = Effect.fnUntraced(function*(
        { club, user }: MemberIdentity,
        student_id: StudentId,
        grants: typeof CreateStudent.Type["grants"] = []
      ) {
        for (const [n, { cohort_id = null, ...given }] of grants.entries()) {
          yield* enrollments.grant(club.id, { ...given, student_id, cohort_id, source: "invitation" }, {
            actor_user_id: user.id
          }).pipe(Effect.catch(refusedAt(`grants[${n}]`)))
        }
      })

      const create = Effect.fn("Students.create")(
        function*(member: MemberIdentity, { grants, send_invite = false, ...person }: typeof CreateStudent.Type) {
          const { club } = member
          const [admitted] = yield* admission.admit(club.id, [person], "invitation")
          if (admitted === undefined || !admitted.created) return yield* new StudentExists()
          yield* answersAbout(admitted.student_id)
          yield* grant(member, admitted.student_id, grants)
          yield* admission.giveFree(club.id, [admitted])
          if (send_invite) yield* admission.invite(club.id, admitted.student_id)
          return yield* getWritten(member, admitted.student_id)
        },
        sql.withTransaction,
        faultsDie
      )

      // A new address changes a key. The update would upgrade a weaker lock, and two of these could deadlock.
      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: StudentId, { email }: Patch) {
        const [student] = yield* sql`
          select name, email, removed_at is not null as removed from students
          where club_id = ${club_id} and id = ${id} for
          ${sql.literal(email === undefined ? "no key update" : "update")}`.pipe(decodeLocked)
        if (student === undefined) return yield* new NotFound()
        return student.removed ? yield* new StudentRemoved() : student
      })

      const write = Effect.fnUntraced(function*(
        club_id: ClubId,
        id: StudentId,
        columns: Readonly<Record<string, unknown>>
      ) {
        yield* audited((audit) =>
          sql`${audit.with} update students set ${sql.update(columns)} where club_id = ${club_id} and id = ${id}`
        ).pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(new EmailInUse())),
          faultsDie
        )
      })

      const sealed = (id: StudentId, { document }: Patch) =>
        document === undefined || document === null ? Effect.succeed(document) : sealDocument(sealing, id, document)

      const attempt = Effect.fnUntraced(
        function*(member: MemberIdentity, id: StudentId, patch: Patch) {
          const club_id = member.club.id
          const subject = patch.email === undefined ? undefined : yield* addresses.lock(club_id, id, patch.email)
          const student = yield* lock(club_id, id, patch)
          const changed = changesOf(student, patch)
          if (changed.includes("email")) yield* addresses.update(subject, student.email)
          const document = yield* sealed(id, patch)
          const columns = {
            ...Struct.pick(patch, changed),
            ...(changed.includes("email") ? { verified_at: null } : {}),
            ...(document === undefined ? {} : { document })
          }
          if (Object.keys(columns).length > 0) yield* write(club_id, id, columns)
          if (changed.includes("email")) {
            const { email: to = student.email, name = student.name } = patch
            yield* addresses.finish(member, { student_id: id, name, from: student.email, to })
          }
          if (changed.length > 0) yield* events.record(club_id, { type: "student.updated", student_id: id, changed })
          return yield* getWritten(member, id)
        },
        sql.withTransaction
      )

      const patch = Effect.fn("Students.patch")((member: MemberIdentity, id: StudentId, patch: Patch) =>
        retryConflicts(attempt(member, id, patch))
          .pipe(Effect.catchTag(["ConcurrentAddressChange", "SqlError"], Effect.die))
      )

      return Students.of({ list, get, create, patch })
    })
  ).pipe(Layer.provide([Administrators.layer, Links.layer, MailCaps.layer, OneTimeTokens.layer, StudentsRepo.layer]))
}

import { Effect, Option, Schema } from "effect"
import { withIdempotencyKey } from "../../Client.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { DeliveryId } from "../../membership/catalog/Delivery.ts"
import { Email } from "../../platform/http/Text.ts"
import { UsageError } from "../errors/UsageError.ts"
import { confirm } from "../output/Confirm.ts"
import { textAt } from "../output/Json.ts"
import { printFields } from "../output/Print.ts"
import { note } from "../output/Write.ts"
import { answerOf, oneOf, pageOf, type Wanted } from "../remote/Answers.ts"
import { bare, connection, parseId } from "../remote/Connection.ts"
import { onceOnly } from "../remote/Once.ts"
import { untilDone } from "../remote/run.ts"
import { at, momentAt, printList } from "../remote/Shown.ts"

const listed = [at("ID", "id"), at("NAME", "name"), at("E-MAIL", "email"), momentAt("CREATED", "created_at")]

const shown = [
  at("ID", "id"),
  at("Name", "name"),
  at("E-mail", "email"),
  at("Verified", "verified"),
  at("Removed", "anonymized"),
  momentAt("Created", "created_at"),
  at("Enrollments", "enrollments")
]

/** Which students to list. */
interface Listing extends Wanted {
  readonly search: Option.Option<string>
  readonly active: Option.Option<"true" | "false">
}

/** `turma students list` */
export const listStudents = ({ active, search, ...wanted }: Listing) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const clubId = yield* club
    const filter = {
      ...(Option.isSome(search) ? { search: search.value } : {}),
      ...(Option.isSome(active) ? { active: active.value === "true" } : {})
    }
    yield* printList(listed, wanted, "No students", (page) =>
      pageOf(url, client.students.list({ params: { clubId }, query: { ...page, ...filter }, ...bare })))
  }))

/** `turma students show` */
export const showStudent = (id: string) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const params = { clubId: yield* club, studentId: yield* parseId(StudentId, id, "a student") }
    yield* printFields(shown, yield* oneOf(url, client.students.get({ params, ...bare })))
  }))

const parseEmail = (text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Email)(text),
    () => new UsageError({ message: "--email is not an e-mail address" })
  )

/** A new student. */
interface Creation {
  readonly name: string
  readonly email: string
  readonly delivery: ReadonlyArray<string>
  readonly invite: boolean
}

/** `turma students create` */
export const createStudent = ({ delivery, email, invite, name }: Creation) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const ids = yield* Effect.forEach(delivery, (id) => parseId(DeliveryId, id, "a delivery"))
    const payload = {
      name,
      email: yield* parseEmail(email),
      grants: ids.map((delivery_id) => ({ delivery_id })),
      send_invite: invite
    }
    const params = { clubId: yield* club }
    const key = yield* onceOnly
    const created = client.students.create({ params, payload, ...bare }).pipe(withIdempotencyKey(key))
    yield* printFields(shown, yield* oneOf(url, created))
  }))

/** `turma students remove` */
export const removeStudent = ({ id, yes }: { readonly id: string; readonly yes: boolean }) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const params = { clubId: yield* club, studentId: yield* parseId(StudentId, id, "a student") }
    const student = yield* oneOf(url, client.students.get({ params, ...bare }))
    const who = `${textAt(student, "name")} (${textAt(student, "email")})`
    yield* confirm(`Remove ${who} and forget the person, for good?`, yes)
    yield* answerOf(url, client.students.remove({ params, ...bare }))
    yield* note(`Removed ${params.studentId}`)
  }))

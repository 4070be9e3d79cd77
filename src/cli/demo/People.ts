import { Effect, Redacted } from "effect"
import type { TurmaClient } from "../../Client.ts"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import { Email } from "../../platform/http/Text.ts"
import { say } from "./Narrator.ts"
import { Turma } from "./Turma.ts"

/** A club, and the API as its owner uses it. */
export interface Club {
  readonly owner: TurmaClient
  readonly clubId: OrganizationId
}

const password = Redacted.make("violao e voz")

/** Ana signs up, uses the mailed link, signs in and founds a club, as anybody would. */
export const foundClub = Effect.gen(function*() {
  const turma = yield* Turma
  const open = yield* turma.client()
  const email = Email.make("ana@example.com")
  yield* say("you", "Ana signs up as an administrator: POST /v1/auth/admin/sign-up")
  yield* open.adminAuth.signUp({ payload: { name: "Ana", email, password } })
  const token = yield* turma.linkMailedTo(email)
  yield* say("turma", "a mail has the link that proves her address; here mails are files")
  yield* open.adminAuth.confirm({ payload: { token } })
  const { data: grant } = yield* open.adminAuth.signIn({ payload: { email, password } })
  const owner = yield* turma.client(grant.access_token)
  const { data: club } = yield* owner.account.createClub({ payload: { name: "Violão Fácil" } })
  yield* say("you", `Ana used the link, signed in and founded a club: ${club.name}`)
  return { owner, clubId: club.organization_id } satisfies Club
})

/** Creates a student in the club. The link in a mail proves the address. */
export const signUpStudent = Effect.fnUntraced(function*({ clubId }: Club, name: string) {
  const turma = yield* Turma
  const open = yield* turma.client()
  const email = Email.make(`${name.toLowerCase()}@example.com`)
  yield* open.studentAuth.signUp({ payload: { club_id: clubId, name, email, password } })
  yield* open.studentAuth.confirm({ payload: { token: yield* turma.linkMailedTo(email) } })
  yield* say("you", `${name} signed up as a student of the club and used the mailed link`)
})

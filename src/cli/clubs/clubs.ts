import { Effect } from "effect"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { printFields, printRows } from "../output/Print.ts"
import { oneOf } from "../remote/Answers.ts"
import { bare, clubsOf, connection, noClubYet, parseId, presentedKey } from "../remote/Connection.ts"
import { untilDone } from "../remote/run.ts"
import { at, momentAt } from "../remote/Shown.ts"

const listed = [at("ID", "organization_id"), at("NAME", "name"), at("ROLE", "role")]

/** A club by itself. */
export const clubFields = [
  at("ID", "organization_id"),
  at("Name", "name"),
  at("Address", "slug"),
  at("Time zone", "time_zone"),
  at("Language", "locale"),
  momentAt("Founded", "created_at")
]

/** `turma clubs show` */
export const showClub = (id: string | undefined) =>
  untilDone(Effect.gen(function*() {
    const { client, club, url } = yield* connection
    const clubId = id === undefined ? yield* club : yield* parseId(OrganizationId, id, "a club")
    yield* printFields(clubFields, yield* oneOf(url, client.clubs.get({ params: { clubId }, ...bare })))
  }))

/** `turma clubs list`: a key has one club. */
export const listClubs = untilDone(Effect.gen(function*() {
  const { client, club, isKey, key, me, url } = yield* connection
  if (!isKey) return yield* printRows(listed, clubsOf(yield* me), noClubYet)
  const { role = null } = yield* presentedKey(url, key)
  const found = yield* oneOf(url, client.clubs.get({ params: { clubId: yield* club }, ...bare }))
  yield* printRows(listed, [{ ...found, role }], "")
}))

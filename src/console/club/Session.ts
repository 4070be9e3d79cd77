import { turma } from "../../browser/client/Api.ts"
import { makeSignedIn } from "../../browser/client/Person.ts"
import type { Schemas } from "../../sdk/index.ts"

/** The signed-in person, with their clubs. */
type Me = Schemas["Me"]

/** A club that somebody belongs to. */
export type Membership = Me["organizations"][number]

/** The roles of somebody by their clubs. */
const rolesOf = ({ organizations }: Me): ReadonlyMap<string, string> =>
  new Map(organizations.map(({ organization_id, role }) => [organization_id, role]))

const { ask, failure, me, readMe, signIn, signInWithCode, signOut } = makeSignedIn<Me>({
  read: async () => (await turma.account.me()).data,
  // In another role other things may be read.
  moved: (before, now) => {
    const roles = rolesOf(now)
    return [...rolesOf(before)].filter(([id, role]) => roles.get(id) !== role).map(([id]) => `${id}/`)
  }
})

export { ask as askWho, failure as meFailure, me, readMe, signIn, signInWithCode, signOut }

import { turma } from "../../browser/client/Api.ts"
import { makeSignedIn } from "../../browser/client/Person.ts"

/** The signed-in student. */
type Me = Awaited<ReturnType<typeof turma.sessions.current>>["data"]["account"]

const { ask, failure, me, signIn, signInWithCode, signOut } = makeSignedIn<Me>({
  read: async () => (await turma.sessions.current()).data.account,
  moved: () => []
})

export { ask as askWho, failure as meFailure, me, signIn, signInWithCode, signOut }

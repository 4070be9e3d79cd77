import { Effect } from "effect"
import { at, listAt, send, tokenOf } from "../../harness/App.ts"
import { Mailbox } from "../../harness/Mailbox.ts"
import { makeUser } from "../../harness/Makers.ts"

/** A club, and the token of one of its members. */
interface Club {
  readonly path: string
  readonly token: string
}

export const invite = ({ path, token }: Club, body: unknown, headers: Record<string, string> = {}) =>
  send("POST", `${path}/members/invitations`, { token, body, headers })

export const withdraw = ({ path, token }: Club, id: unknown) =>
  send("DELETE", `${path}/members/invitations/${String(id)}`, { token })

export const accept = (token: string, invitation: unknown) =>
  send("POST", "/v1/invitations/accept", { token, body: { token: invitation } })

export const idOf = (answer: { readonly json: unknown }) => at(answer.json, "data", "id")

/** The message for an admin who tries to change an owner's role. */
export const ownerWanted =
  "Your role does not allow this here: the operation wants the role owner, and yours is admin. Nobody gives, changes or takes away a role above their own"

export const messageOf = (answer: { readonly json: unknown }) => at(answer.json, "error", "message")

/** The club's open invitations. */
export const openIn = Effect.fn("openIn")(function*({ path, token }: Club) {
  return listAt((yield* send("GET", `${path}/members/invitations`, { token })).json, "data")
})

/** An administrator without clubs, and the mails to them. */
export const guest = Effect.gen(function*() {
  const user = yield* makeUser()
  const { secret, to } = yield* Mailbox
  return { email: user.email, user, token: yield* tokenOf(user), mails: to(user.email), secret: secret(user.email) }
})

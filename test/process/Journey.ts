import { Effect, Queue } from "effect"
import { randomBytes } from "node:crypto"
import { at } from "../harness/App.ts"
import type { Received } from "../harness/Smtp.ts"
import { type Answer, ask, post } from "../harness/Turma.ts"

interface Service {
  readonly url: string
  readonly mails: Queue.Dequeue<Received>
  readonly internalSecret: string
}

/**
 * Takes an administrator and a student through everything that has a secret, correctly and incorrectly. Answers every
 * secret and every address on the way.
 */
export const journey = Effect.fnUntraced(function*({ internalSecret, mails, url }: Service) {
  const word = (name: string) => `${name}-${randomBytes(12).toString("hex")}`
  const secrets: Array<string> = []
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  const token = () => secret(randomBytes(32).toString("base64url"))
  const email = (name: string) => secret(`${word(name)}@people.example`)

  const accessTokenOf = Effect.fnUntraced(function*({ json, text }: Answer) {
    const found = at(json, "data", "access_token")
    return typeof found === "string" ? secret(found) : yield* Effect.die(new Error(`No access token in: ${text}`))
  })

  /** The one-time secret of the next mail. Also opens its link, which points at the API by default. */
  const mailed = Effect.gen(function*() {
    const { email: content } = yield* Queue.take(mails)
    const link = /https?:\/\/\S+[?&](?:token|code)=([A-Za-z0-9_-]{43})/.exec(content.text ?? "")
    yield* ask(`${url}${new URL(link?.[0] ?? url).pathname}${new URL(link?.[0] ?? url).search}`)
    return secret(link?.[1] ?? (yield* Effect.die(new Error(`No secret in: ${content.text}`))))
  })

  const ana = { name: "Ana", email: email("ana"), password: secret(word("password")) }
  yield* post(`${url}/v1/auth/admin/sign-up`, ana)
  yield* post(`${url}/v1/auth/admin/confirm`, { token: token() })
  yield* post(`${url}/v1/auth/admin/confirm`, { token: yield* mailed })
  yield* post(`${url}/v1/auth/admin/sign-in`, { email: ana.email, password: secret(word("wrong")) })
  const signedIn = yield* post(`${url}/v1/auth/admin/sign-in`, { email: ana.email, password: ana.password })
  const session = yield* accessTokenOf(signedIn)

  yield* post(`${url}/v1/auth/admin/password/forgot`, { email: ana.email })
  const again = secret(word("again"))
  yield* post(`${url}/v1/auth/admin/password/reset`, { token: yield* mailed, password: again })
  // The mail about the new password.
  yield* Queue.take(mails)
  yield* ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${session}` } })
  const renewed = yield* post(`${url}/v1/auth/admin/sign-in`, { email: ana.email, password: again })
  const owner = yield* accessTokenOf(renewed)
  const as = { authorization: `Bearer ${owner}` }

  const founded = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, owner)
  const club_id = String(at(founded.json, "data", "organization_id"))
  const club = `${url}/v1/clubs/${club_id}`
  yield* post(`${club}/members/invitations`, { email: email("editor"), role: "editor" }, owner)
  yield* post(`${url}/v1/invitations/accept`, { token: token() }, owner)
  yield* post(`${url}/v1/invitations/accept`, { token: yield* mailed }, owner)

  const bia = { club_id, name: "Bia", email: email("bia"), password: secret(word("password")) }
  yield* post(`${url}/v1/auth/sign-up`, bia)
  yield* post(`${url}/v1/auth/confirm`, { token: yield* mailed })
  yield* post(`${url}/v1/auth/access`, { club_id, email: bia.email })
  const exchanged = yield* post(`${url}/v1/auth/exchange`, { code: yield* mailed })
  const student = yield* accessTokenOf(exchanged)
  yield* ask(`${club}/classroom/gamification`, { headers: { authorization: `Bearer ${student}` } })

  const textIn = ({ json, text }: Answer, name: string) => {
    const found = at(json, "data", name)
    return typeof found === "string" ? Effect.succeed(secret(found)) : Effect.die(new Error(`No ${name} in: ${text}`))
  }
  const made = yield* post(`${club}/keys`, { name: "Order system", role: "admin" }, owner)
  const key = yield* textIn(made, "token")
  const rotated = yield* post(`${club}/keys/${at(made.json, "data", "id")}/rotate`, {}, owner)
  const next = yield* textIn(rotated, "token")
  yield* ask(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
  yield* ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${next}` } })
  yield* post(`${club}/students`, { name: key, email: `${key}@people.example` }, next)
  yield* ask(`${club}/students?key=${key}`, { headers: { authorization: `Bearer ${next}` } })
  yield* ask(`${club}/students/${key}`, { headers: { authorization: `Bearer ${next}x` } })
  yield* ask(`${url}/${next}`)
  yield* post(`${club}/keys`, `{"name":"${next}`, owner)

  // Terminals that ask for a key: one gets it. Guessed codes follow.
  for (const role of ["owner", "editor"]) {
    const asked = yield* post(`${url}/v1/auth/device`, { name: "Laptop" })
    const device_code = yield* textIn(asked, "device_code")
    const user_code = yield* textIn(asked, "user_code")
    yield* post(`${url}/v1/auth/device/token`, { device_code })
    yield* ask(`${url}/account/terminal?code=${user_code}`)
    yield* post(`${club}/keys/devices`, { user_code, role }, owner)
    yield* post(`${url}/v1/auth/device/token`, { device_code: `${device_code}x` })
    const redeemed = yield* post(`${url}/v1/auth/device/token`, { device_code })
    if (role === "editor") yield* textIn(redeemed, "token")
  }

  // Common mistakes: a secret in the wrong place, a body that is not JSON, a header of another kind.
  yield* ask(`${url}/v1/me`, { headers: { authorization: `Bearer ${token()}` } })
  yield* ask(`${url}/v1/me`, { headers: { authorization: `Basic ${secret(randomBytes(24).toString("base64"))}` } })
  yield* ask(`${url}/v1/auth/sessions/${token()}`, { method: "DELETE", headers: as })
  yield* ask(`${url}/v1/me?access_token=${token()}`, { headers: as })
  yield* ask(`${url}/v1/clubs/${token()}/gamification`, { headers: as })
  yield* ask(`${url}/${token()}`)
  yield* post(`${url}/v1/auth/admin/sign-in`, `{"password":"${secret(word("torn"))}`)
  yield* post(`${url}/v1/auth/admin/sign-in`, {
    email: 1,
    password: secret(word("beside")),
    extra: secret(word("extra"))
  })
  yield* ask(`${url}/internal/metrics`, { headers: { authorization: `Bearer ${token()}` } })
  const metrics = yield* ask(`${url}/internal/metrics`, { headers: { authorization: `Bearer ${internalSecret}` } })

  return { secrets: [...secrets, internalSecret], club, owner, metrics }
})

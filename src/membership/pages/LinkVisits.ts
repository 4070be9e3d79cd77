import { Effect, Option, Redacted, Result, Schema } from "effect"
import type { Form } from "../../platform/pages/Form.ts"
import { AdminAddress, CodePayload, ResetPayload } from "../accounts/Credential.ts"
import { askForm, fieldsOf, formOf, type FormParts, reading, type Wrong } from "./Fields.ts"
import { type Link, linkVisit, secretIn } from "./Link.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import { arrivalIn } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"

const readPassword = reading(Schema.Struct({ password: ResetPayload.fields.password }))
const readCode = reading(Schema.Struct({ ...AdminAddress.fields, code: CodePayload.fields.code }))

/** A new link signs in to the account of a used sign-up. An expired sign-up has no account, so its person signs up again. */
const confirm = ({ credentials, tokens }: PageServices): Link => ({
  page: "confirm",
  field: "token",
  bare: (place) => ({
    title: place.words.resend.title,
    intro: place.words.resend.intro,
    body: askForm(place, "resend")
  }),
  look: ({ scope }, secret) =>
    Effect.map(
      tokens.lookAtSignUp(scope, Redacted.make(secret)),
      Option.map(({ used, ...known }) => ({ ...known, renews: used }))
    ),
  // Refused if the address has an account by now, or the club has closed.
  use: ({ scope }, secret) => Effect.option(credentials.confirmAndEnter(scope.kind, Redacted.make(secret)))
})

const reset = ({ credentials, tokens }: PageServices): Link => ({
  page: "reset",
  field: "token",
  bare: (place) => ({
    title: place.words.forgot.title,
    intro: place.words.forgot.intro,
    body: askForm(place, "forgot")
  }),
  look: ({ scope }, secret) =>
    Effect.map(
      tokens.look("reset", scope, Redacted.make(secret)),
      Option.map((known) => ({ ...known, renews: true }))
    ),
  fields: ({ words }) => [fieldsOf(words).newPassword],
  wrong: ({ words }, form): Wrong =>
    Result.isFailure(readPassword({ password: form("password") })) ? { password: words.wrong.password } : {},
  use: ({ scope }, secret, form) =>
    credentials.resetAndEnter(scope.kind, Redacted.make(secret), Redacted.make(form("password"))).pipe(
      Effect.asSome,
      Effect.catchTag("TokenInvalid", () => Effect.succeedNone)
    )
})

/** Entered by hand, a code works only with its address: the page cannot name the account before. */
const byHand = (place: Place, more: Partial<FormParts> = {}): Sheet => {
  const { to, words } = place
  const { emailHint, manual, submit, title } = words.enter
  const { code, email } = fieldsOf(words)
  const address = { ...email, autocomplete: "email", hint: emailHint }
  return {
    title,
    intro: manual,
    body: formOf({ words, action: to("enter"), submit, fields: [address, code], ...more }),
    links: [{ label: words.links.newCode, to: to("access") }]
  }
}

const enterLink = ({ credentials, tokens }: PageServices): Link => ({
  page: "enter",
  field: "code",
  bare: byHand,
  look: ({ scope }, secret) =>
    Effect.map(
      tokens.look("access", scope, Redacted.make(secret)),
      Option.map((known) => ({ ...known, renews: true }))
    ),
  use: ({ scope }, secret) => Effect.option(credentials.exchange(scope.kind, Redacted.make(secret)))
})

const enterByHand = ({ credentials, tokens }: PageServices): NonNullable<Visit["submit"]> =>
  Effect.fnUntraced(function*(place, form) {
    const { scope, words } = place
    const code = secretIn(form("code"))
    const refused = (wrong: Wrong): Sheet => {
      const entered: Form = (name) => name === "code" ? code : form(name)
      return { ...byHand(place, { entered, wrong }), status: 422 }
    }
    const read = readCode({ code, email: form("email").trim() })
    if (Result.isFailure(read)) {
      return refused(Object.fromEntries(read.failure.map((name) => [
        name,
        name === "email" ? words.wrong.email : words.wrong.code
      ])))
    }
    const { code: secret, email } = read.success
    // A code of another club is unknown here: its session would open nothing.
    const known = yield* tokens.look("access", scope, secret)
    const issued = Option.isNone(known)
      ? Option.none()
      : yield* Effect.option(credentials.exchange(scope.kind, secret, email))
    return Option.isNone(issued) ? refused({ "": words.enter.refused }) : arrivalIn(place, issued.value)
  })

const enter = (services: PageServices): Visit => {
  const visit = linkVisit(services, enterLink(services))
  const submitByHand = enterByHand(services)
  return {
    ...visit,
    submit: (place, form) => form("linked") === "" ? submitByHand(place, form) : visit.submit(place, form)
  }
}

/** The targets of mailed links and codes: confirming an address, a new password, signing in. */
export const linkVisits = (services: PageServices): ReadonlyArray<Visit> => [
  linkVisit(services, confirm(services)),
  linkVisit(services, reset(services)),
  enter(services)
]

import { Effect, Option, Result, Schema } from "effect"
import type { OrganizationId } from "../../identity/ids/ClubId.ts"
import type { UserIdentity } from "../../identity/people/Identity.ts"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import { landing, nextPage } from "../../identity/tokens/NextPage.ts"
import { OneTimeSecret, TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { CreateClub } from "../clubs/Club.ts"
import { fieldsOf, formOf, type FormParts, reading } from "./Fields.ts"
import type { PagePath } from "./Paths.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import { signInWays, signInWith } from "./SignInVisits.ts"
import type { Arrival, Visit } from "./Visit.ts"
import type { Words } from "./words/English.ts"

const decodeSecret = Schema.decodeUnknownOption(OneTimeSecret)
const readClub = reading(Schema.Struct({ club_name: CreateClub.fields.name, locale: CreateClub.fields.locale }))

const identityOf = Effect.fnUntraced(function*({ sessions }: PageServices, { access_token }: IssuedSession) {
  const found = yield* sessions.find(access_token, Option.none())
  if (Option.isNone(found) || found.value._tag !== "User") return yield* Effect.die(new Error("The session has ended"))
  return found.value
})

const ending = ({ sessions }: PageServices, { session }: IssuedSession, { user }: UserIdentity) =>
  sessions.end({ kind: "admin", user_id: user.id }, session.id)

/** Does one thing as the administrator who has just signed in, and ends that session whatever the result. */
export const once = Effect.fnUntraced(function*<A, E, R>(
  services: PageServices,
  issued: IssuedSession,
  work: (identity: UserIdentity) => Effect.Effect<A, E, R>
) {
  const identity = yield* identityOf(services, issued)
  return yield* Effect.ensuring(work(identity), ending(services, issued, identity))
})

/** Does one thing as the administrator who has just signed in. The session goes on if that succeeds. */
const first = Effect.fnUntraced(function*<A, E, R>(
  services: PageServices,
  issued: IssuedSession,
  work: (identity: UserIdentity) => Effect.Effect<A, E, R>
) {
  const identity = yield* identityOf(services, issued)
  return yield* Effect.onError(work(identity), () => ending(services, issued, identity))
})

/** The console of a club, signed in. */
const arrivalAt = (issued: IssuedSession, organization_id: OrganizationId): Arrival => ({
  _tag: "Arrival",
  issued,
  to: landing({ kind: "admin" }, nextPage("admin", organization_id))
})

const invitationSheet = (place: Place, token: string, more: Partial<FormParts> = {}): Sheet => {
  const { to, words } = place
  const { intro, noAccount, noAccountText, submit, title } = words.invitation
  const { email, password } = fieldsOf(words)
  const fields = [email, password]
  return {
    title,
    intro,
    body: html`${formOf({ words, action: to("invitation"), submit, fields, hidden: { token }, ...more })}
<div class="notice"><strong>${noAccount}</strong><p>${noAccountText}</p>
<p><a href="${to("sign-up")}">${words.links.signUp}</a></p></div>`,
    links: signInWays(place).slice(0, 1)
  }
}

const invitation = (services: PageServices): Visit<"invitation"> => ({
  path: "invitation",
  show: (place, query) => Effect.succeed(invitationSheet(place, query("token").slice(0, 200))),
  submit: Effect.fnUntraced(function*(place, form) {
    const { words } = place
    yield* services.countWrite
    const entered = yield* signInWith(services, place, form)
    if (Result.isFailure(entered)) {
      const { status, wrong } = entered.failure
      return { ...invitationSheet(place, form("token").slice(0, 200), { entered: form, wrong }), status }
    }
    const token = decodeSecret(form("token"))
    const accepted = yield* Effect.option(first(
      services,
      entered.success,
      (identity) =>
        Option.isNone(token) ? Effect.fail(new TokenInvalid()) : services.members.accept(identity, token.value)
    ))
    if (Option.isSome(accepted)) return arrivalAt(entered.success, accepted.value.organization_id)
    const gone = words.invitation.gone(form("email").trim())
    return { title: words.gone.title, intro: gone, status: 422 }
  })
})

const languageChoice = (words: Words, chosen: string) =>
  html`<div class="field"><label for="locale">${words.fields.clubLocale}</label>
<select id="locale" name="locale">${
    [["en", "English"], ["pt-BR", "Português"]].map(([value, label]) =>
      html`<option value="${value}" lang="${value}"${value === chosen && html` selected`}>${label}</option>`
    )
  }</select></div>`

const clubSheet = ({ locale, to, words }: Place, form: Form, more: Partial<FormParts> = {}): Sheet => {
  const { intro, submit, title } = words.club
  const { clubName, email, password } = fieldsOf(words)
  const chosen = form("locale") === "" ? locale : form("locale")
  return {
    title,
    intro,
    body: formOf({
      words,
      action: to("club"),
      submit,
      fields: [clubName, email, password],
      more: languageChoice(words, chosen),
      entered: form,
      ...more
    }),
    links: [{ label: words.links.forgot, to: to("forgot") }, { label: words.links.signUp, to: to("sign-up") }]
  }
}

const foundClub = (services: PageServices): Visit<"club"> => ({
  path: "club",
  show: (place) => Effect.succeed(clubSheet(place, () => "")),
  submit: Effect.fnUntraced(function*(place, form) {
    const { words } = place
    yield* services.countWrite
    const read = readClub({ club_name: form("club_name").trim(), locale: form("locale") })
    if (Result.isFailure(read)) {
      const texts: Readonly<Record<string, string>> = { club_name: words.wrong.club_name, locale: words.wrong.locale }
      const wrong = Object.fromEntries(read.failure.map((name) => [name, texts[name] ?? words.wrong.summary]))
      return { ...clubSheet(place, form, { wrong }), status: 422 }
    }
    const entered = yield* signInWith(services, place, form)
    if (Result.isFailure(entered)) {
      const { status, wrong } = entered.failure
      return { ...clubSheet(place, form, { wrong }), status }
    }
    const { club_name: name, locale } = read.success
    const create = (identity: UserIdentity) =>
      services.clubs.create(identity, { name, ...(locale === undefined ? {} : { locale }) })
    const created = yield* Effect.result(first(services, entered.success, create))
    if (Result.isFailure(created)) {
      if (created.failure._tag === "TemporarilyUnavailable") return yield* created.failure
      return { ...clubSheet(place, form, { wrong: { "": words.club.limit } }), status: 409 }
    }
    return arrivalAt(entered.success, created.success.organization_id)
  })
})

/** The pages that only administrators have: accepting an invitation, and founding a club. */
export const administratorVisits = (services: PageServices): ReadonlyArray<Visit<PagePath>> => [
  invitation(services),
  foundClub(services)
]

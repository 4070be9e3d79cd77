import { Effect, Option, Result } from "effect"
import { administration } from "../../identity/authentication/Authentication.ts"
import type { MemberIdentity, UserIdentity } from "../../identity/people/Identity.ts"
import type { Role } from "../../identity/people/Role.ts"
import type { IssuedSession } from "../../identity/sessions/SessionStore.ts"
import type { Form } from "../../platform/pages/Form.ts"
import { html } from "../../platform/pages/Html.ts"
import { ApproveDevice } from "../keys/Device.ts"
import { once } from "./AdministratorVisits.ts"
import { fieldsOf, formOf, type FormParts, reading } from "./Fields.ts"
import type { PagePath } from "./Paths.ts"
import type { Place } from "./Place.ts"
import type { PageServices } from "./Services.ts"
import type { Sheet } from "./Sheet.ts"
import { signInWays, signInWith } from "./SignInVisits.ts"
import type { Visit } from "./Visit.ts"

const readDevice = reading(ApproveDevice)

/** The roles that a terminal may get. The first one is preselected. */
const roles = ["viewer", "support", "editor", "admin"] as const

/** A club that the person may let a terminal into. */
interface Choice {
  readonly organization_id: string
  readonly name: string
}

const choiceOf = (name: string, label: string, options: ReadonlyArray<readonly [string, string]>, chosen: string) =>
  html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${
    options.map(([value, text]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
    )
  }</select></div>`

const terminalSheet = (
  place: Place,
  form: Form,
  { clubs = [], ...more }: Partial<FormParts> & { readonly clubs?: ReadonlyArray<Choice> } = {}
): Sheet => {
  const { to, words } = place
  const { code, email, password } = fieldsOf(words)
  const said = words.terminal
  const roleChoice = choiceOf("role", said.role, roles.map((role) => [role, said.roles[role]] as const), form("role"))
  const clubChoice = clubs.length === 0
    ? undefined
    : choiceOf(
      "club",
      said.club,
      clubs.map(({ name, organization_id }) => [organization_id, name] as const),
      form("club")
    )
  return {
    title: said.title,
    intro: said.intro,
    body: html`<div class="notice"><strong>${said.warning}</strong><p>${said.warningText}</p></div>
${
      formOf({
        words,
        action: to("terminal"),
        submit: said.submit,
        fields: [{ ...code, name: "user_code", label: said.code, autocomplete: "off" }, email, password],
        more: html`${clubChoice}${roleChoice}`,
        entered: form,
        ...more
      })
    }`,
    links: signInWays(place).slice(0, 1)
  }
}

/** The clubs of the person in which they may let a terminal in. */
const clubsOf = (services: PageServices, identity: UserIdentity) =>
  Effect.map(
    services.clubs.me(identity),
    ({ organizations }) => organizations.filter(({ role }: { readonly role: Role }) => administration.includes(role))
  )

/** The person as the member of this club. Empty if they may not approve a terminal for it. */
const memberOf = Effect.fnUntraced(function*(
  { sessions }: PageServices,
  { access_token, session }: IssuedSession,
  organization_id: string
) {
  const found = yield* sessions.find(access_token, Option.some(organization_id))
  if (Option.isNone(found) || found.value._tag !== "User") return Option.none()
  const { membership, user } = found.value
  return Option.map(
    Option.filter(membership, ({ role }) => administration.includes(role)),
    ({ club, role }): MemberIdentity => ({ _tag: "Member", credential: { kind: "session", session }, user, club, role })
  )
})

/** The result of the form: an approved terminal, a choice of clubs, no club, or no such code. */
type Outcome =
  | { readonly _tag: "Done"; readonly name: string; readonly club: string }
  | { readonly _tag: "Choose"; readonly clubs: ReadonlyArray<Choice> }
  | { readonly _tag: "NoClub" | "NoCode" }

const letIn = Effect.fnUntraced(function*(
  services: PageServices,
  issued: IssuedSession,
  identity: UserIdentity,
  form: Form,
  device: typeof ApproveDevice.Type
): Effect.fn.Return<Outcome> {
  const clubs = yield* clubsOf(services, identity)
  const [only, ...others] = clubs
  if (only === undefined) return { _tag: "NoClub" }
  const chosen = form("club") === "" && others.length === 0 ? only.organization_id : form("club")
  const member = yield* memberOf(services, issued, chosen)
  if (Option.isNone(member)) return { _tag: "Choose", clubs }
  const { club, user } = member.value
  return yield* services.devices.approve(member.value, device).pipe(
    services.auditRecorder.along({ club_id: club.id, user_id: user.id, key_id: null }, "keys.approveDevice"),
    Effect.map(({ name }): Outcome => ({ _tag: "Done", name, club: club.name })),
    Effect.catchTags({
      DeviceCodeInvalid: () => Effect.succeed<Outcome>({ _tag: "NoCode" }),
      // They may not any more, since a moment ago: their clubs are read again with the next try.
      Forbidden: () => Effect.succeed<Outcome>({ _tag: "Choose", clubs })
    })
  )
})

const terminal = (services: PageServices): Visit<"terminal"> => ({
  path: "terminal",
  show: (place, query) =>
    Effect.succeed(terminalSheet(place, (name) => name === "user_code" ? query("code").slice(0, 20) : "")),
  submit: Effect.fnUntraced(function*(place, form) {
    const said = place.words.terminal
    yield* services.countWrite
    const read = readDevice({ user_code: form("user_code").trim(), role: form("role") })
    if (Result.isFailure(read)) {
      return { ...terminalSheet(place, form, { wrong: { user_code: said.wrongCode } }), status: 422 }
    }
    const entered = yield* signInWith(services, place, form)
    if (Result.isFailure(entered)) {
      const { status, wrong } = entered.failure
      return { ...terminalSheet(place, form, { wrong }), status }
    }
    const outcome = yield* once(
      services,
      entered.success,
      (identity) => letIn(services, entered.success, identity, form, read.success)
    )
    switch (outcome._tag) {
      case "Done":
        return { title: said.done(outcome.name), intro: said.next(outcome.club) }
      case "Choose":
        return { ...terminalSheet(place, form, { clubs: outcome.clubs, wrong: { "": said.choose } }), status: 422 }
      case "NoClub":
        return { ...terminalSheet(place, form, { wrong: { "": said.noClub } }), status: 403 }
      case "NoCode":
        return { ...terminalSheet(place, form, { wrong: { user_code: said.gone } }), status: 422 }
    }
  })
})

/** Letting a terminal in. */
export const terminalVisits = (services: PageServices): ReadonlyArray<Visit<PagePath>> => [terminal(services)]

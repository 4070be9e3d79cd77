import { Context, Effect, Layer, Option, Redacted } from "effect"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import type { OrganizationId } from "../ids/ClubId.ts"
import type { AccountScope } from "../people/AccountScope.ts"
import type { NextPage } from "./NextPage.ts"

/** Paths of our own pages that have another name in an app elsewhere. */
const ownNames: Readonly<Record<string, string>> = {
  "access": "enter",
  "forgot-password": "forgot",
  "reset-password": "reset"
}

/** Where our own pages for these people are: `/account`, or `/classroom/<club>`. */
export const ownFolder = (scope: AccountScope): string =>
  scope.kind === "admin" ? "account" : `classroom/${scope.organization_id}`

/**
 * Addresses of the pages that mails link to. They are the dashboard's, one club's classroom's, or our own if there is
 * no such app. A secret is in the query. The app removes it from the address bar, and our own pages do with the click.
 */
export class Links extends Context.Service<Links, {
  /** `next`: where our own page goes on to. An app elsewhere has pages of its own, so it does not get one. */
  confirm(scope: AccountScope, token: Redacted.Redacted, next?: Option.Option<NextPage>): string
  reset(scope: AccountScope, token: Redacted.Redacted, next?: Option.Option<NextPage>): string
  access(scope: AccountScope, code: Redacted.Redacted, next?: Option.Option<NextPage>): string
  /** Where a student confirms that they ask to be removed. */
  removal(scope: AccountScope, token: Redacted.Redacted): string
  signIn(scope: AccountScope): string
  forgot(scope: AccountScope): string
  invitation(token: Redacted.Redacted): string
  /** Where an administrator lets a terminal in, with the code that it shows filled in or not. */
  terminal(code: Option.Option<string>): string
  /** Where students sign up with a registration code. */
  signUp(organization_id: OrganizationId, code: string): string
  /** A place in a club's classroom, such as `support/<conversation>`. */
  classroom(organization_id: OrganizationId, place: string, query?: Record<string, string>): string
  /** Where a student ends the mails about notifications, without a session. */
  unsubscribe(organization_id: OrganizationId, token: Redacted.Redacted): string
  /** The API's own address at which a mail program ends mails by one POST. */
  oneClick(token: Redacted.Redacted): string
}>()("turma/identity/tokens/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.map(PublicUrls, ({ api, classroom, dashboard, ownPages }) => {
      const isOwn = ({ kind }: AccountScope) => kind === "admin" ? ownPages.administrators : ownPages.students
      const link = (scope: AccountScope, page: string, query: Record<string, string> = {}) => {
        if (isOwn(scope)) {
          return pageUrl(api, `${ownFolder(scope)}/${ownNames[page] ?? page}`, query)
        }
        return scope.kind === "admin"
          ? pageUrl(dashboard, page, query)
          : pageUrl(classroom, page, { club: scope.organization_id, ...query })
      }
      // The secret is last, since scripts of others cut it from the end of a link.
      const secret =
        (page: string, name: string) =>
        (scope: AccountScope, value: Redacted.Redacted, next: Option.Option<NextPage> = Option.none()) =>
          link(scope, page, {
            ...(Option.isSome(next) && isOwn(scope) ? { next: next.value } : {}),
            [name]: Redacted.value(value)
          })
      return Links.of({
        confirm: secret("confirm", "token"),
        reset: secret("reset-password", "token"),
        access: secret("access", "code"),
        removal: (scope, token) => link(scope, "removal", { token: Redacted.value(token) }),
        signIn: (scope) => link(scope, "sign-in"),
        forgot: (scope) => link(scope, "forgot-password"),
        invitation: (token) => link({ kind: "admin" }, "invitation", { token: Redacted.value(token) }),
        terminal: (code) =>
          link({ kind: "admin" }, "terminal", Option.match(code, { onNone: () => ({}), onSome: (code) => ({ code }) })),
        signUp: (organization_id, code) => link({ kind: "student", organization_id }, "sign-up", { code }),
        classroom: (organization_id, place, query) => link({ kind: "student", organization_id }, place, query),
        unsubscribe: (organization_id, token) =>
          link({ kind: "student", organization_id }, "unsubscribe", { token: Redacted.value(token) }),
        oneClick: (token) => pageUrl(api, "v1/notifications/unsubscribe", { token: Redacted.value(token) })
      })
    })
  ).pipe(Layer.provide(PublicUrls.layer))
}

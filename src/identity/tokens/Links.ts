import { Context, Effect, Layer, Redacted } from "effect"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import type { AccountScope } from "../people/AccountScope.ts"

/**
 * Addresses of the pages that mails link to: of the dashboard, or of one club's classroom. A secret is in the query, which
 * the front end removes from the address bar.
 */
export class Links extends Context.Service<Links, {
  confirm(scope: AccountScope, token: Redacted.Redacted): string
  reset(scope: AccountScope, token: Redacted.Redacted): string
  access(scope: AccountScope, code: Redacted.Redacted): string
  signIn(scope: AccountScope): string
  forgot(scope: AccountScope): string
  invitation(token: Redacted.Redacted): string
}>()("turma/identity/tokens/Links") {
  static readonly layerNoDeps = Layer.effect(
    Links,
    Effect.map(PublicUrls, ({ classroom, dashboard }) => {
      const link = (scope: AccountScope, page: string, query: Record<string, string> = {}) =>
        scope.kind === "admin"
          ? pageUrl(dashboard, page, query)
          : pageUrl(classroom, page, { club: scope.organization_id, ...query })
      return Links.of({
        confirm: (scope, token) => link(scope, "confirm", { token: Redacted.value(token) }),
        reset: (scope, token) => link(scope, "reset-password", { token: Redacted.value(token) }),
        access: (scope, code) => link(scope, "access", { code: Redacted.value(code) }),
        signIn: (scope) => link(scope, "sign-in"),
        forgot: (scope) => link(scope, "forgot-password"),
        invitation: (token) => link({ kind: "admin" }, "invitation", { token: Redacted.value(token) })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PublicUrls.layer))
}

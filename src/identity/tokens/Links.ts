import { Context, Effect, Layer, Redacted } from "effect"
import { pageUrl, PublicUrls } from "../../platform/http/ServerSettings.ts"
import type { Realm } from "../people/Realm.ts"

/** The pages that mails lead to: the dashboard's, or the classroom's of one club. A secret is in the query, which the front end takes out of the address bar. */
export class Links extends Context.Service<Links, {
  confirm(realm: Realm, token: Redacted.Redacted): string
  reset(realm: Realm, token: Redacted.Redacted): string
  access(realm: Realm, code: Redacted.Redacted): string
  signIn(realm: Realm): string
  forgot(realm: Realm): string
  invitation(token: Redacted.Redacted): string
}>()("turma/auth/Links") {
  static readonly layerNoDeps = Layer.effect(
    Links,
    Effect.map(PublicUrls, ({ classroom, dashboard }) => {
      const link = (realm: Realm, page: string, query: Record<string, string> = {}) =>
        realm.kind === "admin"
          ? pageUrl(dashboard, page, query)
          : pageUrl(classroom, page, { club: realm.organization_id, ...query })
      return Links.of({
        confirm: (realm, token) => link(realm, "confirm", { token: Redacted.value(token) }),
        reset: (realm, token) => link(realm, "reset-password", { token: Redacted.value(token) }),
        access: (realm, code) => link(realm, "access", { code: Redacted.value(code) }),
        signIn: (realm) => link(realm, "sign-in"),
        forgot: (realm) => link(realm, "forgot-password"),
        invitation: (token) => link({ kind: "admin" }, "invitation", { token: Redacted.value(token) })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PublicUrls.layer))
}

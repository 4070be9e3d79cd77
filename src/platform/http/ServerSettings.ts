import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { optionalSetting, setting } from "../config/Setting.ts"
import { isOriginRule } from "./Origins.ts"

const origin = (variable: string) =>
  Config.schema(
    Schema.URLFromString.check(Schema.makeFilter((url: URL) => url.protocol === "http:" || url.protocol === "https:")),
    variable
  )

const Origin = Schema.Trim.check(Schema.makeFilter(isOriginRule))

const page = { expected: "an http or https URL", example: "https://turma.example" }

/** Where the API listens, and how people reach it and the two apps. */
export const serverSettings = {
  PORT: setting({
    variable: "PORT",
    fallback: "3000",
    meaning: "where the API listens",
    expected: "a port from 1 to 65535",
    example: "3000"
  }, Config.Port),
  HOST: setting({
    variable: "HOST",
    fallback: "127.0.0.1",
    meaning: "the address it listens on; `0.0.0.0` for all",
    expected: "an address or a host name",
    example: "0.0.0.0"
  }, Config.NonEmptyString),
  PUBLIC_URL: optionalSetting({
    ...page,
    variable: "PUBLIC_URL",
    unset: "`http://HOST:PORT`",
    meaning: "our own origin, as others reach it"
  }, origin),
  DASHBOARD_URL: optionalSetting({
    ...page,
    variable: "DASHBOARD_URL",
    unset: "unset: pages of our own, at `PUBLIC_URL/account`",
    meaning: "where links in administrators' mails point"
  }, origin),
  CLASSROOM_URL: optionalSetting({
    ...page,
    variable: "CLASSROOM_URL",
    unset: "unset: pages of our own, at `PUBLIC_URL/classroom/<club>`",
    meaning: "where links in students' mails point"
  }, origin),
  ALLOWED_ORIGINS: optionalSetting({
    variable: "ALLOWED_ORIGINS",
    unset:
      "the origins of `DASHBOARD_URL` and `CLASSROOM_URL`; with the embedded database also `http://localhost:*` and " +
      "`http://127.0.0.1:*`",
    meaning: "origins of pages that may call the API from a browser",
    expected:
      "origins as browsers send them (scheme, host and port, no slash at the end), https://*.domain for one label, " +
      "or http://localhost:*, separated by commas; none for no page at all",
    example: "https://dashboard.turma.example,https://*.clubs.turma.example"
  }, (variable) => Config.Array(Origin, variable))
}

/** Where people reach the service. Links come from here, never from the Host header. */
export class PublicUrls extends Context.Service<PublicUrls, {
  readonly api: URL
  readonly dashboard: URL
  readonly classroom: URL
  /** The people without an app elsewhere: pages of our own stand in for it. */
  readonly ownPages: { readonly administrators: boolean; readonly students: boolean }
}>()("turma/platform/http/PublicUrls") {
  static readonly layer = Layer.effect(
    PublicUrls,
    Effect.gen(function*() {
      const host = yield* serverSettings.HOST.read
      const port = yield* serverSettings.PORT.read
      const own = new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`)
      const api = Option.getOrElse(yield* serverSettings.PUBLIC_URL.read, () => own)
      const dashboard = yield* serverSettings.DASHBOARD_URL.read
      const classroom = yield* serverSettings.CLASSROOM_URL.read
      return PublicUrls.of({
        api,
        dashboard: Option.getOrElse(dashboard, () => api),
        classroom: Option.getOrElse(classroom, () => api),
        ownPages: { administrators: Option.isNone(dashboard), students: Option.isNone(classroom) }
      })
    })
  )
}

/**
 * A page below a base URL: `pageUrl(https://a.example/app, "confirm", { token })` is
 * `https://a.example/app/confirm?token=…`.
 */
export const pageUrl = (base: URL, page: string, query: Record<string, string>): string => {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${page}`
  url.search = `${new URLSearchParams(query)}`
  return url.href
}

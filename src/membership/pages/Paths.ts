import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"

/** Whose pages are where. */
export const folders = { administrators: "/account", students: "/classroom/:club" } as const

/** The pages that both have. Each has a form, and but for one shows it. */
const common = ["sign-up", "resend", "forgot", "access", "confirm", "reset", "enter", "sign-in", "sign-out"] as const

/** What students have. */
export type CommonPath = (typeof common)[number]

/** What administrators have beside that. */
const administrators = ["invitation", "club", "terminal"] as const

/** What a page is called below its folder. */
export type PagePath = CommonPath | (typeof administrators)[number]

const routesAt = (folder: `/${string}`, paths: ReadonlyArray<PagePath>) => [
  { method: "GET", path: folder } as const,
  ...paths.flatMap((path) => {
    const methods: ReadonlyArray<HttpMethod.HttpMethod> = path === "sign-out" ? ["POST"] : ["GET", "POST"]
    return methods.map((method) => ({ method, path: `${folder}/${path}` }))
  })
]

/** Every page that is served: for those for whom there is no app elsewhere. */
export const pageRoutes = Effect.map(PublicUrls, ({ ownPages }) => [
  ...(ownPages.administrators ? routesAt(folders.administrators, [...common, ...administrators]) : []),
  ...(ownPages.students ? routesAt(folders.students, common) : [])
]).pipe(Effect.provide(PublicUrls.layer))

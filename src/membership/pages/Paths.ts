import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { PublicUrls } from "../../platform/http/ServerSettings.ts"

/** Whose pages are where. */
export const folders = { administrators: "/account", students: "/classroom/:club" } as const

/** The pages of both audiences. Each has a form, and all except one show it. */
const common = ["sign-up", "resend", "forgot", "access", "confirm", "reset", "enter", "sign-in", "sign-out"] as const

/** The pages of students. */
export type CommonPath = (typeof common)[number]

/** Further pages of administrators. */
const administrators = ["invitation", "club", "terminal"] as const

/** The path of a page below its folder. */
export type PagePath = CommonPath | (typeof administrators)[number]

const routesAt = (folder: `/${string}`, paths: ReadonlyArray<PagePath>) => [
  ...(folder === folders.administrators ? [{ method: "GET", path: folder } as const] : []),
  ...paths.flatMap((path) => {
    const methods: ReadonlyArray<HttpMethod.HttpMethod> = path === "sign-out" ? ["POST"] : ["GET", "POST"]
    return methods.map((method) => ({ method, path: `${folder}/${path}` }))
  })
]

/** All pages of the audiences without an app elsewhere. */
export const pageRoutes = Effect.map(PublicUrls, ({ ownPages }) => [
  ...(ownPages.administrators ? routesAt(folders.administrators, [...common, ...administrators]) : []),
  ...(ownPages.students ? routesAt(folders.students, common) : [])
]).pipe(Effect.provide(PublicUrls.layer))

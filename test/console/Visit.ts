import { Layer, Logger } from "effect"
import type { Page } from "playwright-core"
import { appLayer } from "../harness/App.ts"
import type { PageOptions } from "../harness/Browser.ts"
import { looking, pageVariables, visitWith } from "../harness/Visiting.ts"

export { becomes, everyLook, follow, open, origin, settled } from "../harness/Visiting.ts"

/** The service where browsers reach it. */
export const consoleVariables = pageVariables

export const ConsoleAppLayer = appLayer(consoleVariables).pipe(Layer.provide(Logger.layer([])))

/** A page in the console. It is signed in if the caller gives a session. */
export const visit = (
  path: string,
  { token, ...options }: PageOptions & { readonly token?: string } = {}
) => visitWith(path, { name: "turma-session", token }, options)

export const { look, lookAll } = looking("console")

/** Opens the menu of the signed-in person. */
export const openPerson = (page: Page) => page.locator(".person > button:visible").click()

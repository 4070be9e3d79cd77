import { computed, effect, signal } from "@preact/signals"
import type { Schemas } from "../../sdk/index.ts"
import { askConsole, session, turma } from "./Api.ts"
import { forgetAll } from "./Reads.ts"
import { tabSubject } from "./Tabs.ts"

/** Who is signed in, with their clubs. */
export type Me = Schemas["Me"]

/** A club that somebody belongs to. */
export type Membership = Me["organizations"][number]

/** Who is signed in; undefined until that is known, and when nobody is. */
export const me = signal<Me | undefined>(undefined)

/** Reads who is signed in. */
export const readMe = async (): Promise<void> => {
  const { data } = await turma.account.me()
  me.value = data
  session.value = "open"
}

/** Other tabs are told when somebody signs in or out. */
const tabs = tabSubject("session", () => {
  forgetAll()
  session.value = "unknown"
})

/** Signs in with a password. */
export const signIn = async (email: string, password: string): Promise<void> => {
  await askConsole("POST", "session", { email, password })
  await readMe()
  tabs.tell([])
}

/** Signs in with a mailed code. */
export const signInWithCode = async (code: string): Promise<void> => {
  await askConsole("POST", "session/code", { code })
  await readMe()
  tabs.tell([])
}

/** Ends the session itself, not this browser's alone. */
export const signOut = async (): Promise<void> => {
  await askConsole("DELETE", "session").catch(() => undefined)
  forgetAll()
  me.value = undefined
  session.value = "closed"
  tabs.tell([])
}

/** Whether nobody is signed in. */
export const isClosed = computed(() => session.value === "closed")

effect(() => {
  if (session.value !== "unknown") return
  readMe().catch(() => {
    // Without an answer it is not known; who asks next finds out.
  })
})

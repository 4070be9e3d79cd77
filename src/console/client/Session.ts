import { batch, computed, signal } from "@preact/signals"
import { type Schemas, TurmaError } from "../../sdk/index.ts"
import { askConsole, beginSession, session, sessionNumber, turma } from "./Api.ts"
import { failureOf, forgetAll } from "./Reads.ts"
import { tabSubject } from "./Tabs.ts"

/** Who is signed in, with their clubs. */
export type Me = Schemas["Me"]

/** A club that somebody belongs to. */
export type Membership = Me["organizations"][number]

/** Who is signed in; undefined until that is known, and when nobody is. */
export const me = signal<Me | undefined>(undefined)

/** Why it is not known who is signed in, where that was asked in vain. */
export const meFailure = signal<TurmaError | undefined>(undefined)

/** Reads who is signed in. */
export const readMe = async (): Promise<void> => {
  const asked = sessionNumber()
  const { data } = await turma.account.me()
  // Whoever that was, another has signed in or out since.
  if (asked !== sessionNumber()) return
  batch(() => {
    meFailure.value = undefined
    session.value = "open"
    const before = me.peek()
    if (before !== undefined && before.id !== data.id) forgetAll()
    me.value = data
  })
}

/** Reads who is signed in, and keeps why that failed. */
export const askWho = async (): Promise<void> => {
  const asked = sessionNumber()
  meFailure.value = undefined
  try {
    await readMe()
  } catch (thrown) {
    // Where nobody is, they sign in instead.
    if (session.peek() === "unknown" && asked === sessionNumber()) meFailure.value = failureOf(thrown)
  }
}

const leave = () => {
  batch(() => {
    beginSession()
    session.value = "closed"
    me.value = undefined
    forgetAll()
  })
}

const signedOut = "signed out"

/** Other tabs are told when somebody signs in or out. */
const tabs = tabSubject("session", ([what]) => {
  if (what === signedOut) {
    leave()
    return
  }
  beginSession()
  session.value = "unknown"
  void askWho()
})

const signedIn = async () => {
  beginSession()
  await readMe()
  tabs.tell([])
}

/** Signs in with a password. */
export const signIn = async (email: string, password: string): Promise<void> => {
  await askConsole("POST", "session", { email, password })
  await signedIn()
}

/** Signs in with a mailed code. */
export const signInWithCode = async (code: string): Promise<void> => {
  await askConsole("POST", "session/code", { code })
  await signedIn()
}

const hasEnded = (thrown: unknown) => thrown instanceof TurmaError && thrown.status === 401

/** Ends the session itself, not this browser's alone. Where that fails, whoever is here stays signed in, and is told. */
export const signOut = async (): Promise<void> => {
  try {
    await askConsole("DELETE", "session")
  } catch (thrown) {
    if (!hasEnded(thrown)) throw thrown
  }
  leave()
  tabs.tell([signedOut])
}

/** Whether nobody is signed in. */
export const isClosed = computed(() => session.value === "closed")

const askAgain = () => {
  if (document.visibilityState === "visible" && session.peek() === "unknown") void askWho()
}

void askWho()
document.addEventListener("visibilitychange", askAgain)
addEventListener("online", askAgain)

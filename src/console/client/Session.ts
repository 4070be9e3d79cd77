import { batch, signal } from "@preact/signals"
import { type Schemas, TurmaError } from "../../sdk/index.ts"
import { askConsole, beginSession, refusals, session, sessionNumber, turma } from "./Api.ts"
import { type CachedRead, changedHere, forgetAll, makeReadCache } from "./ReadCache.ts"
import { failureOf } from "./Reads.ts"
import { tabSubject } from "./Tabs.ts"

/** The signed-in person, with their clubs. */
export type Me = Schemas["Me"]

/** A club that somebody belongs to. */
export type Membership = Me["organizations"][number]

/** The signed-in person. Undefined before the answer, and without one. */
export const me = signal<Me | undefined>(undefined)

/** The failure of the last request for the signed-in person. */
export const meFailure = signal<TurmaError | undefined>(undefined)

/** The roles of somebody by their clubs. */
const rolesOf = (person: Me | undefined): ReadonlyMap<string, string> =>
  new Map(person?.organizations.map(({ organization_id, role }) => [organization_id, role]))

/** The clubs in which somebody is not what they were. */
const movedIn = (before: Me, now: Me) => {
  const roles = rolesOf(now)
  return [...rolesOf(before)].filter(([id, role]) => roles.get(id) !== role).map(([id]) => id)
}

/** Reads who is signed in. */
export const readMe = async (): Promise<void> => {
  const asked = sessionNumber()
  const { data } = await turma.account.me()
  // The answer is about an earlier session: somebody has signed in or out since.
  if (asked !== sessionNumber()) return
  batch(() => {
    meFailure.value = undefined
    session.value = "open"
    const before = me.peek()
    if (before !== undefined && before.id !== data.id) forgetAll()
    // The same person renders nothing again.
    if (JSON.stringify(before) !== JSON.stringify(data)) me.value = data
    // In another role other things may be read.
    if (before !== undefined && before.id === data.id) changedHere(...movedIn(before, data).map((id) => `${id}/`))
  })
}

/** The key of the signed-in person. Call `changed(meKey)` after a change of their name, role or clubs. */
export const meKey = "me"

let isReading = false
let isAgain = false

/** Reads the signed-in person anew during a session. A failure says nothing new. */
const readAgain = async (): Promise<void> => {
  if (session.peek() !== "open") return
  isAgain = isReading
  if (isReading) return
  isReading = true
  await readMe().catch(() => {})
  isReading = false
  if (isAgain) await readAgain()
}

const kept: CachedRead = {
  isUsed: () => true,
  isRunning: () => isReading,
  isRefused: () => false,
  refresh: () => void readAgain(),
  clear: () => {},
  survivesChanges: true
}

makeReadCache<CachedRead>(1).take(meKey, () => kept)

// After a refusal the person may have another role.
refusals.subscribe((count) => {
  if (count > 0) void readAgain()
})

/** Reads who is signed in, and keeps why that failed. */
export const askWho = async (): Promise<void> => {
  const asked = sessionNumber()
  meFailure.value = undefined
  try {
    await readMe()
  } catch (thrown) {
    // Without a session the person signs in instead.
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

/** Tells the other tabs that somebody signs in or out. */
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

/**
 * Signs in with the code that was mailed to this address. A code of another address is refused: its link may have come from
 * somebody who wants others in their account.
 */
export const signInWithCode = async (email: string, code: string): Promise<void> => {
  await askConsole("POST", "session/code", { email, code })
  await signedIn()
}

const hasEnded = (thrown: unknown) => thrown instanceof TurmaError && thrown.status === 401

/**
 * Ends the session at the service, not only in this browser. If that fails, the person stays signed in and gets a
 * message.
 */
export const signOut = async (): Promise<void> => {
  try {
    await askConsole("DELETE", "session")
  } catch (thrown) {
    if (!hasEnded(thrown)) throw thrown
  }
  leave()
  tabs.tell([signedOut])
}

const askAgain = () => {
  if (document.visibilityState === "visible" && session.peek() === "unknown") void askWho()
}

void askWho()
document.addEventListener("visibilitychange", askAgain)
addEventListener("online", askAgain)

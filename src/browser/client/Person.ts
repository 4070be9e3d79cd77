import { batch, type Signal, signal } from "@preact/signals"
import { TurmaError } from "../../sdk/index.ts"
import { askExchange, beginSession, refusals, session, sessionNumber } from "./Api.ts"
import { type CachedRead, changedHere, forgetAll, makeReadCache } from "./ReadCache.ts"
import { failureOf } from "./Reads.ts"
import { makeRecovery } from "./Recovery.ts"
import { site } from "./Site.ts"
import { tabSubject } from "./Tabs.ts"

/** The id of the signed-in person, for what must not pass from one person to the next. */
export const personId = signal<string | undefined>(undefined)

/** The key of the signed-in person. Call `changed(meKey)` after a change of their name, role or clubs. */
export const meKey = "me"

/** The signed-in person of a page, and the ways in and out. */
export interface SignedIn<P> {
  /** Undefined before the answer, and without a session. */
  readonly me: Signal<P | undefined>
  /** The failure of the last request for the signed-in person. */
  readonly failure: Signal<TurmaError | undefined>
  /** Reads who is signed in. */
  readonly readMe: () => Promise<void>
  /** The same, but keeps why that failed. */
  readonly ask: () => Promise<void>
  /** Signs in with a password. */
  readonly signIn: (email: string, password: string) => Promise<void>
  /**
   * Signs in with the code that was mailed to this address. A code of another address is refused: its link may have come
   * from somebody who wants others in their account.
   */
  readonly signInWithCode: (email: string, code: string) => Promise<void>
  /** Ends the session at the service, not only in this browser. If that fails, the person stays signed in. */
  readonly signOut: () => Promise<void>
}

const signedOut = "signed out"

/** Students sign in to one club. */
const ofClub = site.club === undefined ? {} : { club_id: site.club }

const hasEnded = (thrown: unknown) => thrown instanceof TurmaError && thrown.status === 401

/**
 * The sign-in of a page. `moved` names the keys below which the changed person may read other things. One is a club
 * in which they have another role.
 */
export const makeSignedIn = <P extends { readonly id: string }>({ moved, read }: {
  readonly read: () => Promise<P>
  readonly moved: (before: P, now: P) => ReadonlyArray<string>
}): SignedIn<P> => {
  const me = signal<P | undefined>(undefined)
  const failure = signal<TurmaError | undefined>(undefined)

  const readMe = async (): Promise<void> => {
    const asked = sessionNumber()
    const person = await read()
    // The answer is about an earlier session: somebody has signed in or out since.
    if (asked !== sessionNumber()) return
    batch(() => {
      failure.value = undefined
      session.value = "open"
      const before = me.peek()
      if (before !== undefined && before.id !== person.id) forgetAll()
      // The same person renders nothing again.
      if (JSON.stringify(before) !== JSON.stringify(person)) me.value = person
      personId.value = person.id
      if (before !== undefined && before.id === person.id) changedHere(...moved(before, person))
    })
  }

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

  const ask = async (): Promise<void> => {
    const asked = sessionNumber()
    try {
      await readMe()
      recovery.worked()
    } catch (thrown) {
      // Without a session the person signs in instead.
      if (session.peek() !== "unknown" || asked !== sessionNumber()) return
      failure.value = failureOf(thrown)
      recovery.failed(failure.value)
    }
  }

  const recovery = makeRecovery(() => {
    if (session.peek() === "unknown") void ask()
  })

  const leave = () => {
    batch(() => {
      beginSession()
      session.value = "closed"
      me.value = undefined
      personId.value = undefined
      forgetAll()
    })
  }

  /** Tells the other tabs of the site that somebody signs in or out. */
  const tabs = tabSubject(site.club === undefined ? "session" : `session-${site.club}`, ([what]) => {
    if (what === signedOut) {
      leave()
      return
    }
    beginSession()
    session.value = "unknown"
    void ask()
  })

  const enter = async (path: string, body: object) => {
    await askExchange("POST", path, body)
    beginSession()
    await readMe()
    tabs.tell([])
  }

  const askAgain = () => {
    if (document.visibilityState === "visible" && session.peek() === "unknown") void ask()
  }

  void ask()
  document.addEventListener("visibilitychange", askAgain)
  addEventListener("online", askAgain)

  return {
    me,
    failure,
    readMe,
    ask,
    signIn: (email, password) => enter("session", { ...ofClub, email, password }),
    signInWithCode: (email, code) => enter("session/code", { email, code }),
    signOut: async () => {
      try {
        await askExchange("DELETE", "session")
      } catch (thrown) {
        if (!hasEnded(thrown)) throw thrown
      }
      leave()
      tabs.tell([signedOut])
    }
  }
}

import type { TurmaError } from "../../sdk/index.ts"
import { mayPass, pauseAfter } from "./Passing.ts"

const random = () => crypto.getRandomValues(new Uint8Array(1)).reduce((_, byte) => byte / 255, 0)

/** The attempts of a read after failures that pass by themselves. */
export interface Recovery {
  readonly failed: (error: TurmaError) => void
  readonly worked: () => void
}

/** A page that nobody looks at does not try: it reads everything anew when its reader comes back. */
export const makeRecovery = (again: () => void): Recovery => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    failed: (error) => {
      clearTimeout(timer)
      if (!mayPass(error)) return
      timer = setTimeout(() => {
        if (document.visibilityState === "visible") again()
      }, pauseAfter(failures++, error, random()))
    },
    worked: () => {
      clearTimeout(timer)
      failures = 0
    }
  }
}

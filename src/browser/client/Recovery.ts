import { TurmaConnectionError, type TurmaError, TurmaTimeoutError } from "../../sdk/index.ts"

/** In milliseconds: the first pause at most, and the longest. Each is twice as long as the one before. */
const firstPause = 2000
const longestPause = 30_000

/** True of failures that pass by themselves: nothing was reached, or the service is busy or at fault. */
export const mayPass = (error: TurmaError): boolean =>
  error instanceof TurmaConnectionError || error instanceof TurmaTimeoutError || error.status === 429 ||
  (error.status ?? 0) >= 500

/** Milliseconds until a read is tried again; `part`, from 0 to 1, spreads the pages that failed at one moment. */
export const pauseAfter = (failures: number, { retryAfter = 0 }: TurmaError, part: number): number =>
  Math.max(Math.min(longestPause, firstPause * 2 ** failures) * (1 + part) / 2, retryAfter * 1000)

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

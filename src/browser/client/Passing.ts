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

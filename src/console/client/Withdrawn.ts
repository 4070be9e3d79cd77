import { TurmaError } from "../../sdk/index.ts"

/** What was asked for is not for whoever asks now, or not there any more: asking again is of no use. */
export const isWithdrawn = (thrown: unknown): boolean =>
  thrown instanceof TurmaError && (thrown.status === 403 || thrown.status === 404)
